// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// A tremolo: modulates the level.
///
/// The gain is at most 1. The right side may lag behind the left. If the transport has a tempo, a cycle can last a
/// note; otherwise the rate counts. Waveforms with a step take 4 ms for it. More than two channels count as pairs; an
/// odd last channel counts as left.
@safe public struct Tremolo: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The modulation rate, in hertz.
    case rate
    /// The note value of a cycle; 0: the parameter `rate` sets it.
    case note
    /// The reduction of the amplitude at the lowest point, in percent.
    case depth
    /// The waveform: 0 sine, 1 triangle, 2 square, 3 rise, 4 fall.
    case shape
    /// The phase lag of the right side, in degrees.
    case phase
  }

  public static var description: EffectDescription {
    EffectDescription(
      "tremolo", name: "Tremolo", "Modulates the level",
      uri: "urn:swiftlet:tremolo", lv2Class: "ModulatorPlugin", minorVersion: 4,
      worksInPlace: true, followsTransport: true)
  }

  /// The minimum time of the gain from one end to the other, in seconds.
  private static var edge: Double { 0.004 }
  /// The number of frames in a slice.
  private static var sliceFrames: Int { @_noLocks @_noAllocation get { 64 } }

  private let sampleRate: Double
  /// The maximum change of the gain in a frame.
  private let step: Float
  private var rate = Ramp(5), depth = Ramp(0.5), lag = Ramp(0)
  private var note = 0, shape = Shape.sine, before = Shape.sine
  /// The crossfade from the waveform before, from 0 to 1.
  private var change = Ramp(1)
  /// The phase of the left side in cycles, from 0 to 1.
  private var phase = 0.0
  private var left: Float = 1, right: Float = 1, isFresh = true
  /// The gains of a slice, left and right.
  private let gains: UnsafeMutablePointer<Float>

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    sampleRate = layout.sampleRate
    step = Float(1 / (Self.edge * layout.sampleRate))
    unsafe gains = .allocate(capacity: 2 * Self.sliceFrames)
    unsafe gains.initialize(repeating: 1, count: 2 * Self.sliceFrames)
  }

  deinit { unsafe gains.deallocate() }

  @_noLocks @_noAllocation public mutating func reset() {
    rate.finish()
    depth.finish()
    lag.finish()
    change.finish()
    phase = 0
    isFresh = true
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .rate: rate.glide(to: value, over: frames)
    case .note: note = Int(value)
    case .depth: depth.glide(to: value / 100, over: frames)
    case .shape:
      // A change during a crossfade continues from the waveform that has the larger share.
      if change.value >= 0.5 { before = shape }
      shape = Shape(rawValue: Int(value)) ?? shape
      change = Ramp(0)
      change.glide(to: 1, over: frames)
    case .phase: lag.glide(to: value / 360, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output()
    let swing = NoteValue.seconds(note, block.transport), led = swing > 0 ? 1 / swing : 0
    var start = 0
    while start < block.frameCount {
      let count = min(Self.sliceFrames, block.frameCount - start)
      move(count, led: min(led, sampleRate / 4))
      for channel in 0..<sink.channelCount {
        let dry = source[channel], wet = sink[channel], side = (channel & 1) * Self.sliceFrames
        for frame in 0..<count {
          wet[start + frame] = unsafe dry[clean: start + frame] * gains[side + frame]
        }
      }
      start += count
    }
  }

  /// Computes the gains of the next frames. `led` is the rate in hertz given by the tempo; 0 for none.
  @_noLocks @_noAllocation private mutating func move(_ count: Int, led: Double) {
    for frame in 0..<count {
      let behind = phase - Double(lag.value(after: frame + 1)), low = depth.value(after: frame + 1)
      let mixed = change.value(after: frame + 1)
      let one = 1 - low * (1 - height(phase, mixed)),
        other = 1 - low * (1 - height(behind - rt_floor_double(behind), mixed))
      left = isFresh ? one : left + min(max(one - left, -step), step)
      right = isFresh ? other : right + min(max(other - right, -step), step)
      isFresh = false
      unsafe gains[frame] = left
      unsafe gains[Self.sliceFrames + frame] = right
      phase += (led > 0 ? led : Double(rate.value(after: frame + 1))) / sampleRate
      if phase >= 1 { phase -= 1 }
    }
    rate.skip(count)
    depth.skip(count)
    lag.skip(count)
    change.skip(count)
  }

  /// Returns the height at a phase, with a share of the present waveform.
  @_noLocks @_noAllocation private func height(_ part: Double, _ share: Float) -> Float {
    let now = Self.height(part, shape)
    guard share < 1 else { return now }
    let past = Self.height(part, before)
    return past + (now - past) * share
  }

  /// Returns the height of the waveform at a phase, from 0 to 1. All waveforms start at 1, except `rise`, which ends
  /// there.
  @_noLocks @_noAllocation private static func height(_ part: Double, _ shape: Shape) -> Float {
    switch shape {
    case .sine: Float(0.5 + 0.5 * rt_cos_double(2 * .pi * part))
    case .triangle: Float(abs(1 - 2 * part))
    case .square: part < 0.5 ? 1 : 0
    case .rise: Float(part)
    case .fall: Float(1 - part)
    }
  }
}

extension Tremolo {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The modulation rate.
    /// Range: 0.05 Hz to 20 Hz. Default: 5 Hz.
    public var rate: TypedParameter<Parameter, Frequency> {
      .init(
        .rate, "rate", name: "Rate", "The modulation rate", range: 0.05...20, default: .hertz(5),
        curve: .logarithmic)
    }
    /// The note value of the tempo that a cycle lasts.
    /// Default: free.
    public var note: TypedParameter<Parameter, NoteValue> {
      .init(
        .note, "note", name: "Note",
        "The note value that a cycle lasts at the transport's tempo; with free, 'rate' applies",
        default: .none,
        first: "free")
    }
    /// The reduction of the amplitude at the lowest point.
    /// Range: 0 % to 100 %. Default: 50 %.
    public var depth: TypedParameter<Parameter, Percentage> {
      .init(
        .depth, "depth", name: "Depth", "The reduction of the amplitude at the lowest point", range: 0...100,
        default: .percent(50))
    }
    /// The waveform of the modulation.
    /// Values: sine, triangle, square, rise, fall. Default: sine.
    public var shape: TypedParameter<Parameter, Shape> {
      .init(
        .shape, "shape", name: "Shape", "The waveform of the modulation", default: .sine, glide: 0.01)
    }
    /// The phase lag of the right side.
    /// Range: 0 deg to 360 deg. Default: 0 deg.
    public var phase: TypedParameter<Parameter, Angle> {
      .init(
        .phase, "phase", name: "Stereo phase",
        "The phase lag of the right side; at 180 the sides alternate", range: 0...360, default: .degrees(0))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .rate: rate.description
      case .note: note.description
      case .depth: depth.description
      case .shape: shape.description
      case .phase: phase.description
      }
    }
  }

  /// The waveform of the modulation.
  public enum Shape: Int, ParameterChoice {
    /// A sine.
    case sine
    /// A triangle.
    case triangle
    /// A square wave.
    case square
    /// A sawtooth that rises slowly and falls at once.
    case rise
    /// A sawtooth that rises at once and falls slowly.
    case fall

    public var symbol: StaticString {
      switch self {
      case .sine: "sine"
      case .triangle: "triangle"
      case .square: "square"
      case .rise: "rise"
      case .fall: "fall"
      }
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Tremolo, _ block: Block) {
  effect.set(.rate, to: 5, over: 0)
  effect.reset()
  effect.process(block)
}
