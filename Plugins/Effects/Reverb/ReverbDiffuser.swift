// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A diffuser: four all-pass filters in series (Schroeder 1962), which spread each sample in time and preserve the
/// level of every frequency.
///
/// Their loops decay at the same rate as the tail. So they add no echoes to the tail: relative to its decay, they are
/// all-pass filters.
@safe struct ReverbDiffuser: ~Copyable {
  /// The factors of the stages.
  struct Gains: BitwiseCopyable {
    /// The feedback and the loss of each stage's loop, and the gain that compensates the loss of energy.
    var feedback = SIMD4<Float>(), keep = SIMD4<Float>(repeating: 1), lift: Float = 1
    /// Whether the gains change in the segment of which this is the growth.
    var isMoving: Bool {
      @_noLocks @_noAllocation get { feedback != SIMD4() || keep != SIMD4() || lift != 0 }
    }

    /// Creates gains that pass the signal after its delays.
    @_noLocks @_noAllocation init() {}

    /// Creates gains from a feedback, and the losses of the loops.
    @_noLocks @_noAllocation init(feedback: SIMD4<Float>, keep: SIMD4<Float>) {
      self.feedback = feedback
      self.keep = keep
      // The response of a stage is −g, then (1 − g²)·γ·(gγ)ⁿ.
      let squares = feedback * feedback, kept = keep * keep, rest = 1 - squares
      let energies = squares + rest * rest * kept / (1 - squares * kept)
      lift = 1 / rt_sqrt(energies[0] * energies[1] * energies[2] * energies[3])
    }

    /// Returns the gains plus `growth` times `share`.
    @_noLocks @_noAllocation func grown(by growth: Self, _ share: Float) -> Self {
      var gains = self
      gains.feedback += growth.feedback * share
      gains.keep += growth.keep * share
      gains.lift += growth.lift * share
      return gains
    }

    /// Returns the growth from other gains to these.
    @_noLocks @_noAllocation func growth(from other: Self) -> Self { grown(by: other, -1) }
  }

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

  /// Returns the gains for a feedback. It is limited so that no stage rings longer than `longest` seconds to −60 dB.
  ///
  /// - Parameter time: the decay time of the tail to −60 dB, in seconds.
  @_noLocks @_noAllocation
  func gains(feedback: Float, ringing longest: Double, time: Double, sampleRate: Double) -> Gains {
    var bounds = SIMD4<Float>(), keep = SIMD4<Float>()
    for stage in 0..<Self.stageCount {
      let seconds = unsafe Double(lines[stage].longest) / sampleRate
      bounds[stage] = Float(rt_exp_double(-6.907_755_278_982_137 * min(seconds / longest, 100)))
      keep[stage] = Float(rt_exp_double(-6.907_755_278_982_137 * seconds / time))
    }
    let requested = SIMD4(repeating: feedback)
    return Gains(feedback: requested.replacing(with: bounds, where: requested .> bounds), keep: keep)
  }

  /// Diffuses `count` frames in place, at most a slice.
  ///
  /// - Parameters:
  ///   - gains: the gains at the start of the segment, and their growth until the end.
  ///   - shares: the progress of the segment at each frame, from 0 to 1.
  @_noLocks @_noAllocation @unsafe mutating func run(
    _ samples: UnsafeMutablePointer<Float>, count: Int, gains: (now: Gains, growth: Gains),
    shares: UnsafeMutablePointer<Float>
  ) {
    if gains.growth.isMoving {
      unsafe run(samples, count, gains, shares, isMoving: true)
    } else {
      unsafe run(samples, count, gains, shares, isMoving: false)
    }
    for stage in 0..<Self.stageCount { unsafe lines[stage].commit(count) }
  }

  /// Processes all stages in one loop. The lines are longer than a slice, so that no frame is read before it is
  /// written.
  @_noLocks @_noAllocation @inline(__always) private func run(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ gains: (now: Gains, growth: Gains),
    _ shares: UnsafeMutablePointer<Float>, isMoving: Bool
  ) {
    let one = unsafe loop(0, count), two = unsafe loop(1, count)
    let three = unsafe loop(2, count), four = unsafe loop(3, count)
    let (now, growth) = gains
    var frame = 0
    while frame < count {
      // At rest the growth is a constant zero, so that no products remain.
      var sound = unsafe samples[fourFrom: frame]
      let share = unsafe isMoving ? shares[fourFrom: frame] : SIMD4()
      unsafe Self.pass(&sound, one.old + frame, one.new + frame, now, growth, 0, share)
      unsafe Self.pass(&sound, two.old + frame, two.new + frame, now, growth, 1, share)
      unsafe Self.pass(&sound, three.old + frame, three.new + frame, now, growth, 2, share)
      unsafe Self.pass(&sound, four.old + frame, four.new + frame, now, growth, 3, share)
      unsafe samples[fourFrom: frame] = sound * (now.lift + growth.lift * share)
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
    _ now: Gains, _ growth: Gains, _ stage: Int, _ share: SIMD4<Float>
  ) {
    let gain = now.feedback[stage] + growth.feedback[stage] * share
    let before = unsafe old[fourFrom: 0] * (now.keep[stage] + growth.keep[stage] * share)
    let into = sound + gain * before
    unsafe new[fourFrom: 0] = into
    sound = before - gain * into
  }
}
