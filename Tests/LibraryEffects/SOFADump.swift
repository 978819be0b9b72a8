// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A SOFA file as read by HDF5's `h5dump`, independent of the code under test.
struct SOFADump {
  /// The path of the file that libmysofa installs.
  static let standard = "/usr/share/libmysofa/default.sofa"

  /// Azimuth to the left and elevation in degrees, and distance in metres, of each measurement.
  let positions: [Double]
  /// The impulse responses of each measurement: left ear, then right ear.
  let samples: [Double]
  let rate: Double
  var directionCount: Int { positions.count / 3 }
  var taps: Int { samples.count / directionCount / 2 }

  init(_ path: String = standard) throws {
    positions = try Self.values("SourcePosition", of: path)
    samples = try Self.values("Data.IR", of: path)
    rate = try Self.values("Data.SamplingRate", of: path)[0]
  }

  func impulse(_ number: Int, ear: Int) -> ArraySlice<Double> {
    samples[(2 * number + ear) * taps..<(2 * number + ear + 1) * taps]
  }

  /// The position of a source in the direction of a measurement, `distance` metres from a listener at the origin.
  func point(_ number: Int, distance: Double) -> SIMD3<Float> {
    let azimuth = positions[3 * number] * .pi / 180, elevation = positions[3 * number + 1] * .pi / 180
    let point = SIMD3(-sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation))
    return SIMD3<Float>(point * distance)
  }

  private static func values(_ name: String, of path: String) throws -> [Double] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).f64")
    defer { try? FileManager.default.removeItem(at: file) }
    let dump = Process()
    dump.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    dump.arguments = ["h5dump", "-d", "/\(name)", "-b", "LE", "-o", file.path, path]
    dump.standardOutput = FileHandle.nullDevice
    try dump.run()
    dump.waitUntilExit()
    return try Data(contentsOf: file).withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
  }
}
