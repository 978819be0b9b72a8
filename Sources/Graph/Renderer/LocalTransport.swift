// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
package import SwiftletTimeline
internal import Synchronization

/// A transport of the engine alone, which takes the place of JACK's in each cycle: it stands still, rolls and loops.
///
/// Control threads give orders, and the audio thread carries them out from its next cycle on.
// @unchecked: `audio` is the audio thread's alone; `tables` is locked.
@safe package struct LocalTransport: ~Copyable, @unchecked Sendable {
  /// The latest order of the control threads.
  @unsafe struct Order: BitwiseCopyable, @unchecked Sendable {
    /// The tempo and meter of each frame; nil if none are stated.
    var table: UnsafePointer<TempoTable>?
    /// Whether the engine has a transport of its own. Otherwise the table is of the plain timeline, which begins with the
    /// first sound.
    var isTransport = false
    var isRolling = false
    var loop: TimelineLoop?
    /// A frame to go to, and how often one was asked for by then.
    var position: Int64 = 0, number = 0
  }

  /// The state that only the audio thread touches.
  @unsafe private struct AudioSide: BitwiseCopyable {
    var order = unsafe Order()
    /// The order whose position was gone to, and the frame that comes next, counted on through all loops.
    var reached = 0, frame: Int64 = 0
  }

  private let orders = unsafe LatestOrder(Order())
  private let audio: UnsafeMutablePointer<AudioSide>
  /// All tables that the audio thread may still read: a role is set a few times at most.
  private let tables = Mutex<[Table]>([])

  /// Keeps a table where the audio thread can read it.
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

  /// Takes the place of JACK's transport, standing still at the start of the timeline. Control thread.
  package func begin(_ map: TempoMap, loop: TimelineLoop?, sampleRate: Double) {
    let table = table(of: map, sampleRate: sampleRate)
    unsafe orders.give { order in
      unsafe order = Order(
        table: UnsafePointer(table.memory), isTransport: true, loop: loop, number: order.number + 1)
    }
  }

  /// Leaves the transport to JACK, and has plugins see bars, beats and tempo of the plain timeline. Control thread.
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

  /// Leaves the transport to JACK. Control thread.
  package func end() {
    unsafe orders.give { order in unsafe order = Order(number: order.number) }
  }

  /// Stands still, or goes on. Control thread.
  package func roll(_ isRolling: Bool) { unsafe orders.give { unsafe $0.isRolling = isRolling } }

  /// Goes to a frame. Control thread.
  package func locate(to frame: Int64) {
    unsafe orders.give { order in
      unsafe order.position = frame
      unsafe order.number += 1
    }
  }

  /// The range that loops; nil where none does. Control thread.
  package var loop: TimelineLoop? { unsafe orders.latest.loop }

  /// The transport at a frame that the audio thread has counted; nil while the engine follows JACK's. Control thread.
  package func transport(at frame: Int64) -> Transport? {
    let order = unsafe orders.latest
    return unsafe order.isTransport ? order.transport(at: frame) : nil
  }

  /// The transport at the first frame of a cycle; nil while the engine follows JACK's. Audio thread.
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

  /// The bars and beats of the plain timeline at a frame; nil if no tempo is stated. Audio thread, within a cycle.
  @_noLocks @_noAllocation func shownTransport(at frame: Int64, isRolling: Bool) -> Transport? {
    var transport = unsafe audio.pointee.order.transport(at: frame)
    transport?.isRolling = isRolling
    return transport
  }

  /// The timeline has moved on by so many frames. Audio thread.
  @_noLocks @_noAllocation func advance(_ frameCount: Int) { unsafe audio.pointee.frame += Int64(frameCount) }

  /// The frame that comes next, counted on through all loops, and the loop. Audio thread, within a cycle.
  var frame: Int64 { @_noLocks @_noAllocation get { unsafe audio.pointee.frame } }
  var currentLoop: TimelineLoop? { @_noLocks @_noAllocation get { unsafe audio.pointee.order.loop } }
}

extension LocalTransport.Order {
  /// The transport at a frame that the audio thread has counted; nil if no tempo is stated.
  @_noLocks @_noAllocation fileprivate func transport(at frame: Int64) -> Transport? {
    guard let table = unsafe table else { return nil }
    let place = unsafe loop.place(of: frame), moment = unsafe table.pointee.moment(at: place)
    return unsafe Transport(
      isRolling: isRolling, position: place, tempo: moment.tempo, bar: moment.bar, beat: moment.beat,
      beatsPerBar: moment.beatsPerBar, beatUnit: moment.beatUnit)
  }
}
