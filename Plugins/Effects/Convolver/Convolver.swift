// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Convolves the signal with the impulse response of a room, a cabinet or a device from a file.
///
/// The output is the exact convolution, without latency and at an even cost for responses of up to a minute. With a
/// trim of 0 dB the response has the level of its file at the sample rate of the recording; it is not normalised.
///
/// One input channel gives two output channels; otherwise there are as many output channels as input channels, up to
/// eight. A response with
/// - one channel is used for every channel;
/// - as many channels as the output has one for each of them; a single input channel is convolved with all of them;
/// - four channels and two output channels is true stereo: left to left, left to right, right to left, right to right;
///   a single input channel is used for both sides.
///
/// Responses with other numbers of channels are rejected. A new pre-delay crossfades from the old one; all other
/// parameters glide.
@safe public struct Convolver: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The proportion of convolved signal in the output, in percent.
    case mix
    /// The gain of the response relative to its file, in decibels.
    case trim
    /// The delay before the response, in milliseconds, rounded to frames.
    case preDelay
    /// The cutoff of the response's low cut, in hertz. At the lowest value it is off.
    case lowCut
    /// The cutoff of the response's high cut, in hertz. At the highest value it is off.
    case highCut
  }

  private static var sliceLength: Int { @_noLocks @_noAllocation get { Convolution.sliceLength } }

  private let sampleRate: Double
  private let inputCount: Int, outputCount: Int, responseLength: Int
  private var convolution: Convolution
  private var tone: ConvolverTone
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The pre-delay in frames plus one slice.
  private var preDelay: ReadPoints
  private var dryLevel: Ramp, wetLevel: Ramp, trim = Ramp(1)
  /// Slices: the dry signal of each channel, the wet signal of one channel, a temporary one, and the dry and wet
  /// levels.
  private let memory: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...8)
    if layout.inputs != [1] || layout.outputs != [2] { try layout.requireMatching() }
    let sound = try layout.sound()
    guard Double(sound.frameCount) <= Double(Self.longestResponse) * layout.sampleRate else {
      throw .file(0, .tooLong(seconds: Self.longestResponse))
    }
    let inputs = layout.inputs.first ?? 1, outputs = layout.outputs.first ?? 1
    let routes = try ConvolverRoutes(
      sound, inputs: inputs, outputs: outputs, scale: Self.scale(of: sound, at: layout.sampleRate))
    self.init(routes, length: sound.frameCount, inputs: inputs, outputs: outputs, layout.sampleRate)
  }

  /// Returns the factor that preserves the response's level after a conversion of its sample rate: the number of
  /// samples changes with the rate, and the convolution sums over them.
  private static func scale(of sound: Sound, at sampleRate: Double) -> Float {
    sound.recordedRate > 0 ? Float(sound.recordedRate / sampleRate) : 1
  }

  private init(_ routes: ConvolverRoutes, length: Int, inputs: Int, outputs: Int, _ sampleRate: Double) {
    self.sampleRate = sampleRate
    inputCount = inputs
    outputCount = outputs
    responseLength = length
    convolution = Convolution(routes)
    tone = ConvolverTone(channels: inputs, sampleRate: sampleRate)
    unsafe lines = .allocate(capacity: inputs)
    for channel in 0..<inputs {
      let longest = ReadPoints.frames(Double(Self.longestPreDelay), sampleRate) + 2 * Self.sliceLength
      unsafe (lines + channel).initialize(to: DelayLine(longest: longest))
    }
    preDelay = ReadPoints(delay: Self.sliceLength, longestFade: Int(Self.longestFade * sampleRate))
    dryLevel = Ramp(Self.dry(Self.initialMix))
    wetLevel = Ramp(Self.wet(Self.initialMix))
    let floats = (inputs + 4) * Self.sliceLength
    unsafe memory = .allocate(capacity: floats)
    unsafe memory.initialize(repeating: 0, count: floats)
  }

  deinit {
    unsafe lines.deinitialize(count: inputCount)
    unsafe lines.deallocate()
    unsafe memory.deallocate()
  }

  /// The length of the response, including pre-delay and filters.
  public var tail: Int {
    @_noLocks @_noAllocation get { responseLength + preDelay.target - Self.sliceLength + tone.tail }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    convolution.clear()
    for channel in 0..<inputCount { unsafe lines[channel].clear() }
    tone.reset()
    preDelay.arrive()
    dryLevel.finish()
    wetLevel.finish()
    trim.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .mix:
      dryLevel.glide(to: Self.dry(value), over: frames)
      wetLevel.glide(to: Self.wet(value), over: frames)
    case .trim: trim.glide(to: Decibels.amplitude(value), over: frames)
    case .preDelay:
      preDelay.glide(to: Double(value) * sampleRate / 1000 + Double(Self.sliceLength), over: frames)
    case .lowCut: tone.set(lowCut: value, over: frames)
    case .highCut: tone.set(highCut: value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    var start = 0
    while start < block.frameCount {
      let count = convolution.begin(preDelay.begin(block.frameCount - start))
      work(block.slice(from: start, count: count))
      convolution.advance(count)
      preDelay.advance(count)
      tone.skip(count)
      dryLevel.skip(count)
      wetLevel.skip(count)
      trim.skip(count)
      start += count
    }
  }

  /// Processes at most a slice, in which no crossfade of the pre-delay begins or ends and no partition ends.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) {
    let source = block.input(), sink = block.output(), count = block.frameCount,
      sliceLength = Self.sliceLength
    let wet = unsafe memory + inputCount * sliceLength, second = unsafe wet + sliceLength
    let dryLevels = unsafe second + sliceLength, wetLevels = unsafe dryLevels + sliceLength
    for channel in 0..<inputCount {
      let dry = unsafe memory + channel * sliceLength, samples = source[channel]
      for frame in 0..<count { unsafe dry[frame] = samples[clean: frame] }
      unsafe rt_copy_floats(wet, dry, count)
      unsafe tone.run(channel, wet, count: count)
      unsafe hold(channel, wet, second, count)
      unsafe convolution.write(channel, wet, count: count)
    }
    unsafe dryLevel.fill(dryLevels, count: count)
    unsafe wetLevel.fill(wetLevels, count: count)
    if trim.isMoving {
      for frame in 0..<count { unsafe wetLevels[frame] *= trim.value(after: frame + 1) }
    } else {
      for frame in 0..<count { unsafe wetLevels[frame] *= trim.target }
    }
    for channel in 0..<outputCount {
      let dry = unsafe memory + min(channel, inputCount - 1) * sliceLength
      if channel < convolution.outputCount { unsafe convolution.read(channel, wet, count: count) }
      var frame = 0
      while frame < count {
        let sum = unsafe dry[eightFrom: frame] * dryLevels[eightFrom: frame]
        unsafe second[eightFrom: frame] = sum + wet[eightFrom: frame] * wetLevels[eightFrom: frame]
        frame += 8
      }
      unsafe rt_copy_floats(sink[channel].unsafeBase, second, count)
    }
  }

  /// Applies the pre-delay to `samples` in place.
  @_noLocks @_noAllocation private mutating func hold(
    _ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    unsafe lines[channel].write(samples, count: count)
    let shift = count - Self.sliceLength
    unsafe preDelay.read(lines[channel], samples, count: count, other: second, shift: shift)
  }

  /// Returns the gain of the dry signal. Dry and wet signal are largely uncorrelated, so the crossfade has equal power.
  @_noLocks @_noAllocation private static func dry(_ mix: Float) -> Float {
    mix < 100 ? rt_cos(.pi / 200 * mix) : 0
  }

  @_noLocks @_noAllocation private static func wet(_ mix: Float) -> Float {
    mix < 100 ? rt_sin(.pi / 200 * mix) : 1
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Convolver, _ block: Block) {
  effect.set(.mix, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
