// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Measures loudness by EBU R 128, and passes the signal unchanged.
///
/// It measures momentary (400 ms), short-term (3 s) and integrated loudness as defined by ITU-R BS.1770, the loudness
/// range of EBU Tech 3342, and the maximum true peak as a limiter detects it. The readings are updated for every 100 ms
/// of signal; in real time they are at most 100 ms late. The channels are left, right, centre, low frequencies, left
/// surround and right surround. Four channels are left, right and the surrounds; five have no low frequencies; further
/// channels pass unmeasured. 1 to 64 channels.
@safe public struct Loudness: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// Restarts the measurement when it is turned on.
    case reset
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// Restarts the measurement each time it is turned on.
    /// Default: false.
    public var reset: TypedParameter<Parameter, Bool> {
      .init(
        .reset, "reset", name: "Reset", "Restarts the measurement each time it is turned on",
        default: false)
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .reset: reset.description
      }
    }
  }

  public static var description: EffectDescription {
    let levels = LoudnessBuffers.lowest...LoudnessBuffers.highest
    return EffectDescription(
      "loudness", name: "Loudness", "Measures loudness by EBU R 128",
      uri: "urn:swiftlet:loudness", lv2Class: "AnalyserPlugin", worksInPlace: true,
      meters: [
        MeterDescription("momentary", unit: .loudness, range: levels),
        MeterDescription("short-term", unit: .loudness, range: levels),
        MeterDescription("integrated", unit: .loudness, range: levels),
        MeterDescription("range", unit: .loudnessUnits, range: 0...LoudnessBuffers.highest),
        MeterDescription("true-peak", unit: .decibels, range: levels),
      ])
  }

  private let side: SideWork<LoudnessBuffers>
  private var isResetOn = false

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require()
    try layout.requireMatching()
    let channelCount = layout.inputs[0]
    // One second; the measuring thread looks for frames every 20 ms.
    let capacity = max(Int(layout.sampleRate), 2 * layout.longestBlock)
    let sampleRate = layout.sampleRate
    side = try unsafe SideWork(LoudnessBuffers(channelCount: channelCount, capacity: capacity)) {
      unsafe LoudnessWork($0, channelCount: channelCount, sampleRate: sampleRate)
    }
  }

  @_noLocks @_noAllocation public mutating func reset() { unsafe side.buffers.pointee.startAnew() }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .reset:
      let isOn = value >= 0.5
      if isOn { if !isResetOn { unsafe side.buffers.pointee.startAnew() } }
      isResetOn = isOn
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let source = block.input(), sink = block.output()
    // If the ring is full, the frames are not measured; then the measuring thread has been stalled for a second.
    _ = unsafe side.buffers.pointee.sound.write(source, from: 0, count: block.frameCount)
    for channel in 0..<sink.channelCount {
      let dry = source[channel], wet = sink[channel]
      for frame in 0..<block.frameCount { wet[frame] = dry[clean: frame] }
    }
    if block.transport.isFreewheeling { unsafe finish(side.thread) }
    unsafe side.buffers.pointee.show(on: block)
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Loudness, _ block: Block) {
  effect.set(.reset, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
