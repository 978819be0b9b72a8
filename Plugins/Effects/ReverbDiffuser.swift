// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Turns each sample into a cloud: four all-pass filters in a row (Schroeder 1962), which let every frequency
/// pass as loud as it came.
@safe struct ReverbDiffuser: ~Copyable {
  static var stageCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// The loops' lengths in seconds, those of odd sides a little apart from those of even ones.
  private static func seconds(_ stage: Int, side: Int) -> Double {
    let even = [0.001_73, 0.003_07, 0.004_61, 0.007_39], odd = [0.001_91, 0.002_83, 0.004_97, 0.006_89]
    return (side == 0 ? even : odd)[stage]
  }

  private let lines: UnsafeMutablePointer<DelayLine>
  private let loop: UnsafeMutablePointer<Float>

  /// A diffuser that has heard nothing, for stretches of up to `stretch` frames.
  init(side: Int, sampleRate: Double, stretch: Int) {
    unsafe lines = .allocate(capacity: Self.stageCount)
    for stage in 0..<Self.stageCount {
      let frames = max(stretch, Int(Self.seconds(stage, side: side) * sampleRate))
      unsafe (lines + stage).initialize(to: DelayLine(longest: frames))
    }
    unsafe loop = .allocate(capacity: stretch)
    unsafe loop.initialize(repeating: 0, count: stretch)
  }

  deinit {
    unsafe lines.deinitialize(count: Self.stageCount)
    unsafe lines.deallocate()
    unsafe loop.deallocate()
  }

  /// For how many frames the longest loop goes round.
  var longest: Int { @_noLocks @_noAllocation get { unsafe lines[Self.stageCount - 1].longest } }

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() {
    for stage in 0..<Self.stageCount { unsafe lines[stage].clear() }
  }

  /// The most that each stage may feed back, so that none rings longer than `seconds` to −60 dB.
  @_noLocks @_noAllocation func bound(ringing seconds: Double, sampleRate: Double) -> SIMD4<Float> {
    var bounds = SIMD4<Float>()
    for stage in 0..<Self.stageCount {
      let rounds = unsafe seconds * sampleRate / Double(lines[stage].longest)
      bounds[stage] = Float(rt_exp_double(-6.907_755_278_982_137 / max(rounds, 1e-3)))
    }
    return bounds
  }

  /// Diffuses `count` frames in place, no more than a stretch.
  ///
  /// - Parameters:
  ///   - gains: what each stage feeds back as the segment begins, and what that grows by until it ends.
  ///   - shares: how far the segment has come at each frame, from 0 to 1.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ samples: UnsafeMutablePointer<Float>, count: Int, gains: (now: SIMD4<Float>, growth: SIMD4<Float>),
    shares: UnsafeMutablePointer<Float>
  ) {
    for stage in 0..<Self.stageCount {
      let delay = unsafe lines[stage].longest, gain = gains.now[stage], growth = gains.growth[stage]
      // The oldest frames lie where the newest go: most often they can be turned into them on the spot.
      if count % 8 == 0, unsafe lines[stage].peek(delay: delay, count: count) != nil,
        let loop = unsafe lines[stage].room(for: count)
      {
        unsafe Self.run(samples, loop, count, gain, growth, shares)
        unsafe lines[stage].pass(count)
      } else {
        unsafe lines[stage].read(loop, delay: delay, count: count)
        unsafe Self.run(samples, loop, count, gain, growth, shares)
        unsafe lines[stage].write(loop, count: count)
      }
    }
  }

  /// Runs one stage. What has gone round the loop is in `loop`, and what goes into it again comes out there.
  @_noLocks @_noAllocation @inline(__always) private static func run(
    _ samples: UnsafeMutablePointer<Float>, _ loop: UnsafeMutablePointer<Float>, _ count: Int, _ gain: Float,
    _ growth: Float, _ shares: UnsafeMutablePointer<Float>
  ) {
    var frame = 0
    while frame < count {
      let old = unsafe loop[eightFrom: frame], factor = unsafe gain + growth * shares[eightFrom: frame]
      let into = unsafe samples[eightFrom: frame] + factor * old
      unsafe loop[eightFrom: frame] = into
      unsafe samples[eightFrom: frame] = old - factor * into
      frame += 8
    }
  }
}
