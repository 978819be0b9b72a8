// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The modulated delays of chorus and flanger.
///
/// Each channel has a line with feedback, read by up to four voices whose delays move between `delay` and
/// `delay + depth`, each with a different phase. The feedback is the mean of the voices, so that the loop gain does not
/// depend on their number. The output is this mean times the square root of their number.
@safe struct ModulatedDelay: ~Copyable {
  static var mostVoices: Int { @_noLocks @_noAllocation get { 4 } }
  /// The number of frames in a slice.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }
  /// The minimum delay in frames: the interpolation needs frames on both sides.
  private static var shortest: Double { @_noLocks @_noAllocation get { 2 } }

  var lfo: LFO
  var feedback: Ramp, mix: Ramp
  /// The phase lead of each channel over the previous one, in cycles.
  var turn: FineRamp
  private var delay: FineRamp, depth: FineRamp
  private var loudness = Ramp(1)
  private let framesPerMillisecond: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<FractionalDelayLine>
  /// The proportion of each voice in the mean. The sum is 1, also during a crossfade.
  private let shares: UnsafeMutablePointer<Ramp>
  private let phases: UnsafeMutablePointer<UInt64>, turns: UnsafeMutablePointer<UInt64>
  private let edges: UnsafeMutablePointer<Double>
  private let nearest: UnsafeMutablePointer<Double>, widths: UnsafeMutablePointer<Double>
  private let echo: UnsafeMutablePointer<Float>, loop: UnsafeMutablePointer<Float>

