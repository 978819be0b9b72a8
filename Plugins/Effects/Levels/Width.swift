// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Makes stereo narrower or wider, and makes the bass mono.
///
/// The mid signal, the sum of both sides, does not change; the side signal, their difference, is scaled. A high-pass
/// attenuates the side signal by 6 dB at the bass frequency and by 12 dB more with each octave below. At 100 % with the
/// bass at 10 Hz every sample passes unchanged. More than two channels count as pairs; an odd last channel passes
/// unchanged.
@safe public struct Width: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The gain of the side signal, in percent: 0 is mono, 200 doubles it.
    case width
    /// The frequency below which the signal becomes mono, in hertz. At 10 Hz the high-pass is off.
    case bass
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The gain of the side signal.
    /// Range: 0 % to 200 %. Default: 100 %.
    public var width: TypedParameter<Parameter, Percentage> {
      .init(
        .width, "width", name: "Width",
        "The gain of the side signal; at 0 % the output is mono", range: 0...200,
        default: .percent(100))
    }
    /// The frequency below which the signal becomes mono.
    /// Range: 10 Hz to 500 Hz. Default: 10 Hz.
    public var bass: TypedParameter<Parameter, Frequency> {
      .init(
        .bass, "bass", name: "Mono bass",
        "The frequency below which the signal becomes mono; at 10 Hz it is off",
        range: Width.noBass...500, default: .hertz(Width.noBass), curve: .logarithmic, glide: 0.05)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .width: width.description
      case .bass: bass.description
      }
    }
  }

  public static var description: EffectDescription {
    EffectDescription(
      "width", name: "Width", "Makes stereo narrower or wider, and makes the bass mono",
      uri: "urn:swiftlet:width", lv2Class: "SpatialPlugin", worksInPlace: true)
  }

  /// The frequency at which the high-pass is off, in hertz.
  private static var noBass: Float { @_noLocks @_noAllocation get { 10 } }

  private let sampleRate: Double
  private let pairCount: Int
  /// Two filters in series for each pair.
  private let filters: UnsafeMutablePointer<HighPass>
  private var width = Ramp(1), share: Ramp
  /// The proportion of the filtered side signal.
  private var filtered = Ramp(0)

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    sampleRate = layout.sampleRate
    pairCount = (layout.outputs.first ?? 1) / 2
    unsafe filters = .allocate(capacity: 2 * pairCount + 1)
    unsafe filters.initialize(repeating: HighPass(), count: 2 * pairCount + 1)
    share = Ramp(HighPass.share(Self.noBass, sampleRate))
  }

  deinit { unsafe filters.deallocate() }

  /// The number of frames for which the filters ring.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      filtered.target > 0 ? HighPass.tail(share: share.target, count: 2) : filtered.remaining
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    for number in 0..<2 * pairCount { unsafe filters[number] = HighPass() }
    width.finish()
    share.finish()
    filtered.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .width: width.glide(to: value / 100, over: frames)
    case .bass:
      share.glide(to: HighPass.share(value, sampleRate), over: frames)
      filtered.glide(to: value > Self.noBass ? 1 : 0, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output(), count = block.frameCount
    for pair in 0..<pairCount {
      widen(source[2 * pair], source[2 * pair + 1], into: sink[2 * pair], sink[2 * pair + 1], pair: pair)
    }
    if 2 * pairCount < sink.channelCount {
      let dry = source[2 * pairCount], wet = sink[2 * pairCount]
      for frame in 0..<count { wet[frame] = dry[clean: frame] }
    }
    width.skip(count)
    share.skip(count)
    filtered.skip(count)
  }

  @_noLocks @_noAllocation private mutating func widen(
    _ left: Samples, _ right: Samples, into first: MutableSamples, _ second: MutableSamples, pair: Int
  ) {
    var one = unsafe filters[2 * pair], two = unsafe filters[2 * pair + 1]
    for frame in 0..<first.count {
      let x = Double(left[clean: frame]), y = Double(right[clean: frame]), there = frame + 1
      let part = Double(share.value(after: there)), side = (x - y) / 2
      let high = two.next(one.next(side, share: part), share: part)
      let kept = side + Double(filtered.value(after: there)) * (high - side)
      // The change that is added to the left and subtracted from the right side; exactly 0 with the default values.
      let change = kept * Double(width.value(after: there)) - side
      first[frame] = Float(x + change)
      second[frame] = Float(y - change)
    }
    unsafe filters[2 * pair] = one
    unsafe filters[2 * pair + 1] = two
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Width, _ block: Block) {
  effect.set(.width, to: 100, over: 0)
  effect.reset()
  effect.process(block)
}
