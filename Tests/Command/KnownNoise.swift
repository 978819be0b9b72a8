// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting

/// A turn of noise that is played in a loop, and which of its frames a recording holds where: no part of it is like
/// another.
struct KnownNoise {
  let samples: [Float]

  init(count: Int, seed: UInt64) {
    var dice = Dice(seed: seed)
    var samples = (0..<count).map { _ in Float.random(in: -0.5...0.5, using: &dice) }
    // Soft in the highs: what a resampler makes between two frames is like both.
    for _ in 0..<4 { samples = samples.indices.map { (samples[$0] + samples[($0 + 1) % count]) / 2 } }
    self.samples = samples
  }

  /// Its level, in dBFS.
  var level: Double {
    10 * log10(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count))
  }

  /// Writes it as a file of floats at 48 kHz, a channel for each factor.
  func write(_ name: String, times factors: [Float] = [1], in folder: Command) throws {
    var bytes = Data()
    for sample in samples {
      for factor in factors { withUnsafeBytes(of: sample * factor) { bytes.append(contentsOf: $0) } }
    }
    try bytes.write(to: URL(filePath: "\(folder.folder)/raw"))
    _ = try folder.shell(
      "sox -t raw -e floating-point -b 32 -c \(factors.count) -r 48000 raw \(name) && rm raw")
  }

  /// What a recording holds.
  struct Part {
    /// Where it lies in the recording.
    var frame = 0
    /// Where it is from: its first frame in the noise, counted through all turns.
    var place = 0
    /// What it is multiplied by.
    var gain = 0.0
    /// How alike it is: 1 is the same but for the gain.
    var likeness = 0.0
  }

  /// How long a part is that is looked at, in frames: a tenth of what SoundTouch lays end to end.
  static let partLength = 256

  /// What a recording holds from a frame on, looked for in some places.
  func part(of heard: [Float], at frame: Int, among places: ClosedRange<Int>) -> Part {
    let count = Self.partLength
    guard frame >= 0, frame + count <= heard.count else { return Part() }
    // A turn and the beginning of the next, so that no part is torn.
    let start = (places.lowerBound % samples.count + samples.count) % samples.count
    let row = (0..<places.count + count).map { samples[(start + $0) % samples.count] }
    var best = Part()
    heard.withUnsafeBufferPointer { heard in
      row.withUnsafeBufferPointer { row in
        guard let heard = heard.baseAddress, let row = row.baseAddress else { return }
        let sound = heard + frame, own = Self.product(sound, sound)
        guard own > 0 else { return }
        // What debug code makes of a range takes longer than the sums.
        var shift = 0
        while shift < places.count {
          let noise = row + shift, both = Self.product(sound, noise), power = Self.product(noise, noise)
          let likeness = Double(both) / (Double(own) * Double(power)).squareRoot()
          if likeness > best.likeness {
            best = Part(
              frame: frame, place: places.lowerBound + shift, gain: Double(both / power), likeness: likeness)
          }
          shift += 1
        }
      }
    }
    return best
  }

  private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    var sum: Float = 0, place = 0
    while place < partLength {
      sum += a[place] * b[place]
      place += 1
    }
    return sum
  }
}
