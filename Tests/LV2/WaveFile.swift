// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// 32-bit float WAV files, for exchange with other programs.
enum WaveFile {
  static func write(_ channels: [[Float]], rate: Int, to path: String) throws {
    var data = Data()
    func put(_ text: String) { data.append(contentsOf: text.utf8) }
    func put<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    let count = channels.first?.count ?? 0
    let bytes = count * channels.count * 4
    put("RIFF")
    put(UInt32(36 + bytes))
    put("WAVEfmt ")
    put(UInt32(16))
    put(UInt16(3))
    put(UInt16(channels.count))
    put(UInt32(rate))
    put(UInt32(rate * channels.count * 4))
    put(UInt16(channels.count * 4))
    put(UInt16(32))
    put("data")
    put(UInt32(bytes))
    for frame in 0..<count { for channel in channels { put(channel[frame].bitPattern) } }
    try data.write(to: URL(filePath: path))
  }

  static func read(_ path: String, channels: Int) throws -> [[Float]] {
    let data = try Data(contentsOf: URL(filePath: path))
    let start = try #require(data.range(of: Data("data".utf8))).upperBound + 4
    let floats = data[start...].withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
    return (0..<channels).map { channel in
      stride(from: channel, to: floats.count / channels * channels, by: channels).map { floats[$0] }
    }
  }
}

/// Runs a program and waits for it; if it fails, fails the test with its error output.
func command(_ program: String, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let errors = Pipe()
  process.standardOutput = FileHandle.nullDevice
  process.standardError = errors
  try process.run()
  let text = errors.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(program): \(String(decoding: text, as: UTF8.self))")
}
