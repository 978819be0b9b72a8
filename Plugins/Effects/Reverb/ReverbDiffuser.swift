// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A diffuser: four all-pass filters in series (Schroeder 1962), which spread each sample in time and preserve the
/// level of every frequency.
@safe struct ReverbDiffuser: ~Copyable {
  static var stageCount: Int { @_noLocks @_noAllocation get { 4 } }
  /// Returns the length of a stage's loop in seconds. It differs slightly between the two sides.
  private static func seconds(_ stage: Int, side: Int) -> Double {
    let even = [0.001_73, 0.003_07, 0.004_61, 0.007_39], odd = [0.001_91, 0.002_83, 0.004_97, 0.006_89]
    return (side == 0 ? even : odd)[stage]
  }

  private let sliceLength: Int
  private let lines: UnsafeMutablePointer<ReverbLine>
  /// A slice for each stage, for frames from before the first one.
  private let spare: UnsafeMutablePointer<Float>

  /// Creates a diffuser with cleared state, for slices of up to `sliceLength` frames.
  init(side: Int, sampleRate: Double, sliceLength: Int) {
    unsafe lines = .allocate(capacity: Self.stageCount)
    for stage in 0..<Self.stageCount {
      let frames = max(sliceLength, Int(Self.seconds(stage, side: side) * sampleRate))
      unsafe (lines + stage).initialize(to: ReverbLine(longest: frames, sliceLength: sliceLength))
    }
    self.sliceLength = sliceLength
    unsafe spare = .allocate(capacity: Self.stageCount * sliceLength)
    unsafe spare.initialize(repeating: 0, count: Self.stageCount * sliceLength)
  }

  deinit {
    unsafe lines.deinitialize(count: Self.stageCount)
    unsafe lines.deallocate()
    unsafe spare.deallocate()
  }

  /// The length of the longest loop in frames.
  var longest: Int { @_noLocks @_noAllocation get { unsafe lines[Self.stageCount - 1].longest } }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() {
    for stage in 0..<Self.stageCount { unsafe lines[stage].clear() }
  }

  /// Returns the maximum feedback of each stage with which it rings no longer than `seconds` to −60 dB.
  @_noLocks @_noAllocation func bound(ringing seconds: Double, sampleRate: Double) -> SIMD4<Float> {
    var bounds = SIMD4<Float>()
    for stage in 0..<Self.stageCount {
      let rounds = unsafe seconds * sampleRate / Double(lines[stage].longest)
      bounds[stage] = Float(rt_exp_double(-6.907_755_278_982_137 / max(rounds, 1e-3)))
    }
    return bounds
  }

  /// Diffuses `count` frames in place, at most a slice.
  ///
  /// - Parameters:
  ///   - gains: the feedback of each stage at the start of the segment, and its growth until the end.
  ///   - shares: the progress of the segment at each frame, from 0 to 1.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ samples: UnsafeMutablePointer<Float>, count: Int, gains: (now: SIMD4<Float>, growth: SIMD4<Float>),
    shares: UnsafeMutablePointer<Float>
  ) {
    if gains.growth == SIMD4() {
      unsafe run(samples, count, gains, shares, isMoving: false)
    } else {
      unsafe run(samples, count, gains, shares, isMoving: true)
    }
    for stage in 0..<Self.stageCount { unsafe lines[stage].commit(count) }
  }

  /// Processes all stages in one loop. The lines are longer than a slice, so that no frame is read before it is
  /// written.
  @_noLocks @_noAllocation @inline(__always) private func run(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ gains: (now: SIMD4<Float>, growth: SIMD4<Float>),
    _ shares: UnsafeMutablePointer<Float>, isMoving: Bool
  ) {
    let one = unsafe loop(0, count), two = unsafe loop(1, count)
    let three = unsafe loop(2, count), four = unsafe loop(3, count)
    let (now, growth) = gains
    var frame = 0
    while frame < count {
      var sound = unsafe samples[fourFrom: frame], first = SIMD4(repeating: now.x)
      var second = SIMD4(repeating: now.y), third = SIMD4(repeating: now.z), fourth = SIMD4(repeating: now.w)
      if isMoving {
        let share = unsafe shares[fourFrom: frame]
        first += growth.x * share
        second += growth.y * share
        third += growth.z * share
        fourth += growth.w * share
      }
      unsafe Self.pass(&sound, one.old + frame, one.new + frame, first)
      unsafe Self.pass(&sound, two.old + frame, two.new + frame, second)
      unsafe Self.pass(&sound, three.old + frame, three.new + frame, third)
      unsafe Self.pass(&sound, four.old + frame, four.new + frame, fourth)
      unsafe samples[fourFrom: frame] = sound
      frame += 4
    }
  }

  /// Returns the delayed frames of a stage's loop, and the memory for its next frames.
  @_noLocks @_noAllocation @unsafe private func loop(_ stage: Int, _ count: Int) -> (
    old: UnsafePointer<Float>, new: UnsafeMutablePointer<Float>
  ) {
    let delay = unsafe lines[stage].longest, spare = unsafe spare + stage * sliceLength
    let old = unsafe lines[stage].frames(delay: delay, count: count, spare: spare)
    return unsafe (old, lines[stage].writeAddress)
  }

  /// Processes four frames by one stage.
  @_noLocks @_noAllocation @inline(__always) private static func pass(
    _ sound: inout SIMD4<Float>, _ old: UnsafePointer<Float>, _ new: UnsafeMutablePointer<Float>,
    _ gain: SIMD4<Float>
  ) {
    let before = unsafe old[fourFrom: 0], into = sound + gain * before
    unsafe new[fourFrom: 0] = into
    sound = before - gain * into
  }
}
