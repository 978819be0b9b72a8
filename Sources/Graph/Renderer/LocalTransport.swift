// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// The engine's own transport, which replaces JACK's in each cycle: it stops, rolls and loops.
///
/// Control threads send requests; the audio thread applies them from its next cycle on.
// @unchecked: only the audio thread uses `audio`; `tables` is locked.
@safe package struct LocalTransport: ~Copyable, @unchecked Sendable {
  /// The latest request of the control threads.
  @unsafe struct Order: BitwiseCopyable, @unchecked Sendable {
    /// The tempo and time signature at each frame; nil if none are given.
    var table: UnsafePointer<TempoTable>?
    /// Whether the engine has its own transport. If not, the table describes the plain timeline, which begins with
    /// the first sound.
    var isTransport = false
    var isRolling = false
    var loop: TimelineLoop?
    /// The frame to locate to, and the number of locate requests so far.
    var position: Int64 = 0, number = 0
  }

  /// State that only the audio thread uses.
  @unsafe private struct AudioSide: BitwiseCopyable {
    var order = unsafe Order()
    /// The number of the last locate request that was applied, and the next frame, counted on through all loops.
    var reached = 0, frame: Int64 = 0
  }

  private let orders = unsafe LatestRequest(Order())
  private let audio: UnsafeMutablePointer<AudioSide>
  /// All tables that the audio thread may still read. They are never freed earlier, since a role is set only a few
  /// times.
  private let tables = Mutex<[Table]>([])

  /// A table in memory that the audio thread can read.
  @safe private final class Table: Sendable {
    let map: TempoMap
    nonisolated(unsafe) let memory: UnsafeMutablePointer<TempoTable>

    init(_ map: TempoMap, sampleRate: Double) {
      self.map = map
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: TempoTable(map, sampleRate: sampleRate))
    }

    deinit {
      unsafe memory.deinitialize(count: 1)
      unsafe memory.deallocate()
    }
  }

  init() {
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(to: AudioSide())
  }

  deinit { unsafe audio.deallocate() }

  /// Replaces JACK's transport, stopped at the start of the timeline. Control threads only.
  package func begin(_ map: TempoMap, loop: TimelineLoop?, sampleRate: Double) {
    let table = table(of: map, sampleRate: sampleRate)
    unsafe orders.give { order in
      unsafe order = Order(
        table: UnsafePointer(table.memory), isTransport: true, loop: loop, number: order.number + 1)
    }
  }

  /// Follows JACK's transport, and passes the bars, beats and tempo of the plain timeline to plugins. Control threads
  /// only.
  package func show(_ map: TempoMap, sampleRate: Double) {
    let table = table(of: map, sampleRate: sampleRate)
    unsafe orders.give { order in
      unsafe order = Order(table: UnsafePointer(table.memory), number: order.number)
    }
  }

  private func table(of map: TempoMap, sampleRate: Double) -> Table {
    tables.withLock { tables in
      if let known = tables.first(where: { $0.map == map }) { return known }
      tables.append(Table(map, sampleRate: sampleRate))
      return tables[tables.count - 1]
    }
  }

  /// Follows JACK's transport. Control threads only.
  package func end() {
    unsafe orders.give { order in unsafe order = Order(number: order.number) }
  }

  /// Starts or stops the transport. Control threads only.
  package func roll(_ isRolling: Bool) { unsafe orders.give { unsafe $0.isRolling = isRolling } }

  /// Moves the transport to a frame. Control threads only.
  package func locate(to frame: Int64) {
    unsafe orders.give { order in
      unsafe order.position = frame
      unsafe order.number += 1
    }
  }

  /// The loop range; nil if the transport does not loop. Control threads only.
  package var loop: TimelineLoop? { unsafe orders.latest.loop }

  /// Returns the transport at a frame that the audio thread has counted; nil while the engine follows JACK's
  /// transport. Control threads only.
  package func transport(at frame: Int64) -> Transport? {
    let order = unsafe orders.latest
    return unsafe order.isTransport ? order.transport(at: frame) : nil
  }

  /// Returns the transport at the first frame of a cycle; nil while the engine follows JACK's transport. Audio thread
  /// only.
  @_noLocks @_noAllocation func beginCycle(isAsleep: Bool) -> Transport? {
    unsafe orders.published.read(into: &audio.pointee.order)
    if unsafe audio.pointee.order.number != audio.pointee.reached {
      unsafe audio.pointee.reached = audio.pointee.order.number
      unsafe audio.pointee.frame = audio.pointee.order.position
    }
    guard unsafe audio.pointee.order.isTransport else { return nil }
    var transport = unsafe audio.pointee.order.transport(at: audio.pointee.frame)
    if isAsleep { transport?.isRolling = false }
    return transport
  }

  /// Returns bar, beat and tempo at a frame of the engine's own timeline, without its loop, for nodes to read; nil if no
  /// tempo is given. Audio thread only, within a cycle.
  @_noLocks @_noAllocation func shownTransport(at frame: Int64, isRolling: Bool) -> Transport? {
    var transport = unsafe audio.pointee.order.transport(at: frame)
    transport?.isRolling = isRolling
    return transport
  }

  /// Advances the transport by a number of frames. Audio thread only.
  @_noLocks @_noAllocation func advance(_ frameCount: Int) { unsafe audio.pointee.frame += Int64(frameCount) }

  /// The next frame, counted on through all loops, and the loop range. Audio thread only, within a cycle.
  var frame: Int64 { @_noLocks @_noAllocation get { unsafe audio.pointee.frame } }
  var currentLoop: TimelineLoop? { @_noLocks @_noAllocation get { unsafe audio.pointee.order.loop } }
}

extension LocalTransport.Order {
  /// Returns the transport at a frame that the audio thread has counted; nil if no tempo is given.
  @_noLocks @_noAllocation fileprivate func transport(at frame: Int64) -> Transport? {
    guard let table = unsafe table else { return nil }
    let timelineFrame = unsafe loop.timelineFrame(of: frame),
      moment = unsafe table.pointee.moment(at: timelineFrame)
    return unsafe Transport(
      isRolling: isRolling, position: timelineFrame, tempo: moment.tempo, bar: moment.bar, beat: moment.beat,
      beatsPerBar: moment.beatsPerBar, beatUnit: moment.beatUnit)
  }
}
