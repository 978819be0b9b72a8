// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization
internal import SwiftletGraph
internal import SwiftletSignal

/// The JACK ports of one node, as the audio thread sees them. The control thread creates a complete group before it
/// publishes it.
struct PortGroup {
  /// The bytes for the MIDI of one cycle. Events that do not fit are counted as lost.
  static var eventBytes: Int { @_noLocks @_noAllocation get { 65_536 } }

  /// One JACK port for each channel; one for MIDI.
  let ports: UnsafeMutablePointer<OpaquePointer>
  /// JACK's buffers for this cycle, one address for each port.
  let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// The channel table for the renderer: the buffers, offset to the part of the cycle that is rendered.
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let count: Int
  /// The memory for the renderer's MIDI; nil for audio.
  let eventMemory: UnsafeMutableRawPointer?
  /// Whether the group is a MIDI output.
  let sendsMIDI: Bool
  /// The index of the next MIDI event to read in this cycle, and the offset of the last event sent in it.
  var nextEvent: UInt32 = 0, lastOffset: UInt32 = 0
  /// The held notes and pedals behind the port, and whether a lost event may have been a release. If so, all are
  /// released as soon as there is room.
  var notes = HeldNotes(), needsRelease = false

  init(_ handles: [OpaquePointer], _ content: JackPort.Content, _ direction: JackPort.Direction) {
    sendsMIDI = content == .midi && direction == .output
    count = handles.count
    ports = .allocate(capacity: max(count, 1))
    buffers = .allocate(capacity: max(count, 1))
    channels = .allocate(capacity: max(count, 1))
    eventMemory = content == .midi ? .allocate(byteCount: Self.eventBytes, alignment: 8) : nil
    buffers.initialize(repeating: nil, count: max(count, 1))
    eventMemory?.initializeMemory(as: UInt8.self, repeating: 0, count: Self.eventBytes)
    for (index, handle) in handles.enumerated() { ports[index] = handle }
  }

  func deallocate() {
    ports.deallocate()
    buffers.deallocate()
    channels.deallocate()
    eventMemory?.deallocate()
  }
}

/// The input nodes or the output nodes by bus number: a table of fixed size whose entries may change while it is
/// read.
///
/// The control thread stores a complete group or nil. The audio thread copies the table at the start of a cycle.
struct PortTable: ~Copyable {
  /// The maximum number of input nodes, and of output nodes, of a client.
  static let capacity = 256

  private let entries: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<PortGroup>?>>
  /// The highest bus number ever used, plus one.
  let count = Atomic<Int>(0)
  /// The groups of this cycle. Audio thread only.
  let current: UnsafeMutablePointer<UnsafeMutablePointer<PortGroup>?>
  /// The buses for the renderer. Audio thread only.
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

  /// Publishes a group to the audio thread from the next cycle on. Control thread.
  borrowing func show(_ group: UnsafeMutablePointer<PortGroup>, as number: Int) {
    entries[number].store(group, ordering: .sequentiallyConsistent)
    if number >= count.load(ordering: .relaxed) { count.store(number + 1, ordering: .releasing) }
  }

  /// Removes a group for the audio thread from the next cycle on; a running cycle may still use it. Control thread.
  borrowing func hide(_ number: Int) -> UnsafeMutablePointer<PortGroup>? {
    entries[number].exchange(nil, ordering: .sequentiallyConsistent)
  }

  /// Copies the table for this cycle and returns its length. Audio thread.
  @_noLocks @_noAllocation borrowing func take() -> Int {
    let length = count.load(ordering: .acquiring)
    for number in 0..<length { current[number] = entries[number].load(ordering: .sequentiallyConsistent) }
    return length
  }
}
