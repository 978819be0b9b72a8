// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal
internal import SwiftletStretch

/// Shifts the pitch of a signal in real time, and keeps its duration.
///
/// SoundTouch or Rubber Band runs on a thread of its own with a fixed latency, which is the same for every pitch; an
/// impulse at pitch 0 comes out exactly after it. The pitch is accurate to two cents. A pitch change takes effect in
/// steps of some hundredths of a second. After changes the output of Rubber Band may be off by some hundredths of a
/// second. Supports JACK periods of up to 2048 frames; 1 to 16 channels.
@safe public struct Pitch: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// The pitch shift, in semitones.
    case pitch
  }

  /// The parameters, each with the type of its values.
  public struct Parameters: ParameterList {
    /// Creates the list, which holds no state.
    public init() {}

    /// The pitch shift.
    /// Range: −24 st to 24 st. Default: 0 st.
    public var pitch: TypedParameter<Parameter, PitchInterval> {
      .init(
        .pitch, "pitch", name: "Pitch",
        "The pitch shift; 12 is an octave; a step may be heard, since the sound is made of segments",
        unit: .semitones,
        range: -24...24, default: .semitones(0))
    }

    public func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .pitch: pitch.description
      }
    }
  }

  public static var description: EffectDescription {
    EffectDescription(
      "pitch", name: "Pitch", "Shifts the pitch in real time", uri: "urn:swiftlet:pitch",
      lv2Class: "PitchPlugin", algorithms: ["fast", "finest"])
  }

  /// The longest supported period, in frames.
  private static var longestPeriod: Int { 2048 }

  /// The latency in frames.
  public let latency: Int
  /// The number of frames for which the output continues after the end of the input.
  public let tail: Int
  private let side: SideWork<SideBuffers>
  /// The number of frames processed since the last restart.
  private var passed = 0

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...Stretcher.mostChannels)
    try layout.requireMatching()
    let channelCount = layout.inputs[0]
    let sampleRate = layout.sampleRate
    let algorithms = StretchAlgorithm.allCases
    guard algorithms.indices.contains(layout.engine), algorithms[layout.engine].isBuilt else {
      throw .engine(layout.engine)
    }
    let engine = algorithms[layout.engine]
    guard engine.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    let makeStretcher: (Stretch) -> Stretcher? = {
      Stretcher(channelCount: channelCount, sampleRate: sampleRate, $0, engine: engine, isPrompt: true)
    }
    guard let stretcher = makeStretcher(Stretch()) else { throw .resources }
    let latency = stretcher.lag + 2 * PitchWork.blockLength + Pitch.longestPeriod
    let capacity = 2 * max(latency, layout.longestBlock)
    side = try unsafe SideWork(SideBuffers(channelCount: channelCount, capacity: capacity)) {
      unsafe PitchWork($0, stretcher, makeStretcher)
    }
    self.latency = latency
    tail = latency + Int(0.3 * sampleRate)
  }

  @_noLocks @_noAllocation public mutating func reset() {
    unsafe side.buffers.pointee.startAnew()
    passed = 0
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .pitch:
      unsafe side.buffers.pointee.change(0, to: value, over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    // If the ring is full, the thread has been stalled for a long time. The pending frames are dropped.
    if unsafe !side.buffers.pointee.dry.write(block.input(), from: 0, count: block.frameCount) { reset() }
    if block.transport.isFreewheeling { unsafe finish(side.thread) }
    unsafe side.buffers.pointee.fill(block.output(), after: passed, latency: latency)
    passed += block.frameCount
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Pitch, _ block: Block) {
  effect.set(.pitch, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
