// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Delays that swing: what chorus and flanger are made of.
///
/// Each channel has a line with feedback, read by up to four voices whose delays swing between `delay` and
/// `delay + depth`, each at another point of the cycle. What feeds back is the voices' mean, so that no
/// number of voices makes the loop louder; what is heard is that mean times the root of their number.
@safe struct SwingingDelay: ~Copyable {
  static var mostVoices: Int { @_noLocks @_noAllocation get { 4 } }
  /// The number of frames in a slice.
  private static var stretch: Int { @_noLocks @_noAllocation get { 64 } }
  /// The shortest delay, in frames: interpolation needs a frame on either side.
  private static var shortest: Double { @_noLocks @_noAllocation get { 2 } }

  var lfo: LFO
  var feedback: Ramp, mix: Ramp
  /// How much of a cycle each channel is ahead of the one before.
  var turn: EasedRamp
  private var delay: EasedRamp, depth: EasedRamp
  private var loudness = Ramp(1)
  private let framesPerMillisecond: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<GlidingLine>
  /// Each voice's share of the mean. They sum to 1, on the way too.
  private let shares: UnsafeMutablePointer<Ramp>
  private let phases: UnsafeMutablePointer<UInt64>, turns: UnsafeMutablePointer<UInt64>
  private let edges: UnsafeMutablePointer<Double>
  private let nearest: UnsafeMutablePointer<Double>, widths: UnsafeMutablePointer<Double>
  private let echo: UnsafeMutablePointer<Float>, loop: UnsafeMutablePointer<Float>

  /// Silent lines, one voice, no feedback and no depth.
  ///
  /// - Parameter longest: the largest sum of delay and depth, in milliseconds.
  init(channelCount: Int, longest: Double, rate: Float, sampleRate: Double) {
    self.channelCount = channelCount
    framesPerMillisecond = sampleRate / 1000
    lfo = LFO(rate: rate, sampleRate: sampleRate)
    feedback = Ramp(0)
    mix = Ramp(0)
    turn = EasedRamp(0)
    delay = EasedRamp(Self.shortest)
    depth = EasedRamp(0)
    unsafe lines = .allocate(capacity: channelCount)
    let frames = Int(longest * framesPerMillisecond + Self.shortest) + 2
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: GlidingLine(longest: frames, stretch: Self.stretch))
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

  /// Until repeats lie 140 dB below what came in.
  ///
  /// A read point that moves `s` frames a frame makes sound up to 1/√(1 − s) as strong: time runs slower
  /// there. Where that makes up for what the feedback takes away, nothing is promised.
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

  /// Heads for a shortest delay in milliseconds; at least two frames.
  @_noLocks @_noAllocation mutating func setDelay(_ milliseconds: Float, over frames: Int) {
    delay.glide(to: max(Double(milliseconds) * framesPerMillisecond, Self.shortest), over: frames)
  }

  /// Heads for a depth in milliseconds: how much longer the longest delay is.
  @_noLocks @_noAllocation mutating func setDepth(_ milliseconds: Float, over frames: Int) {
    depth.glide(to: Double(milliseconds) * framesPerMillisecond, over: frames)
  }

  /// Fades to so many voices, from 1 to 4.
  @_noLocks @_noAllocation mutating func setVoices(_ count: Float, over frames: Int) {
    let count = count > 1 ? min(Int(min(count, 4) + 0.5), Self.mostVoices) : 1
    for voice in 0..<Self.mostVoices {
      unsafe shares[voice].glide(to: voice < count ? 1 / Float(count) : 0, over: frames)
    }
    loudness.glide(to: rt_sqrt(Float(count)), over: frames)
  }

  /// Forgets all sound, finishes all glides and begins the cycle anew.
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

  /// Works on a block, from its main input to its main output.
  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      // No further than sound that is yet to be written; a frame to spare for rounding.
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

  /// Lays out where the next `count` frames stand in the cycle, and how far the voices swing.
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
    for frame in 0..<count {
      let sample = dry[clean: frame], mean = unsafe echo[frame]
      let amount = mix.value(after: frame + 1)
      unsafe loop[frame] = LoopBend.bend(sample + mean * feedback.value(after: frame + 1))
      wet[frame] = sample * (1 - amount) + mean * loudness.value(after: frame + 1) * amount
    }
    unsafe lines[channel].write(loop, count: count)
  }

  /// Adds a voice's share. Voices stand at 0, ½, ¼ and ¾ of a cycle: evenly for one, two and four.
  @_noLocks @_noAllocation
  private mutating func read(_ channel: Int, _ voice: Int, _ share: Ramp, _ count: Int) {
    let place: UInt64 = (voice & 1 == 0 ? 0 : 1 << 63) &+ (voice < 2 ? 0 : 1 << 62)
    let ahead = UInt64(truncatingIfNeeded: channel)
    for frame in 0..<count {
      let phase = unsafe phases[frame] &+ turns[frame] &* ahead &+ place
      let height = unsafe 1 + LFO.value(phase, edge: edges[frame])
      let delay = unsafe max(nearest[frame] + widths[frame] * height, Self.shortest)
      let sample = unsafe lines[channel].read(delay: delay, ahead: frame)
      unsafe echo[frame] += sample * share.value(after: frame + 1)
    }
  }
}