  /// Creates silent lines with one voice, no feedback and no depth.
  ///
  /// - Parameter longest: the largest sum of delay and depth, in milliseconds.
  init(channelCount: Int, longest: Double, rate: Float, sampleRate: Double) {
    self.channelCount = channelCount
    framesPerMillisecond = sampleRate / 1000
    lfo = LFO(rate: rate, sampleRate: sampleRate)
    feedback = Ramp(0)
    mix = Ramp(0)
    turn = FineRamp(0)
    delay = FineRamp(Self.shortest)
    depth = FineRamp(0)
    unsafe lines = .allocate(capacity: channelCount)
    let frames = Int(longest * framesPerMillisecond + Self.shortest) + 2
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: FractionalDelayLine(longest: frames, stretch: Self.stretch))
    }
    unsafe shares = .allocate(capacity: Self.mostVoices)
    for voice in 0..<Self.mostVoices { unsafe (shares + voice).initialize(to: Ramp(voice == 0 ? 1 : 0)) }
    unsafe phases = .allocate(capacity: 2 * Self.stretch)
    unsafe phases.initialize(repeating: 0, count: 2 * Self.stretch)
    unsafe turns = unsafe phases + Self.stretch
    unsafe edges = .allocate(capacity: 3 * Self.stretch)
    unsafe edges.initialize(repeating: 0, count: 3 * Self.stretch)
    unsafe nearest = unsafe edges + Self.stretch
    unsafe widths = unsafe nearest + Self.stretch
    unsafe echo = .allocate(capacity: 2 * Self.stretch)
    unsafe echo.initialize(repeating: 0, count: 2 * Self.stretch)
    unsafe loop = unsafe echo + Self.stretch
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe shares.deallocate()
    unsafe phases.deallocate()
    unsafe edges.deallocate()
    unsafe echo.deallocate()
  }

  /// The number of frames until repeats are 140 dB below the input.
  ///
  /// A read point that moves `s` frames in each frame amplifies the signal by up to 1/√(1 − s), because time runs
  /// slower there. If this compensates the loss of the feedback, the tail is unlimited.
  var tail: Int {
    @_noLocks @_noAllocation get {
      let speed = .pi * Double(lfo.rate.target) * depth.target / (framesPerMillisecond * 1000)
      let loss = abs(Double(feedback.target)) / rt_sqrt_double(max(1 - speed, 1e-9))
      guard loss < 0.999 else { return feedback.target == 0 ? longestNow : .max }
      let repeats = loss > 1e-7 ? 2 + Int(-7 / Double(rt_log10(Float(loss)))) : 1
      return repeats * longestNow
    }
  }

  private var longestNow: Int { @_noLocks @_noAllocation get { Int(delay.target + depth.target) + 4 } }

  /// Glides to a minimum delay in milliseconds; at least two frames.
  @_noLocks @_noAllocation mutating func setDelay(_ milliseconds: Float, over frames: Int) {
    delay.glide(to: max(Double(milliseconds) * framesPerMillisecond, Self.shortest), over: frames)
  }

  /// Glides to a depth in milliseconds: the difference between longest and shortest delay.
  @_noLocks @_noAllocation mutating func setDepth(_ milliseconds: Float, over frames: Int) {
    depth.glide(to: Double(milliseconds) * framesPerMillisecond, over: frames)
  }

  /// Crossfades to a number of voices, from 1 to 4.
  @_noLocks @_noAllocation mutating func setVoices(_ count: Float, over frames: Int) {
    let count = count > 1 ? min(Int(min(count, 4) + 0.5), Self.mostVoices) : 1
    for voice in 0..<Self.mostVoices {
      unsafe shares[voice].glide(to: voice < count ? 1 / Float(count) : 0, over: frames)
    }
    loudness.glide(to: rt_sqrt(Float(count)), over: frames)
  }

  /// Clears all state, finishes all glides and restarts the LFO.
  @_noLocks @_noAllocation mutating func reset() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    for voice in 0..<Self.mostVoices { unsafe shares[voice].finish() }
    lfo.reset()
    feedback.finish()
    mix.finish()
    turn.finish()
    delay.finish()
    depth.finish()
    loudness.finish()
  }

  /// Processes a block, from its main input to its main output.
  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      // The slice ends before frames that are not yet written, with a margin of one frame for rounding.
      let written = Int(min(delay.value(after: 0), delay.target)) - 2
      let count = min(min(Self.stretch, block.frameCount - start), max(written, 1))
      swing(count)
      for channel in 0..<channelCount { work(block.slice(from: start, count: count), channel) }
      for voice in 0..<Self.mostVoices { unsafe shares[voice].skip(count) }
      feedback.skip(count)
      mix.skip(count)
      loudness.skip(count)
      start += count
    }
  }

  /// Computes the LFO's phases and the voices' delay ranges for the next `count` frames.
  @_noLocks @_noAllocation private mutating func swing(_ count: Int) {
    unsafe lfo.run(phases, edges: edges, count: count)
    for frame in 0..<count {
      unsafe nearest[frame] = delay.value(after: frame + 1)
      unsafe widths[frame] = depth.value(after: frame + 1) / 2
      unsafe turns[frame] = LFO.phase(turn.value(after: frame + 1))
    }
    delay.skip(count)
    depth.skip(count)
    turn.skip(count)
  }

  @_noLocks @_noAllocation private mutating func work(_ block: Block, _ channel: Int) {
    let dry = block.input()[channel], wet = block.output()[channel], count = block.frameCount
    unsafe rt_clear_floats(echo, count)
    for voice in 0..<Self.mostVoices {
      let share = unsafe shares[voice]
      if share.isMoving || share.target > 0 { read(channel, voice, share, count) }
    }
    let moves = mix.isMoving || feedback.isMoving || loudness.isMoving
    for frame in 0..<count {
      let sample = dry[clean: frame], mean = unsafe echo[frame], there = frame + 1
      let amount = moves ? mix.value(after: there) : mix.target
      let back = moves ? feedback.value(after: there) : feedback.target
      let loud = moves ? loudness.value(after: there) : loudness.target
      unsafe loop[frame] = LoopSaturation.bend(sample + mean * back)
      wet[frame] = sample * (1 - amount) + mean * loud * amount
    }
    unsafe lines[channel].write(loop, count: count)
  }

  /// Adds a voice in its proportion. The voices have the phases 0, ½, ¼ and ¾ of a cycle, which are evenly spaced for
  /// one, two and four voices.
  @_noLocks @_noAllocation
  private mutating func read(_ channel: Int, _ voice: Int, _ share: Ramp, _ count: Int) {
    let place: UInt64 = (voice & 1 == 0 ? 0 : 1 << 63) &+ (voice < 2 ? 0 : 1 << 62)
    let ahead = UInt64(truncatingIfNeeded: channel), moves = share.isMoving
    for frame in 0..<count {
      let phase = unsafe phases[frame] &+ turns[frame] &* ahead &+ place
      let height = unsafe 1 + LFO.value(phase, edge: edges[frame])
      let delay = unsafe max(nearest[frame] + widths[frame] * height, Self.shortest)
      let sample = unsafe lines[channel].read(delay: delay, ahead: frame)
      unsafe echo[frame] += sample * (moves ? share.value(after: frame + 1) : share.target)
    }
  }
}
