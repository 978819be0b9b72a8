// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Gives sound the room, the cabinet or the machine that a file has the impulse response of.
///
/// Each sample that comes in starts the response, as loud as the sample is: what comes out is exactly the
/// convolution of both, without delay, and at an even cost however long the response is, up to a minute. With
/// a trim of 0 dB the response is as loud as its file at the rate it was recorded at; none is made louder or
/// softer unasked.
///
/// One channel in gives two out; else as many come out as go in, up to eight. A response of
/// - one channel is that of every channel;
/// - as many channels as come out has one for each; a single channel in goes through all of them;
/// - four channels, where two come out, is true stereo: left to left, left to right, right to left, right to
///   right; a single channel in is on both sides.
///
/// Any other is refused. A new pre-delay fades in over the old one; all else glides.
@safe public struct Convolver: Effect, ~Copyable {
  /// The numbers of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// How much of what comes out is the convolved sound, in percent.
    case mix
    /// How much louder than its file the response is, in decibels.
    case trim
    /// Until the response begins, in milliseconds, to the nearest frame.
    case preDelay
    /// The low cut of the response, in hertz; at the lowest value nothing is cut.
    case lowCut
    /// The high cut of the response, in hertz; at the highest value nothing is cut.
    case highCut
  }

  private static var stretch: Int { @_noLocks @_noAllocation get { Convolution.stretch } }

  private let sampleRate: Double
  private let inputCount: Int, outputCount: Int, responseLength: Int
  private var convolution: Convolution
  private var tone: ConvolverTone
  private let lines: UnsafeMutablePointer<DelayLine>
  /// In frames, from a stretch for none.
  private var preDelay: ReadPoints
  private var dryLevel: Ramp, wetLevel: Ramp, trim = Ramp(1)
  /// Stretches: the dry sound of each channel, a wet one, one more, and the levels of both.
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

  /// What keeps a response as loud as it was when it was brought to another rate: a wave of the same height
  /// has as many times the samples, and what comes out is the sum over them.
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
      let longest = ReadPoints.frames(Double(Self.longestPreDelay), sampleRate) + 2 * Self.stretch
      unsafe (lines + channel).initialize(to: DelayLine(longest: longest))
    }
    preDelay = ReadPoints(delay: Self.stretch, longestFade: Int(Self.longestFade * sampleRate))
    dryLevel = Ramp(Self.dry(Self.initialMix))
    wetLevel = Ramp(Self.wet(Self.initialMix))
    let floats = (inputs + 4) * Self.stretch
    unsafe memory = .allocate(capacity: floats)
    unsafe memory.initialize(repeating: 0, count: floats)
  }

  deinit {
    unsafe lines.deinitialize(count: inputCount)
    unsafe lines.deallocate()
    unsafe memory.deallocate()
  }

  /// The response, from where it begins to its end.
  public var tail: Int {
    @_noLocks @_noAllocation get { responseLength + preDelay.target - Self.stretch + tone.tail }
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
      preDelay.glide(to: ReadPoints.frames(Double(value), sampleRate) + Self.stretch, over: frames)
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

  /// Works on no more than a stretch, in which no pre-delay begins and no partition ends.
  @_noLocks @_noAllocation private mutating func work(_ block: Block) {
    let source = block.input(), sink = block.output(), count = block.frameCount, stretch = Self.stretch
    let wet = unsafe memory + inputCount * stretch, second = unsafe wet + stretch
    let dryLevels = unsafe second + stretch, wetLevels = unsafe dryLevels + stretch
    for channel in 0..<inputCount {
      let dry = unsafe memory + channel * stretch, samples = source[channel]
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
      let dry = unsafe memory + min(channel, inputCount - 1) * stretch
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

  /// The pre-delay: `samples` in, what came before out.
  @_noLocks @_noAllocation private mutating func hold(
    _ channel: Int, _ samples: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    unsafe lines[channel].write(samples, count: count)
    let shift = count - Self.stretch
    unsafe preDelay.read(lines[channel], samples, count: count, other: second, shift: shift)
  }

  /// Dry and wet sound have little to do with each other: on a quarter of a circle their energies add up to
  /// one.
  @_noLocks @_noAllocation private static func dry(_ mix: Float) -> Float {
    mix < 100 ? rt_cos(.pi / 200 * mix) : 0
  }

  @_noLocks @_noAllocation private static func wet(_ mix: Float) -> Float {
    mix < 100 ? rt_sin(.pi / 200 * mix) : 1
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout Convolver, _ block: Block) {
  unit.set(.mix, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
