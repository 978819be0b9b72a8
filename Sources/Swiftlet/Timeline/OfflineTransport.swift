// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletTimeline

/// The transport of an engine without JACK. It rolls as soon as all that follows it is ready, as JACK's does.
struct OfflineTransport {
  /// Whether the transport was started, and whether all that follows it is ready.
  var isWanted = true, isReady = true
  /// The next frame.
  var position: Int64 = 0
  private let timebaseSource: TimebaseSource?

  /// Creates a transport at frame 0, with bars and beats if there is a tempo map.
  init(_ map: TempoMap? = nil, sampleRate: Double = 48_000) {
    timebaseSource = map.map { TimebaseSource(table: TempoTable($0, sampleRate: sampleRate)) }
  }

  /// The tempo table, made once instead of for each block.
  private final class TimebaseSource: Sendable {
    let table: TempoTable

    init(table: consuming TempoTable) { self.table = table }
  }

  /// Whether the next block rolls.
  var isRolling: Bool { isWanted && isReady }

  /// The transport at the next block.
  var transport: Transport {
    guard let timebaseSource else { return Transport(isRolling: isRolling, position: position) }
    let moment = timebaseSource.table.moment(at: position)
    return Transport(
      isRolling: isRolling, position: position, tempo: moment.tempo, bar: moment.bar, beat: moment.beat,
      beatsPerBar: moment.beatsPerBar, beatUnit: moment.beatUnit)
  }

  /// Advances the position by a rendered block.
  mutating func advance(_ frameCount: Int) { if isRolling { position += Int64(frameCount) } }
}
