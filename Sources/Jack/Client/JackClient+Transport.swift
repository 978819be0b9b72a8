// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
package import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// The result of becoming JACK's timebase source, or of releasing the timebase.
package enum TimebaseResult: Sendable, Hashable {
  /// The server agreed.
  case agreed
  /// The server agreed, and another program was the timebase source until now.
  case tookOver
  /// The server refused.
  case refused
}

extension JackClient {
  /// The state of JACK's transport; stopped at frame 0 while there is no server.
  package var transport: Transport {
    // A closed client must not be asked.
    (try? opened.edit { _ in opened.edge.pointee.readTransport() }) ?? Transport()
  }

  /// Starts JACK's transport, which rolls as soon as all clients that follow it are ready.
  ///
  /// - Throws: ``JackError/closed(_:)``, as the other functions of this extension.
  package func startTransport() throws(JackError) {
    try opened.edit { _ in jack_transport_start(opened.client) }
  }

  /// Stops JACK's transport.
  package func stopTransport() throws(JackError) {
    try opened.edit { _ in jack_transport_stop(opened.client) }
  }

  /// Moves JACK's transport to a frame. A rolling transport rolls on from there.
  ///
  /// - Parameter frame: 0 to 2³² − 1, the range of JACK; other values are clamped to it.
  package func locateTransport(to frame: Int64) throws(JackError) {
    try opened.edit { _ in
      _ = jack_transport_locate(opened.client, jack_nframes_t(clamping: frame))
    }
  }

  /// Makes this client the timebase source, which supplies bar, beat and tempo, in place of any other; nil releases
  /// the timebase.
  ///
  /// JACK does not notify the previous timebase source: it merely stops calling it.
  ///
  /// - Parameter tempoMap: the tempo map of the timeline; nil to release the timebase.
  /// - Returns: whether the server agreed, and whether another program was the timebase source until now.
  @discardableResult package func setTimebase(_ tempoMap: TempoMap?) throws(JackError) -> TimebaseResult {
    try opened.edit { edits in
      guard let tempoMap else {
        guard !edits.timebases.isEmpty else { return .agreed }
        return jack_release_timebase(opened.client) == 0 ? .agreed : .refused
      }
      let table = Timebase(tempoMap, sampleRate: sampleRate)
      opened.freeReplacedTimebases(&edits)
      edits.timebases.append((timebase: table, replaced: nil))
      // Try conditionally first, which succeeds if there is no other timebase source.
      let isFree = jack_set_timebase_callback(opened.client, 1, timebaseCallback, table.memory) == 0
      let isAgreed =
        isFree || jack_set_timebase_callback(opened.client, 0, timebaseCallback, table.memory) == 0
      // JACK now passes this table to the callback. A cycle that is running may still read the previous one.
      let cycle = opened.edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
      for index in edits.timebases.indices.dropLast() where edits.timebases[index].replaced == nil {
        edits.timebases[index].replaced = cycle
      }
      return isFree ? .agreed : isAgreed ? .tookOver : .refused
    }
  }

  /// Sets whether JACK waits for ``becomeReady(at:)`` before its transport rolls.
  ///
  /// JACK waits at most two seconds, unless a client has set another timeout.
  package func setFollowing(_ isOn: Bool) throws(JackError) {
    try opened.edit { _ in
      opened.edge.pointee.awaited.store(-1, ordering: .relaxed)
      opened.edge.pointee.ready.store(-1, ordering: .relaxed)
      jack_set_sync_callback(opened.client, isOn ? syncCallback : nil, opened.edge)
    }
  }

  /// The transport frame at which JACK waits for this client; nil if it does not wait.
  package var awaitedFrame: Int64? {
    let frame = opened.edge.pointee.awaited.load(ordering: .acquiring)
    return frame < 0 ? nil : frame
  }

  /// Reports that this client is ready to roll from a frame.
  package func becomeReady(at frame: Int64) { opened.edge.pointee.ready.store(frame, ordering: .releasing) }
}

extension OpenClient {
  /// Frees the tempo tables that the audio thread no longer reads. JACK calls the timebase callback after this
  /// client's cycle and before the next one. When the count has advanced by two, at least one cycle has begun since
  /// the table was replaced.
  fileprivate func freeReplacedTimebases(_ edits: inout Edits) {
    let cycle = edge.pointee.sequence.load(ordering: .sequentiallyConsistent)
    edits.timebases.removeAll { timebase in
      timebase.replaced.map { !edits.isActive || cycle &- $0 >= 2 } ?? false
    }
  }
}

/// The tempo table of the timebase, at a fixed address.
// @unchecked: nothing is written after it has been made.
final class Timebase: @unchecked Sendable {
  let memory: UnsafeMutablePointer<TempoTable>

  init(_ tempoMap: TempoMap, sampleRate: Double) {
    memory = .allocate(capacity: 1)
    memory.initialize(to: TempoTable(tempoMap, sampleRate: sampleRate))
  }

  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }
}
