// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

// Gain computers. The formulas are those of D. Giannoulis, M. Massberg and J. D. Reiss, "Digital Dynamic Range
// Compressor Design: A Tutorial and Analysis", Journal of the Audio Engineering Society 60 (6), 2012. Gain is expressed
// as *reduction*: the attenuation in decibels, 0 or more.

/// The static curve of a compressor, the reduction at each level: the paper's equation 4.
struct GainCurve: BitwiseCopyable {
  /// The threshold in decibels, and the width of the knee around it.
  var threshold: Ramp, knee: Ramp
  /// The reduction for each decibel above the threshold.
  var slope: Ramp

  init(threshold: Float, ratio: Float, knee: Float) {
    self.threshold = Ramp(threshold)
    self.knee = Ramp(knee)
    slope = Ramp(Self.slope(ratio))
  }

  /// Returns the slope for a compression ratio of `ratio` : 1.
  @_noLocks @_noAllocation static func slope(_ ratio: Float) -> Float { 1 - 1 / max(ratio, 1) }

  /// Replaces `count` levels by reductions, and advances.
  @_noLocks @_noAllocation @unsafe mutating func run(_ levels: UnsafeMutablePointer<Float>, count: Int) {
    if threshold.isMoving || knee.isMoving || slope.isMoving {
      for frame in 0..<count {
        unsafe levels[frame] = Self.reduction(
          levels[frame], threshold: threshold.value(after: frame + 1), knee: knee.value(after: frame + 1),
          slope: slope.value(after: frame + 1))
      }
      threshold.skip(count)
      knee.skip(count)
      slope.skip(count)
    } else {
      let start = threshold.target, width = knee.target, taken = slope.target
      for frame in 0..<count {
        unsafe levels[frame] = Self.reduction(levels[frame], threshold: start, knee: width, slope: taken)
      }
    }
  }

  @_noLocks @_noAllocation mutating func finish() {
    threshold.finish()
    knee.finish()
    slope.finish()
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func reduction(_ level: Float, threshold: Float, knee: Float, slope: Float) -> Float {
    // A very narrow knee stands for none, so that there is no special case.
    let width = max(knee, 0.001), above = level - threshold + width / 2
    let within = min(max(above, 0), width)
    return slope * (within * within / (2 * width) + max(above - width, 0))
  }
}

/// Smooths the reduction with separate times for attack and release: the paper's smooth branching detector in the
/// logarithmic domain (equation 17), after the static curve.
struct GainFollower: BitwiseCopyable {
  /// The current reduction, in decibels.
  private(set) var reduction: Double
  /// The smoothing of a growing and of a shrinking reduction.
  var rise: Pace, fall: Pace

  /// Creates a follower at `reduction`. `rise` and `fall` are the time constants of a growing and a shrinking
  /// reduction, in milliseconds.
  init(_ sampleRate: Double, rise: Float, fall: Float, reduction: Float = 0) {
    self.reduction = Double(reduction)
    self.rise = Pace(rise, sampleRate)
    self.fall = Pace(fall, sampleRate)
  }

  /// Sets the reduction at once, and finishes all glides.
  @_noLocks @_noAllocation mutating func reset(to reduction: Float = 0) {
    self.reduction = Double(reduction)
    rise.finish()
    fall.finish()
  }

  /// Advances while the target and the current reduction are 0.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    rise.skip(frames)
    fall.skip(frames)
  }

  /// Replaces `count` target reductions by smoothed ones.
  ///
  /// - Returns: the largest of them.
  @_noLocks @_noAllocation @unsafe
  mutating func run(_ reductions: UnsafeMutablePointer<Float>, count: Int) -> Float {
    var now = reduction, most = 0.0
    if rise.isMoving || fall.isMoving {
      for frame in 0..<count {
        let there = unsafe Double(reductions[frame])
        let share = there > now ? rise.share(after: frame + 1) : fall.share(after: frame + 1)
        now = now * (1 - share) + there * share
        most = max(most, now)
        unsafe reductions[frame] = Float(now)
      }
      rise.skip(count)
      fall.skip(count)
    } else {
      // If `up` is at least `down`, the larger of both results is the right one, for a growing and for a shrinking
      // reduction; otherwise the smaller one is. So nothing depends on a comparison with the target. These conditional
      // expressions compile to one instruction each; `max` also distinguishes the signs of zeros.
      let up = rise.share, down = fall.share
      for frame in 0..<count {
        let there = unsafe Double(reductions[frame])
        let one = now * (1 - up) + there * up, other = now * (1 - down) + there * down
        now = up >= down ? (one > other ? one : other) : (one < other ? one : other)
        most = most > now ? most : now
        unsafe reductions[frame] = Float(now)
      }
    }
    reduction = now
    return Float(most)
  }
}

/// A smoothing coefficient, given by its time constant: the time in which 63 % of a change are complete. With 0 a
/// change is immediate.
///
/// A new time glides logarithmically: a change in progress would otherwise jump ahead.
struct Pace: BitwiseCopyable {
  /// The proportion of the remaining change that one frame completes, at rest.
  private(set) var share: Double
  /// The same in decibels, during a glide.
  private var level: Ramp
  private let sampleRate: Double

  init(_ milliseconds: Float, _ sampleRate: Double) {
    self.sampleRate = sampleRate
    share = Self.share(milliseconds, sampleRate)
    level = Ramp(Decibels.quickLevel(Float(share)))
  }

  var isMoving: Bool { @_noLocks @_noAllocation get { level.isMoving } }

  @_noLocks @_noAllocation mutating func glide(to milliseconds: Float, over frames: Int) {
    share = Self.share(milliseconds, sampleRate)
    level.glide(to: Decibels.quickLevel(Float(share)), over: frames)
  }

  @_noLocks @_noAllocation mutating func skip(_ frames: Int) { level.skip(frames) }
  @_noLocks @_noAllocation mutating func finish() { level.finish() }

  /// Returns the proportion of the remaining change that the frame `frames` frames from now completes.
  @_noLocks @_noAllocation @inline(__always) func share(after frames: Int) -> Double {
    frames < level.remaining ? Double(Decibels.quickAmplitude(level.value(after: frames))) : share
  }

  @_noLocks @_noAllocation private static func share(_ milliseconds: Float, _ sampleRate: Double) -> Double {
    milliseconds > 0 ? 1 - rt_exp_double(-1000 / (Double(milliseconds) * sampleRate)) : 1
  }
}

/// A trigger with hysteresis: it turns on when a level reaches a threshold, and off when the level has stayed below a
/// lower threshold for a hold time.
struct Trigger: BitwiseCopyable {
  /// Whether the trigger is on.
  private(set) var isOn = false
  private var left = 0

  @_noLocks @_noAllocation init() {}

  /// Processes one frame: the trigger turns on at `upper`, and off after `hold` frames below `lower`.
  @_noLocks @_noAllocation @inline(__always)
  mutating func next(_ level: Float, upper: Float, lower: Float, hold: Int) -> Bool {
    if level >= (isOn ? lower : upper) {
      isOn = true
      left = hold
    } else if left > 0 {
      left -= 1
    } else {
      isOn = false
    }
    return isOn
  }
}
