// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
package import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// What came of the wish to lead the studio's transport, or to lead it no longer.
package enum TransportLead: Sendable, Hashable {
  /// It is so.
  case agreed
  /// It is so, and another program led until now.
  case tookOver
  /// The server would not.
  case refused
}

extension JackClient {
  /// Where the studio's song is, and whether it rolls; at rest at its beginning while there is no server to ask.
  package var transport: Transport {
    // A client that has been closed must not be asked.
    (try? opened.edit { _ in opened.edge.pointee.readTransport() }) ?? Transport()
  }

  /// Has the studio's song roll, as soon as all who follow it are ready.
  ///
  /// - Throws: ``JackError/closed(_:)``, as do the others.
  package func startTransport() throws(JackError) {
    try opened.edit { _ in jack_transport_start(opened.client) }
  }

  /// Has the studio's song stand still.
  package func stopTransport() throws(JackError) {
    try opened.edit { _ in jack_transport_stop(opened.client) }
  }

  /// Takes the studio's song to a frame; what rolls goes on rolling from there.
  ///
  /// - Parameter frame: from 0 to 2³² − 1, where JACK's count ends; what lies beyond is the nearest of these.
  package func locateTransport(to frame: Int64) throws(JackError) {
    try opened.edit { _ in
      _ = jack_transport_locate(opened.client, jack_nframes_t(clamping: frame))
    }
  }

  /// Tells the studio of bars, beats and tempo from now on, in the place of who did before; nil leaves that to
  /// others again.
  ///
  /// Who did before is not told by JACK: it only is asked no longer.
  ///
  /// - Returns: whether the server agreed, and whether another program led until now.
  @discardableResult package func lead(_ song: TempoMap?) throws(JackError) -> TransportLead {
    try opened.edit { edits in
      guard let song else {
        guard !edits.songs.isEmpty else { return .agreed }
        return jack_release_timebase(opened.client) == 0 ? .agreed : .refused
      }
      let table = LedSong(song, sampleRate: sampleRate)
      opened.dropSongs(&edits)
      edits.songs.append((song: table, replaced: nil))
      // Where nobody else leads it is had for the asking.
      let isFree = jack_set_timebase_callback(opened.client, 1, leadSong, table.memory) == 0
      let isAgreed = isFree || jack_set_timebase_callback(opened.client, 0, leadSong, table.memory) == 0
      // From now on the audio thread is given this one; in the cycle under way it may still read the last.
      let cycle = opened.edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
      for place in edits.songs.indices.dropLast() where edits.songs[place].replaced == nil {
        edits.songs[place].replaced = cycle
      }
      return isFree ? .agreed : isAgreed ? .tookOver : .refused
    }
  }

  /// Has the studio wait before it rolls, until ``becomeReady(at:)``; or no longer.
  ///
  /// It waits for two seconds unless somebody told it otherwise.
  package func setFollowing(_ isOn: Bool) throws(JackError) {
    try opened.edit { _ in
      opened.edge.pointee.awaited.store(-1, ordering: .relaxed)
      opened.edge.pointee.ready.store(-1, ordering: .relaxed)
      jack_set_sync_callback(opened.client, isOn ? answerStudio : nil, opened.edge)
    }
  }

  /// The frame of the song that the studio waits for us at; nil where it does not.
  package var awaitedFrame: Int64? {
    let frame = opened.edge.pointee.awaited.load(ordering: .acquiring)
    return frame < 0 ? nil : frame
  }

  /// Says that all is ready to roll from a frame.
  package func becomeReady(at frame: Int64) { opened.edge.pointee.ready.store(frame, ordering: .releasing) }
}

extension OpenClient {
  /// Frees the songs that the audio thread no longer reads. JACK asks for bars behind our cycle and before the next
  /// one; two counts on, at least one has begun since.
  fileprivate func dropSongs(_ edits: inout Edits) {
    let cycle = edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
    edits.songs.removeAll { song in song.replaced.map { !edits.isActive || cycle &- $0 >= 2 } ?? false }
  }
}

/// A song that the studio is told of, at an address that stays.
// @unchecked: nothing is written after it has been made.
final class LedSong: @unchecked Sendable {
  let memory: UnsafeMutablePointer<TempoTable>

  init(_ song: TempoMap, sampleRate: Double) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: TempoTable(song, sampleRate: sampleRate))
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}
