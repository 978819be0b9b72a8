// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Removes the DC offset of a signal, and frequencies below the range of hearing.
///
/// A first-order high-pass: −3 dB at the cutoff, 6 dB less with each octave below, and a zero at 0 Hz. 1 to 64
/// channels.
@safe public struct DCFilter: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The cutoff frequency, at which the level is 3 dB lower, in hertz.
    case cutOff
  }

  public static var description: EffectDescription {
    EffectDescription(
      "dc-filter", name: "DC filter", "Removes the DC offset",
      uri: "urn:swiftlet:dc-filter", lv2Class: "HighpassPlugin", worksInPlace: true)
  }

  private static var initialCutOff: Float { 5 }

  private let sampleRate: Double
  private let channelCount: Int
  private let filters: UnsafeMutablePointer<HighPass>
  private var share: Ramp

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    sampleRate = layout.sampleRate
    channelCount = layout.outputs.first ?? 1
    unsafe filters = .allocate(capacity: channelCount)
    unsafe filters.initialize(repeating: HighPass(), count: channelCount)
    share = Ramp(HighPass.share(Self.initialCutOff, sampleRate))
  }

  deinit { unsafe filters.deallocate() }

  /// The number of frames until the filter's state has decayed by 120 dB.
  public var tail: Int { @_noLocks @_noAllocation get { HighPass.tail(share: share.target, count: 1) } }

  @_noLocks @_noAllocation public mutating func reset() {
    for channel in 0..<channelCount { unsafe filters[channel] = HighPass() }
    share.finish()
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .cutOff: share.glide(to: HighPass.share(value, sampleRate), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output()
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      var filter = unsafe filters[channel]
      for frame in 0..<block.frameCount {
        let part = Double(share.value(after: frame + 1))
        wet[frame] = Float(filter.next(Double(dry[clean: frame]), share: part))
      }
      unsafe filters[channel] = filter
    }
    share.skip(block.frameCount)
  }
}

extension DCFilter {
  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The cutoff frequency, at which the level is 3 dB lower.
    /// Range: 1 Hz to 40 Hz. Default: 5 Hz.
    public var cutOff: TypedParameter<Parameter, Frequency> {
      .init(
        .cutOff, "cut-off", name: "Cut-off", "The cutoff frequency, at −3 dB; 6 dB an octave below it",
        range: 1...40, default: .hertz(DCFilter.initialCutOff), curve: .logarithmic)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .cutOff: cutOff.description
      }
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout DCFilter, _ block: Block) {
  effect.set(.cutOff, to: 5, over: 0)
  effect.reset()
  effect.process(block)
}
