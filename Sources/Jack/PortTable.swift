// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization
internal import SwiftletGraph
internal import SwiftletSignal

/// The JACK ports of one node, as the audio thread sees them. Made on the
/// control thread, then handed over whole.
struct PortGroup {
  /// Bytes for the MIDI of one cycle: what does not fit is counted as lost.
  static var eventBytes: Int { @_noLocks @_noAllocation get { 65_536 } }

  /// One JACK port a channel; one for MIDI.
  let ports: UnsafeMutablePointer<OpaquePointer>
  /// What JACK lends for this cycle, one address a port.
  let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The table that the renderer sees: the buffers, moved on to the part of the cycle that is rendered.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let count: Int
  /// Where MIDI is kept for the renderer; nil for audio.
  let eventMemory: UnsafeMutableRawPointer?
  /// Whether it is a way out for MIDI.
  let sendsMIDI: Bool
  /// The next MIDI event of the cycle to be read, and where in the cycle the last one was sent.
  var nextEvent: UInt32 = 0, lastOffset: UInt32 = 0
  /// The keys and pedals that are down behind the port, and whether something was lost that may have let go
  /// of one: then all are let go of, as soon as there is room.
  var notes = OpenNotes(), owesRelease = false

  init(_ handles: [OpaquePointer], _ content: JackPort.Content, _ direction: JackPort.Direction) {
    sendsMIDI = content == .midi && direction == .output
    count = handles.count
    ports = .allocate(capacity: max(count, 1))
    buffers = .allocate(capacity: max(count, 1))
    channels = .allocate(capacity: max(count, 1))
    eventMemory = content == .midi ? .allocate(byteCount: Self.eventBytes, alignment: 8) : nil
    buffers.initialize(repeating: nil, count: max(count, 1))
    eventMemory?.initializeMemory(as: UInt8.self, repeating: 0, count: Self.eventBytes)
    for (place, handle) in handles.enumerated() { ports[place] = handle }
  }

  func deallocate() {
    ports.deallocate()
    buffers.deallocate()
    channels.deallocate()
    eventMemory?.deallocate()
  }
}

/// The ways in, or the ways out, by bus number: a table of fixed size whose
/// entries come and go while it is read.
///
/// The control thread stores a whole group or nothing; the audio thread copies
/// the table at the start of a cycle.
struct PortTable: ~Copyable {
  /// The most ways in, and the most ways out, of a client.
  static let capacity = 256

  private let entries: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<PortGroup>?>>
  /// One behind the highest bus number ever used.
  let count = Atomic<Int>(0)
  /// The groups of this cycle. Audio thread only.
  let current: UnsafeMutablePointer<UnsafeMutablePointer<PortGroup>?>
  /// What the renderer is handed. Audio thread only.
  let buses: UnsafeMutablePointer<BusMemory>

  init(vacant: BusMemory) {
    entries = .allocate(capacity: Self.capacity)
    current = .allocate(capacity: Self.capacity)
    buses = .allocate(capacity: Self.capacity)
    for number in 0..<Self.capacity { (entries + number).initialize(to: Atomic(nil)) }
    current.initialize(repeating: nil, count: Self.capacity)
    buses.initialize(repeating: vacant, count: Self.capacity)
  }

  deinit {
    for number in 0..<Self.capacity {
      if let group = entries[number].load(ordering: .acquiring) {
        group.pointee.deallocate()
        group.deallocate()
      }
    }
    entries.deinitialize(count: Self.capacity)
    entries.deallocate()
    current.deallocate()
    buses.deallocate()
  }

  /// Shows a group to the audio thread from the next cycle on. Control thread.
  borrowing func show(_ group: UnsafeMutablePointer<PortGroup>, as number: Int) {
    entries[number].store(group, ordering: .sequentiallyConsistent)
    if number >= count.load(ordering: .relaxed) { count.store(number + 1, ordering: .releasing) }
  }

  /// Hides a group from the audio thread from the next cycle on; a running cycle
  /// may still use it. Control thread.
  borrowing func hide(_ number: Int) -> UnsafeMutablePointer<PortGroup>? {
    entries[number].exchange(nil, ordering: .sequentiallyConsistent)
  }

  /// Copies the table for this cycle and gives its length. Audio thread.
  @_noLocks @_noAllocation borrowing func take() -> Int {
    let length = count.load(ordering: .acquiring)
    for number in 0..<length { current[number] = entries[number].load(ordering: .sequentiallyConsistent) }
    return length
  }
}
