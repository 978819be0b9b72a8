// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The integrated loudness of ITU-R BS.1770-5: the mean energy of the blocks of 400 ms that pass both gates.
///
/// Blocks are counted by their loudness, in steps of 0.002 LU, each step with the sum of its blocks' energies. So the
/// measurement of a day takes no more memory than that of a minute. The step that contains the relative gate passes if
/// its mean does, which is exact for a single block. Several blocks in one step are few among many others.
struct GatedLoudness {
  /// The absolute gate in LUFS, and the distance of the relative gate from the loudness of the blocks above it, in LU.
  private static let absoluteGate = -70.0, relativeGate = -10.0
  private static let stepsPerUnit = 500.0
  /// The number of steps, up to +30 LUFS. Louder blocks count in the last step.
  private static let stepCount = 50_000

  private var counts = [Int](repeating: 0, count: GatedLoudness.stepCount)
  private var energies = [Double](repeating: 0, count: GatedLoudness.stepCount)

  /// Adds a block by its loudness in LUFS.
  mutating func add(_ loudness: Double) {
    guard loudness >= Self.absoluteGate else { return }
    let step = Self.step(loudness)
    counts[step] += 1
    energies[step] += pow(10, loudness / 10)
  }

  /// The integrated loudness in LUFS; −infinity if no block passes the gates.
  var integrated: Double {
    let all = loudness(from: 0)
    guard all.isFinite else { return all }
    let gate = all + Self.relativeGate, step = Self.step(gate)
    let isBelow = counts[step] > 0 && 10 * log10(energies[step] / Double(counts[step])) < gate
    return loudness(from: isBelow ? step + 1 : step)
  }

  /// Returns the loudness of the mean energy of all blocks from a step on.
  private func loudness(from step: Int) -> Double {
    let count = counts[step...].reduce(0, +)
    return count > 0 ? 10 * log10(energies[step...].reduce(0, +) / Double(count)) : -.infinity
  }

  private static func step(_ loudness: Double) -> Int {
    Int(min(max((loudness - absoluteGate) * stepsPerUnit, 0), Double(stepCount - 1)))
  }
}
