// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// The transport of an engine without a studio: it rolls as soon as all are ready, as JACK's does.
struct OfflineSong {
  /// Whether it is meant to roll, and whether all who follow it have said that they are ready.
  var isWanted = true, isReady = true
  /// The next frame.
  var position: Int64 = 0
  private let leader: Leader?

  /// A song at its beginning, with bars and beats where `map` says what they are.
  init(_ map: TempoMap? = nil, sampleRate: Double = 48_000) {
    leader = map.map { Leader(table: TempoTable($0, sampleRate: sampleRate)) }
  }

  /// A table that is worked out once, and not for each block.
  private final class Leader: Sendable {
    let table: TempoTable

    init(table: consuming TempoTable) { self.table = table }
  }

  /// Whether the next block rolls.
  var isRolling: Bool { isWanted && isReady }

  /// What a block from here on is told.
  var transport: Transport {
    guard let leader else { return Transport(isRolling: isRolling, position: position) }
    let moment = leader.table.moment(at: position)
    return Transport(
      isRolling: isRolling, position: position, tempo: moment.tempo, bar: moment.bar, beat: moment.beat,
      beatsPerBar: moment.beatsPerBar, beatUnit: moment.beatUnit)
  }

  /// A block of so many frames has gone by.
  mutating func advance(_ frameCount: Int) { if isRolling { position += Int64(frameCount) } }
}
