// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// Makes WAV files of several kinds, as bytes.
struct WaveBytes {
  enum Kind: CaseIterable { case bits8, bits16, bits24, bits32, float32, float64 }

  var kind = Kind.float32
  var rate = 48_000
  var isExtended = false
  /// Whether the file is RF64, with its length in a `ds64` chunk.
  var isLong = false
  /// Whether the file has other chunks before `data`, one of an odd length.
  var hasOthers = false

  private static func bytes<Number>(_ number: Number) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  private func sample(_ value: Float) -> [UInt8] {
    let whole = value.isFinite ? Int64((Double(max(-1, min(value, 1))) * 2_147_483_648).rounded()) : 0
    switch kind {
    case .bits8: return [UInt8(truncatingIfNeeded: (whole >> 24) + 128)]
    case .bits16: return Self.bytes(Int16(truncatingIfNeeded: whole >> 16))
    case .bits24: return Array(Self.bytes(Int32(truncatingIfNeeded: whole)).dropFirst())
    case .bits32: return Self.bytes(Int32(truncatingIfNeeded: whole))
    case .float32: return Self.bytes(value)
    case .float64: return Self.bytes(Double(value))
    }
  }

  var width: Int {
    switch kind {
    case .bits8: 1
    case .bits16: 2
    case .bits24: 3
    case .bits32, .float32: 4
    case .float64: 8
    }
  }

  func callAsFunction(_ channels: [[Float]]) -> [UInt8] {
    let format: UInt16 = kind == .float32 || kind == .float64 ? 3 : 1
    let body = channels[0].indices.flatMap { frame in channels.flatMap { sample($0[frame]) } }
    var parts: [UInt8] = []
    if isLong { parts += Array("ds64".utf8) + Self.bytes(UInt32(28)) + Self.bytes(UInt64(0)) }
    if isLong { parts += Self.bytes(UInt64(body.count)) + [UInt8](repeating: 0, count: 12) }
    if hasOthers { parts += Array("note".utf8) + Self.bytes(UInt32(3)) + [1, 2, 3, 0] }
    parts += Array("fmt ".utf8) + Self.bytes(UInt32(isExtended ? 40 : 16))
    parts += Self.bytes(isExtended ? 0xFFFE : format) + Self.bytes(UInt16(channels.count))
    parts += Self.bytes(UInt32(rate)) + Self.bytes(UInt32(rate * width * channels.count))
    parts += Self.bytes(UInt16(width * channels.count)) + Self.bytes(UInt16(width * 8))
    if isExtended {
      parts += Self.bytes(UInt16(22)) + Self.bytes(UInt16(width * 8)) + Self.bytes(UInt32(3))
      parts += Self.bytes(format) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    if hasOthers { parts += Array("junk".utf8) + Self.bytes(UInt32(4)) + [0, 0, 0, 0] }
    parts += Array("data".utf8) + Self.bytes(isLong ? .max : UInt32(body.count)) + body
    return Array((isLong ? "RF64" : "RIFF").utf8) + Self.bytes(isLong ? .max : UInt32(parts.count + 4))
      + Array("WAVE".utf8) + parts
  }

  /// Writes a file into the temporary folder, and returns its path.
  func write(_ channels: [[Float]]) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-\(UUID().uuidString).wav"
    try Data(self(channels)).write(to: URL(filePath: path))
    return path
  }
}
