// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Repeats sound after a time, darker with each repeat.
///
/// Each repeat passes the low-pass once more; feedback says how loud it is against the one before, and turns
/// it upside down where it is negative. The loop is straight up to 12 dB above full scale, bends from there
/// and never passes 18 dB, so that it stays whole at 100 % whatever comes in. A new time crossfades from the
/// old read point to the new one: no click, no change of pitch; on a long way it does so in steps. Any number
/// of channels from 1 to 64, each with its own line.
@safe public struct Delay: EffectUnit, ~Copyable {
  /// What can be set.
  public enum Parameter: Int, ParameterSet {
    /// Until the first repeat, in milliseconds, to the nearest frame; at least one frame.
    case time
    /// How loud a repeat is against the one before, in percent.
    case feedback
    /// What each repeat keeps: below this frequency in hertz. At 20 kHz all of it.
    case lowPass
    /// How much of what comes out is repeats, in percent.
    case mix
  }

  /// How many frames are worked on at once.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<DelayLine>
  private let filters: UnsafeMutablePointer<OnePole>
  private let echo: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>
  private var points: ReadPoints
  private var feedback: Ramp, share: Ramp, mix: Ramp

  public init(_ layout: Layout) throws(UnitError) {
    try layout.require()
    try layout.requireMatching()
    sampleRate = layout.sampleRate
    channelCount = layout.outputs.first ?? 1
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      let longest = Self.frames(Self.longestTime, sampleRate)
      unsafe (lines + channel).initialize(to: DelayLine(longest: longest))
    }
    unsafe filters = .allocate(capacity: channelCount)
    unsafe filters.initialize(repeating: OnePole(), count: channelCount)
    unsafe echo = .allocate(capacity: 2 * Self.stretch)
    unsafe echo.initialize(repeating: 0, count: 2 * Self.stretch)
    unsafe second = unsafe echo + Self.stretch
    points = ReadPoints(
      delay: Self.frames(Self.initial.time, sampleRate), longestFade: Int(Self.longestFade * sampleRate))
    feedback = Ramp(Self.initial.feedback / 100)
    share = Ramp(Self.share(Self.initial.lowPass, sampleRate))
    mix = Ramp(Self.initial.mix / 100)
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe filters.deallocate()
    unsafe echo.deallocate()
  }

  /// Until repeats lie 140 dB below what came in.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let loss = abs(feedback.target)
      guard loss < 1 else { return .max }
      let repeats = loss > 1e-7 ? 2 + Int(-7 / rt_log10(loss)) : 1
      return repeats * (points.target + 2 + Int(16.2 / max(share.target, 1e-6)))
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    for channel in 0..<channelCount {
      unsafe lines[channel].clear()
      unsafe filters[channel] = OnePole()
    }
    points.arrive()
    feedback.finish()
    share.finish()
    mix.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .time: points.glide(to: Self.frames(value, sampleRate), over: frames)
    case .feedback: feedback.glide(to: value / 100, over: frames)
    case .lowPass: share.glide(to: Self.share(value, sampleRate), over: frames)
    case .mix: mix.glide(to: value / 100, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      let count = points.begin(min(Self.stretch, block.frameCount - start))
      for channel in 0..<channelCount { work(block.slice(from: start, count: count), channel) }
      points.advance(count)
      feedback.skip(count)
      share.skip(count)
      mix.skip(count)
      start += count
    }
  }

  /// Takes one channel through the loop, at most a stretch of frames and no longer than the delay.
  @_noLocks @_noAllocation private mutating func work(_ block: Block, _ channel: Int) {
    let dry = block.input()[channel], wet = block.output()[channel], count = block.frameCount
    unsafe lines[channel].read(echo, delay: points.delay, count: count)
    if points.isFading {
      unsafe lines[channel].read(second, delay: points.next, count: count)
      for frame in 0..<count {
        unsafe echo[frame] += (second[frame] - echo[frame]) * points.fade.value(after: frame + 1)
      }
    }
    darken(channel, count)
    for frame in 0..<count {
      let sample = dry[clean: frame], repeated = unsafe echo[frame], amount = mix.value(after: frame + 1)
      unsafe second[frame] = LoopBend.bend(sample + repeated * feedback.value(after: frame + 1))
      wet[frame] = sample * (1 - amount) + repeated * amount
    }
    unsafe lines[channel].write(second, count: count)
  }

  @_noLocks @_noAllocation private mutating func darken(_ channel: Int, _ count: Int) {
    var filter = unsafe filters[channel]
    if share.isMoving {
      for frame in 0..<count {
        unsafe echo[frame] = filter.next(echo[frame], share: Double(share.value(after: frame + 1)))
      }
    } else {
      let kept = Double(share.target)
      for frame in 0..<count { unsafe echo[frame] = filter.next(echo[frame], share: kept) }
    }
    unsafe filters[channel] = filter
  }

  @_noLocks @_noAllocation private static func frames(_ milliseconds: Float, _ sampleRate: Double) -> Int {
    max(1, Int(rt_floor_double(Double(milliseconds) * sampleRate / 1000 + 0.5)))
  }

  @_noLocks @_noAllocation private static func share(_ frequency: Float, _ sampleRate: Double) -> Float {
    guard frequency < openLowPass else { return 1 }
    return Float(OnePole.share(frequency: Double(frequency), sampleRate: sampleRate))
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Delay, _ block: Block) {
  unit.set(.time, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
