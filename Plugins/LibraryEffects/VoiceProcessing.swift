// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Prepares a voice for a conversation: removes the echo of loudspeakers from the microphone's sound, reduces steady
/// noise, and levels the voice.
///
/// The effect has two input buses: the microphone, and as the side-chain the sound that is played, left and right.
/// speexdsp removes its echo up to a fifth of a second, and adapts to the acoustics meanwhile. Gain control moves by
/// up to 30 dB, up by 12 dB a second, and only during speech.
///
/// It works on hundredths of a second, on a thread of its own: settings are followed so, too. The latency is two
/// of them and the longest block, or 2048 frames where blocks may be longer than that: longer periods come too
/// late. Sound passes as whole numbers of 16 bits, so it has a floor at −90 dBFS, and what is louder than −1 dBFS
/// is bent softly to stay below full scale. 1 to 16 channels, each for itself.
@safe public struct VoiceProcessing: Effect, ~Copyable {
  /// The indices of the parameters.
  public enum Parameter: Int, CaseIterable, Sendable {
    /// Whether the side-chain is taken out.
    case echoCancellation
    /// How far steady noise is turned down, in decibels.
    case noiseSuppression
    /// Whether the voice is levelled.
    case gainControl
    /// The level that the gain control aims at, in dBFS.
    case target
  }

  /// The longest period that is served, in frames.
  private static var longestPeriod: Int { 2048 }
  /// How many channels the side-chain has.
  static var farCount: Int { 2 }

  /// How many frames the output lies behind.
  public let latency: Int
  /// For how long sound goes on.
  public let tail: Int
  private let side: SideWork<SoundBoard>
  /// How many frames have gone by since the last beginning.
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
    let piece = VoiceChannel.pieceLength(at: rate)
    let latency = 2 * piece + min(max(layout.longestBlock, piece), Self.longestPeriod)
    let capacity = 2 * max(latency, layout.longestBlock, 8192)
    side = try unsafe SideWork(
      SoundBoard(channelCount: channelCount, aside: Self.farCount, capacity: capacity)
    ) {
      unsafe VoiceWork($0, channelCount: channelCount, sampleRate: rate)
    }
    self.latency = latency
    tail = latency + VoiceChannel.echoLength(at: rate) + rate / 10
  }

  @_noLocks @_noAllocation public mutating func reset() {
    unsafe side.board.pointee.startAnew()
    passed = 0
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    // A raw value would have to be looked up.
    let number =
      switch parameter {
      case .echoCancellation: 0
      case .noiseSuppression: 1
      case .gainControl: 2
      case .target: 3
      }
    unsafe side.board.pointee.turn(number, to: value, over: frames)
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    let count = block.frameCount
    if unsafe side.board.pointee.dry.writable >= count {
      // What is heard aside goes first: who sees a frame of the dry ring finds its companion.
      _ = unsafe side.board.pointee.aside.write(block.input(bus: 1), from: 0, count: count)
      _ = unsafe side.board.pointee.dry.write(block.input(), from: 0, count: count)
    } else {
      // The thread has hung for a long time. What it was at is given up.
      reset()
      passed -= count
    }
    if block.transport.isFreewheeling { unsafe finish(side.thread) }
    unsafe side.board.pointee.fill(block.output(), after: passed, latency: latency)
    passed += count
  }
}

@_noLocks @_noAllocation private func proof(_ unit: inout VoiceProcessing, _ block: Block) {
  unit.set(.target, to: 0, over: 0)
  unit.reset()
  unit.process(block)
}
