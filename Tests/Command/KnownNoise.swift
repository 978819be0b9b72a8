// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting

/// Noise that is played in a loop, in which no part resembles another; finds the position of a recording's parts in
/// it.
struct KnownNoise {
  let samples: [Float]

  init(count: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var samples = (0..<count).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    // Low-passed, so that interpolated samples resemble both neighbours.
    for _ in 0..<4 { samples = samples.indices.map { (samples[$0] + samples[($0 + 1) % count]) / 2 } }
    self.samples = samples
  }

  /// The RMS level in dBFS.
  var level: Double {
    10 * log10(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count))
  }

  /// Writes a file of 32-bit floats at 48 kHz, with a channel for each factor.
  func write(_ name: String, times factors: [Float] = [1], in folder: Command) throws {
    var bytes = Data()
    for sample in samples {
      for factor in factors { withUnsafeBytes(of: sample * factor) { bytes.append(contentsOf: $0) } }
    }
    try bytes.write(to: URL(filePath: "\(folder.folder)/raw"))
    _ = try folder.shell(
      "sox -t raw -e floating-point -b 32 -c \(factors.count) -r 48000 raw \(name) && rm raw")
  }

  /// A part of a recording, located in the noise.
  struct Part {
    /// The first frame in the recording.
    var frame = 0
    /// The first frame in the noise, counted through all repetitions.
    var position = 0
    /// The gain relative to the noise.
    var gain = 0.0
    /// The normalized correlation: 1 if the part equals the noise but for the gain.
    var likeness = 0.0
  }

  /// The length of a part in frames: about a tenth of SoundTouch's segments.
  static let partLength = 256

  /// Returns the best match in the noise for the part of a recording at `frame`, among the given positions.
  func part(of heard: [Float], at frame: Int, among positions: ClosedRange<Int>) -> Part {
    let count = Self.partLength
    guard frame >= 0, frame + count <= heard.count else { return Part() }
    // One repetition and the start of the next, so that no part is split.
    let start = (positions.lowerBound % samples.count + samples.count) % samples.count
    let row = (0..<positions.count + count).map { samples[(start + $0) % samples.count] }
    var best = Part()
    heard.withUnsafeBufferPointer { heard in
      row.withUnsafeBufferPointer { row in
        guard let heard = heard.baseAddress, let row = row.baseAddress else { return }
        let sound = heard + frame, own = Self.product(sound, sound)
        guard own > 0 else { return }
        // In debug builds iterating over a range takes longer than the sums.
        var shift = 0
        while shift < positions.count {
          let noise = row + shift, both = Self.product(sound, noise), power = Self.product(noise, noise)
          let likeness = Double(both) / (Double(own) * Double(power)).squareRoot()
          if likeness > best.likeness {
            best = Part(
              frame: frame, position: positions.lowerBound + shift, gain: Double(both / power),
              likeness: likeness)
          }
          shift += 1
        }
      }
    }
    return best
  }

  private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    var sum: Float = 0, index = 0
    while index < partLength {
      sum += a[index] * b[index]
      index += 1
    }
    return sum
  }
}
