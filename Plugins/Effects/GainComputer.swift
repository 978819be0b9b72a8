// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

// What makes a gain of a level. The formulas are those of D. Giannoulis, M. Massberg and J. D. Reiss, "Digital
// Dynamic Range Compressor Design: A Tutorial and Analysis", Journal of the Audio Engineering Society 60 (6),
// 2012. Gain is counted as *reduction*: decibels taken away, 0 or more.

/// How much a compressor takes away at each level, once all has settled: the paper's equation 4.
struct GainCurve: BitwiseCopyable {
  /// Where it begins, and over how many decibels around there it bends.
  var threshold: Ramp, knee: Ramp
  /// How much it takes of each decibel above.
  var slope: Ramp

  init(threshold: Float, ratio: Float, knee: Float) {
    self.threshold = Ramp(threshold)
    self.knee = Ramp(knee)
    slope = Ramp(Self.slope(ratio))
  }

  /// How much of each decibel is taken so that `ratio` decibels become one.
  @_noLocks @_noAllocation static func slope(_ ratio: Float) -> Float { 1 - 1 / max(ratio, 1) }

  /// Turns `count` levels into reductions, and moves on.
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
    // A knee of nothing is one too narrow to matter: no case of its own.
    let width = max(knee, 0.001), above = level - threshold + width / 2
    let within = min(max(above, 0), width)
    return slope * (within * within / (2 * width) + max(above - width, 0))
  }
}

/// Follows the reduction that is asked for, in one time up and in another down: the paper's smooth branching
/// detector in the logarithmic domain (equation 17), behind the gain computer.
struct GainFollower: BitwiseCopyable {
  /// What is taken away now, in decibels.
  private(set) var reduction: Double
  /// How fast it goes to more reduction, and to less.
  var rise: Pace, fall: Pace

  /// A follower that takes `reduction` away, and needs so many milliseconds to more and to less.
  init(_ sampleRate: Double, rise: Float, fall: Float, reduction: Float = 0) {
    self.reduction = Double(reduction)
    self.rise = Pace(rise, sampleRate)
    self.fall = Pace(fall, sampleRate)
  }

  /// Is at `reduction` at once, and finishes its glides.
  @_noLocks @_noAllocation mutating func reset(to reduction: Float = 0) {
    self.reduction = Double(reduction)
    rise.finish()
    fall.finish()
  }

  /// Moves on where nothing is asked for and nothing is left.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    rise.skip(frames)
    fall.skip(frames)
  }

  /// Turns `count` reductions that are asked for into those there are.
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
      // Whoever goes faster upwards is above wherever the way leads up, and below wherever it leads down: so
      // the larger of both ends is right, and nothing waits for a comparison. Written out, larger and smaller
      // are one instruction each; `max` also tells zeros apart.
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

/// How fast something goes where it is going, as the time in which 63 % of the way are done; at 0 it is there
/// at once.
///
/// A new time glides by equal ratios: a change under way would otherwise jump ahead.
struct Pace: BitwiseCopyable {
  /// What part of the way is gone in one frame, at rest.
  private(set) var share: Double
  /// The same in decibels, on the move.
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

  /// What part of the way is gone in the frame that is so many frames from now.
  @_noLocks @_noAllocation @inline(__always) func share(after frames: Int) -> Double {
    frames < level.remaining ? Double(Decibels.quickAmplitude(level.value(after: frames))) : share
  }

  @_noLocks @_noAllocation private static func share(_ milliseconds: Float, _ sampleRate: Double) -> Double {
    milliseconds > 0 ? 1 - rt_exp_double(-1000 / (Double(milliseconds) * sampleRate)) : 1
  }
}

/// Turns on where a level reaches a threshold, and off once it has stayed below a lower one for a while.
struct Trigger: BitwiseCopyable {
  /// Whether it is on.
  private(set) var isOn = false
  private var left = 0

  @_noLocks @_noAllocation init() {}

  /// Takes one frame: on from `upper` up, off after `hold` frames below `lower`.
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
