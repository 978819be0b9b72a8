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
  private static var sliceLength: Int { @_noLocks @_noAllocation get { 64 } }
  /// The number of frames for which the memory of a slice is allocated: loops handle eight frames at once.
  private static var capacity: Int { @_noLocks @_noAllocation get { sliceLength + 8 } }

  var lfo: LFO
  var feedback: Ramp, mix: Ramp
  /// The phase lead of each channel over the previous one, in cycles.
  var phaseOffset: FineRamp
  private var delay: FineRamp, depth: FineRamp
  private var loudness = Ramp(1)
  private let framesPerMillisecond: Double
  private let channelCount: Int
  private let lines: UnsafeMutablePointer<FractionalDelayLine>
  /// The proportion of each voice in the mean. The sum is 1, also during a crossfade.
  private let shares: UnsafeMutablePointer<Ramp>
  private let weights = SincWeights()
  /// The LFO's phase at each frame of a slice, and the phase lead of the second channel.
  private let phases: UnsafeMutablePointer<UInt64>, phaseOffsets: UnsafeMutablePointer<UInt64>
  /// The proportion of the triangle, the minimum delay and half the depth at each frame; a voice's delays.
  private let edges: UnsafeMutablePointer<Double>, nearest: UnsafeMutablePointer<Double>
  private let halves: UnsafeMutablePointer<Double>, delays: UnsafeMutablePointer<Double>
  /// The delays of the voice with the opposite phase.
  private let opposites: UnsafeMutablePointer<Double>
  /// The parts of the voices' mean at each frame.
  private let sums: UnsafeMutablePointer<SIMD4<Float>>
  /// The levels at each frame: each voice in the mean, the feedback, the dry signal and the mean in the output.
  private let parts: UnsafeMutablePointer<Float>, back: UnsafeMutablePointer<Float>
  private let dryLevel: UnsafeMutablePointer<Float>, level: UnsafeMutablePointer<Float>
  /// A channel's input, its voices' mean, and the input of its line.
  private let dry: UnsafeMutablePointer<Float>, mean: UnsafeMutablePointer<Float>
  private let loop: UnsafeMutablePointer<Float>

  /// Creates silent lines with one voice, no feedback and no depth.
  ///
  /// - Parameter longest: the largest sum of delay and depth, in milliseconds.
  init(channelCount: Int, longest: Double, rate: Float, sampleRate: Double) {
    self.channelCount = channelCount
    framesPerMillisecond = sampleRate / 1000
    lfo = LFO(rate: rate, sampleRate: sampleRate)
    feedback = Ramp(0)
    mix = Ramp(0)
    phaseOffset = FineRamp(0)
    delay = FineRamp(SincWeights.shortest)
    depth = FineRamp(0)
    unsafe lines = .allocate(capacity: channelCount)
    let frames = Int(longest * framesPerMillisecond + SincWeights.shortest) + SincWeights.count
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(
        to: FractionalDelayLine(longest: frames, sliceLength: Self.sliceLength))
    }
    unsafe shares = .allocate(capacity: Self.mostVoices)
    for voice in 0..<Self.mostVoices { unsafe (shares + voice).initialize(to: Ramp(voice == 0 ? 1 : 0)) }
    let capacity = Self.capacity
    unsafe phases = .allocate(capacity: 2 * capacity)
    unsafe phases.initialize(repeating: 0, count: 2 * capacity)
    unsafe phaseOffsets = unsafe phases + capacity
    unsafe edges = .allocate(capacity: 5 * capacity)
    unsafe edges.initialize(repeating: 0, count: 5 * capacity)
    unsafe nearest = unsafe edges + capacity
    unsafe halves = unsafe nearest + capacity
    unsafe delays = unsafe halves + capacity
    unsafe opposites = unsafe delays + capacity
    unsafe sums = .allocate(capacity: capacity)
    unsafe sums.initialize(repeating: SIMD4(), count: capacity)
    let floats = (Self.mostVoices + 6) * capacity
    unsafe parts = .allocate(capacity: floats)
    unsafe parts.initialize(repeating: 0, count: floats)
    unsafe back = unsafe parts + Self.mostVoices * capacity
    unsafe dryLevel = unsafe back + capacity
    unsafe level = unsafe dryLevel + capacity
    unsafe dry = unsafe level + capacity
    unsafe mean = unsafe dry + capacity
    unsafe loop = unsafe mean + capacity
  }

  deinit {
    unsafe lines.deinitialize(count: channelCount)
    unsafe lines.deallocate()
    unsafe shares.deallocate()
    unsafe phases.deallocate()
    unsafe edges.deallocate()
    unsafe sums.deallocate()
    unsafe parts.deallocate()
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

  private var longestNow: Int {
    @_noLocks @_noAllocation get { Int(delay.target + depth.target) + SincWeights.count }
  }

  /// Glides to a minimum delay in milliseconds; at least two frames.
  @_noLocks @_noAllocation mutating func setDelay(_ milliseconds: Float, over frames: Int) {
    delay.glide(to: max(Double(milliseconds) * framesPerMillisecond, SincWeights.shortest), over: frames)
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
    phaseOffset.finish()
    delay.finish()
    depth.finish()
    loudness.finish()
  }

  /// Processes a block, from its main input to its main output.
  @_noLocks @_noAllocation mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      // The slice ends before frames that are not yet written, with a margin for rounding.
      let written = SincWeights.reach(min(delay.value(after: 0), delay.target) - 0.01)
      let count = min(min(Self.sliceLength, block.frameCount - start), written)
      swing(count)
      fillLevels(count)
      for channel in 0..<channelCount { work(block.slice(from: start, count: count), channel) }
      start += count
    }
  }

  /// Computes the LFO's phases and the voices' delay ranges for the next `count` frames.
  @_noLocks @_noAllocation private mutating func swing(_ count: Int) {
    unsafe lfo.run(phases, edges: edges, count: count)
    for frame in 0..<count {
      unsafe nearest[frame] = delay.value(after: frame + 1)
      unsafe halves[frame] = depth.value(after: frame + 1) / 2
      unsafe phaseOffsets[frame] = LFO.phase(phaseOffset.value(after: frame + 1))
    }
    delay.skip(count)
    depth.skip(count)
    phaseOffset.skip(count)
  }

  /// Computes the levels of the next `count` frames.
  @_noLocks @_noAllocation private mutating func fillLevels(_ count: Int) {
    for voice in 0..<Self.mostVoices {
      unsafe shares[voice].fill(parts + voice * Self.capacity, count: count)
      unsafe shares[voice].skip(count)
    }
    unsafe feedback.fill(back, count: count)
    unsafe mix.fill(dryLevel, count: count)
    unsafe loudness.fill(level, count: count)
    for frame in 0..<count {
      unsafe level[frame] *= dryLevel[frame]
      unsafe dryLevel[frame] = 1 - dryLevel[frame]
    }
    feedback.skip(count)
    mix.skip(count)
    loudness.skip(count)
  }

  @_noLocks @_noAllocation private mutating func work(_ block: Block, _ channel: Int) {
    let source = block.input()[channel], sink = block.output()[channel], count = block.frameCount
    for frame in 0..<count { unsafe dry[frame] = source[clean: frame] }
    for frame in 0..<count { unsafe sums[frame] = SIMD4() }
    read(channel, 0, count)
    read(channel, 2, count)
    for frame in 0..<count {
      let pairs = unsafe sums[frame].lowHalf + sums[frame].highHalf
      unsafe mean[frame] = pairs.x + pairs.y
    }
    var frame = 0
    while frame < count {
      let sample = unsafe dry[eightFrom: frame], mean = unsafe mean[eightFrom: frame]
      unsafe loop[eightFrom: frame] = LoopSaturation.bend(sample + mean * back[eightFrom: frame])
      unsafe dry[eightFrom: frame] =
        unsafe sample * dryLevel[eightFrom: frame] + mean * level[eightFrom: frame]
      frame += 8
    }
    unsafe lines[channel].write(loop, count: count)
    unsafe rt_copy_floats(sink.unsafeBase, dry, count)
  }

  /// Adds a voice and the next one, which has the opposite phase, in their proportions. The voices have the phases 0,
  /// ½, ¼ and ¾ of a cycle, which are evenly spaced for one, two and four voices.
  @_noLocks @_noAllocation
  private mutating func read(_ channel: Int, _ voice: Int, _ count: Int) {
    guard isHeard(voice) || isHeard(voice + 1) else { return }
    let voicePhase: UInt64 = voice < 2 ? 0 : 1 << 62, ahead = UInt64(truncatingIfNeeded: channel)
    let least = SincWeights.shortest
    var frame = 0
    while frame < count {
      let one = unsafe phases[frame] &+ phaseOffsets[frame] &* ahead &+ voicePhase
      let two = unsafe phases[frame + 1] &+ phaseOffsets[frame + 1] &* ahead &+ voicePhase
      let swing = unsafe LFO.values(one, two, edge: SIMD2(edges[frame], edges[frame + 1]))
      for lane in 0..<2 {
        let half = unsafe halves[frame + lane], nearest = unsafe nearest[frame + lane] + half
        unsafe delays[frame + lane] = max(nearest + half * swing[lane], least)
        unsafe opposites[frame + lane] = max(nearest - half * swing[lane], least)
      }
      frame += 2
    }
    if isHeard(voice) { unsafe add(channel, voice, delays, count) }
    if isHeard(voice + 1) { unsafe add(channel, voice + 1, opposites, count) }
  }

  @_noLocks @_noAllocation private func isHeard(_ voice: Int) -> Bool {
    unsafe parts[voice * Self.capacity] > 0 || shares[voice].isMoving
  }

  @_noLocks @_noAllocation @unsafe
  private func add(_ channel: Int, _ voice: Int, _ delays: UnsafeMutablePointer<Double>, _ count: Int) {
    let part = unsafe parts + voice * Self.capacity
    unsafe lines[channel].add(to: sums, delays: delays, gains: part, by: weights, count: count)
  }
}
