// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Processes a voice for a conversation: removes the echo of loudspeakers from the microphone's signal, reduces steady
/// noise, and levels the voice.
///
/// The effect has two input buses: the microphone, and as the side-chain the signal that is played, left and right.
/// speexdsp removes its echo up to a delay of 200 ms, and adapts to the acoustics meanwhile. Gain control changes the
/// level by up to 30 dB, upwards by 12 dB a second, and only during speech.
///
/// The effect works on blocks of 10 ms on a thread of its own, so parameter changes also apply in steps of 10 ms. The
/// latency is two of these blocks plus the longest block of the layout, limited to 2048 frames; with longer periods the
/// output is too late. The signal is processed as 16-bit integers, so its noise floor is −90 dBFS, and levels above −1
/// dBFS are soft-clipped to stay below full scale. 1 to 16 channels, each processed separately.
@safe public struct VoiceProcessing: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// Whether the echo of the side-chain is removed.
    case echoCancellation
    /// The gain of steady noise, in decibels.
    case noiseSuppression
    /// Whether gain control is on.
    case gainControl
    /// The target level of gain control, in dBFS.
    case target
  }

  /// The longest supported period, in frames.
  private static var longestPeriod: Int { 2048 }
  /// The number of channels of the side-chain.
  static var farCount: Int { 2 }

  /// The latency in frames.
  public let latency: Int
  /// The number of frames for which the output continues.
  public let tail: Int
  private let side: SideWork<SideBuffers>
  /// The number of frames processed since the last restart.
  private var passed = 0

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...16)
    try layout.requireMatching()
    guard layout.sampleRate >= 8000 && layout.sampleRate <= 192_000 else {
      throw .sampleRate(layout.sampleRate)
    }
    guard layout.inputs.count == 2, layout.inputs[1] == Self.farCount else {
      throw .channels(layout.inputs.count > 1 ? layout.inputs[1] : 0)
    }
    let channelCount = layout.inputs[0]
    let rate = Int(layout.sampleRate.rounded())
    let blockLength = VoiceChannel.blockLength(at: rate)
    let latency = 2 * blockLength + min(max(layout.longestBlock, blockLength), Self.longestPeriod)
    let capacity = 2 * max(latency, layout.longestBlock, 8192)
    side = try unsafe SideWork(
      SideBuffers(channelCount: channelCount, aside: Self.farCount, capacity: capacity)
    ) {
      unsafe VoiceWork($0, channelCount: channelCount, sampleRate: rate)
    }
    self.latency = latency
    tail = latency + VoiceChannel.echoLength(at: rate) + rate / 10
  }

  @_noLocks @_noAllocation public mutating func reset() {
    unsafe side.buffers.pointee.startAnew()
    passed = 0
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    // `rawValue` would need a lookup.
    let number =
      switch parameter {
      case .echoCancellation: 0
      case .noiseSuppression: 1
      case .gainControl: 2
      case .target: 3
      }
    unsafe side.buffers.pointee.change(number, to: value, over: frames)
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let count = block.frameCount
    if unsafe side.buffers.pointee.dry.writable >= count {
      // The side-chain is written first, so that each frame of the dry ring has its side-chain frame.
      _ = unsafe side.buffers.pointee.aside.write(block.input(bus: 1), from: 0, count: count)
      _ = unsafe side.buffers.pointee.dry.write(block.input(), from: 0, count: count)
    } else {
      // The thread has been stalled for a long time. The pending frames are dropped.
      reset()
      passed -= count
    }
    if block.transport.isFreewheeling { unsafe finish(side.thread) }
    unsafe side.buffers.pointee.fill(block.output(), after: passed, latency: latency)
    passed += count
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout VoiceProcessing, _ block: Block) {
  effect.set(.target, to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
