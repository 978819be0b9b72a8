// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Where the studio's song is: rolling or not, tempo, bar and beat; and whether it is played for listeners.
public struct Transport: BitwiseCopyable, Sendable, Equatable {
  /// Whether the song moves.
  public var isRolling: Bool
  /// The song's position at the block's first frame, in frames.
  public var position: Int64
  /// Beats a minute; 0 while nobody leads with a tempo.
  public var tempo: Double
  /// The bar from 1, and the beat in it from 0, with its fraction.
  public var bar: Int32, beat: Double
  /// The meter: beats in a bar, and the note value that is a beat.
  public var beatsPerBar: Float, beatUnit: Float
  /// Whether nobody listens, so that time does not matter: then a unit may wait for work of its own.
  public var isFreewheeling = false

  /// A transport that stands still at frame 0, with no tempo.
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
