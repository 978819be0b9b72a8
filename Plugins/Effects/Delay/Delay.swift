// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A delay: repeats the signal after a time, with less treble and bass in each repeat.
///
/// Each repeat passes the two filters once more. The feedback is the level of a repeat relative to the one before; if
/// it is negative, each repeat is inverted. The loop is linear up to 12 dB above full scale, saturates from there, and
/// is limited to 18 dB, so that it is stable at 100 %. In stereo, repeats can alternate between the sides.
///
/// The time is a value, or a note of the transport's tempo if there is one; a note longer than ten seconds is halved
/// until it fits. A step of the time crossfades from the old read point to the new one, without a change of pitch; along
/// a ramp, the read point moves. On tape the read point moves in both cases, as a tape head does, and bends the pitch.
/// 1 to 64 channels.
@safe public struct Delay: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The time until the first repeat, in milliseconds, rounded to frames; at least one frame.
    case time
    /// The level of a repeat relative to the one before, in percent.
    case feedback
    /// The cutoff of the low-pass that each repeat passes, in hertz. At 20 kHz it is off.
    case lowPass
    /// The proportion of repeats in the output, in percent.
    case mix
    /// The note value that sets the time; 0: the parameter `time` sets it.
    case sync
    /// The transition to a new time: 0 crossfade, 1 tape.
    case change
    /// The cutoff of the high-pass that each repeat passes, in hertz. At 10 Hz it is off.
    case highPass
    /// The side of the repeats: 0 that of their source, 1 alternating from the left, 2 alternating from the right.
    case pingPong
  }

  /// The number of frames in a slice.
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The filters of each pair of channels. An odd last channel is paired with silence.
  private let cuts: UnsafeMutablePointer<LoopFilters>
  /// Slices: the repeats of both channels of a pair, and the target of a crossfade.
  private let left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  private let next: UnsafeMutablePointer<Float>
  private var window: TapeWindow
  private var points: ReadPoints
  private var time: Float, note = 0
  /// The transport of the previous block, for its tempo and beat unit.
  private var transport = Transport()
  private var isFresh = true
  private var mix: LoopMix
  /// The coefficients of the filters: see ``LoopFilters``.
  private var kept: Ramp, followed: Ramp, cut = Ramp(0)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    sampleRate = layout.sampleRate
    channelCount = layout.outputs.first ?? 1
    let longest = ReadPoints.frames(Double(Self.longestTime), sampleRate)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: longest + TapeWindow.margin))
    }
    unsafe cuts = .allocate(capacity: (channelCount + 1) / 2)
    unsafe cuts.initialize(repeating: LoopFilters(), count: (channelCount + 1) / 2)
    unsafe left = .allocate(capacity: 3 * Self.sliceLength)
    unsafe left.initialize(repeating: 0, count: 3 * Self.sliceLength)
    unsafe right = unsafe left + Self.sliceLength
    unsafe next = unsafe right + Self.sliceLength
    window = TapeWindow(sliceLength: Self.sliceLength)
    time = Self.initial.time
    points = ReadPoints(
      delay: max(ReadPoints.frames(Double(time), sampleRate), 1),
      longestFade: Int(Self.longestFade * sampleRate),
      head: TapeHead(longest: longest, sampleRate: sampleRate))
    mix = LoopMix(feedback: Self.initial.feedback / 100, mix: Self.initial.mix / 100)
    kept = Ramp(Self.kept(Self.initial.lowPass, sampleRate))
    followed = Ramp(HighPass.share(Self.openHighPass, sampleRate))
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe cuts.deallocate()
    unsafe left.deallocate()
  }

  /// The number of frames until repeats are 140 dB below the input. If the time follows the tempo, the longest time is
  /// assumed.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      let loss = abs(mix.feedback.target)
      guard loss < 1 else { return .max }
      let repeats = loss > 1e-7 ? 2 + Int(-7 / rt_log10(loss)) : 1
      let delay = note == 0 ? points.longest : ReadPoints.frames(Double(Self.longestTime), sampleRate)
      let low = cut.target > 0 ? HighPass.tail(share: followed.target, count: 1) : 0
      return repeats * (delay + low + 2 + Int(16.2 / max(kept.target, 1e-6)))
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    for pair in 0..<(channelCount + 1) / 2 { unsafe cuts[pair] = LoopFilters() }
    points.arrive()
    mix.finish()
    kept.finish()
    followed.finish()
    cut.finish()
    isFresh = true
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .time:
      time = value
      if NoteValue.seconds(note, transport) == 0 { keepTime(over: frames) }
    case .sync:
      note = Int(value)
      keepTime(over: frames)
    case .change: points.bends = value >= 0.5
    case .feedback: mix.feedback.glide(to: value / 100, over: frames)
    case .lowPass: kept.glide(to: Self.kept(value, sampleRate), over: frames)
    case .highPass:
      followed.glide(to: HighPass.share(value, sampleRate), over: frames)
      cut.glide(to: value > Self.openHighPass ? 1 : 0, over: frames)
    case .pingPong:
      mix.alternation.glide(to: value >= 0.5 ? 1 : 0, over: frames)
      if value >= 0.5 { mix.first.glide(to: value >= 1.5 ? 1 : 0, over: frames) }
    case .mix: mix.mix.glide(to: value / 100, over: frames)
    }
  }

  /// Glides to the length of the note, or to the parameter `time`.
  @_noLocks @_noAllocation private mutating func keepTime(over frames: Int) {
    var milliseconds = 1000 * NoteValue.seconds(note, transport)
    if milliseconds == 0 { milliseconds = Double(time) }
    while milliseconds > Double(Self.longestTime) { milliseconds /= 2 }
    let wanted = max(milliseconds * sampleRate / 1000, 1)
    if frames >= 0 || ReadPoints.frames(milliseconds, sampleRate) != points.target {
      points.glide(to: wanted, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let now = block.transport
    if now.tempo != transport.tempo || now.beatUnit != transport.beatUnit {
      transport = now
      keepTime(over: isFresh ? 0 : -Int(Self.longestFade * sampleRate))
    }
    isFresh = false
    var start = 0
    while start < block.frameCount {
      let count = points.begin(min(Self.sliceLength, block.frameCount - start))
      let isBending = points.isBending
      if isBending { window.move(&points, count: count) }
      let part = block.slice(from: start, count: count)
      for pair in 0..<(channelCount + 1) / 2 { work(part, pair, isBending) }
      points.advance(count)
      mix.skip(count)
      kept.skip(count)
      followed.skip(count)
      cut.skip(count)
      start += count
    }
  }

  /// Processes a pair of channels, at most a slice and no longer than the delay.
  @_noLocks @_noAllocation private mutating func work(_ block: Block, _ pair: Int, _ isBending: Bool) {
    let channel = 2 * pair, count = block.frameCount, hasBoth = channel + 1 < channelCount
    unsafe recall(channel, left, count, isBending)
    if hasBoth { unsafe recall(channel + 1, right, count, isBending) }
    unsafe cuts[pair].filter(left, right, count: count, kept: kept, followed: followed, cut: cut)
    let dry = block.input(), wet = block.output()
    if channelCount == 2, mix.alternates {
      unsafe mix.blendAlternating(dry, wet, left, right)
    } else {
      unsafe mix.blend(dry[channel], wet[channel], left)
      if hasBoth { unsafe mix.blend(dry[channel + 1], wet[channel + 1], right) }
    }
    unsafe lines[channel].write(left, count: count)
    if hasBoth { unsafe lines[channel + 1].write(right, count: count) }
  }

  /// Reads the repeats of a channel.
  @_noLocks @_noAllocation @unsafe private mutating func recall(
    _ channel: Int, _ echo: UnsafeMutablePointer<Float>, _ count: Int, _ isBending: Bool
  ) {
    if isBending {
      unsafe window.read(lines[channel], echo, count: count)
      unsafe points.fade(lines[channel], echo, count: count, other: next)
    } else {
      unsafe points.read(lines[channel], echo, count: count, other: next)
    }
  }

  @_noLocks @_noAllocation private static func kept(_ frequency: Float, _ sampleRate: Double) -> Float {
    guard frequency < openLowPass else { return 1 }
    return Float(OnePole.share(frequency: Double(frequency), sampleRate: sampleRate))
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Delay, _ block: Block) {
  effect.set(.time, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
