// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The state of the transport: whether it rolls, position, tempo, bar and beat, and whether JACK freewheels.
///
/// A value, for any thread.
public struct Transport: BitwiseCopyable, Sendable, Equatable {
  /// Whether the transport rolls.
  public var isRolling: Bool
  /// The position at the block's first frame, in frames.
  public var position: Int64
  /// The tempo in beats per minute; 0 without a timebase source.
  public var tempo: Double
  /// The bar, from 1, and the beat in it, from 0, with its fraction.
  public var bar: Int32, beat: Double
  /// The time signature: beats in a bar, and the note value of a beat.
  public var beatsPerBar: Float, beatUnit: Float
  /// Whether the block is not rendered in real time, as when JACK freewheels and in offline renders: an effect may
  /// then wait for work on another thread.
  public var isFreewheeling = false

  /// Creates a transport that is stopped at frame 0 and has no tempo.
  @_noLocks @_noAllocation package init(
    isRolling: Bool = false, position: Int64 = 0, tempo: Double = 0, bar: Int32 = 1, beat: Double = 0,
    beatsPerBar: Float = 4, beatUnit: Float = 4
  ) {
    self.isRolling = isRolling
    self.position = position
    self.tempo = tempo
    self.bar = bar
    self.beat = beat
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
  }
}
