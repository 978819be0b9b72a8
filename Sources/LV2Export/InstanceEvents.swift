// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The event ports of an instance: MIDI to and from the effect's event buses, and the host's transport.
@safe struct InstanceEvents: ~Copyable {
  /// The state of one port in a run.
  private struct Port: BitwiseCopyable {
    let number: Int
    let isInput: Bool, takesPosition: Bool
    /// The effect's bus; nil for a port only for the transport.
    let bus: EventBuffer?
    var reader: SequenceReader?
    var writer: SequenceWriter?
  }

  private let ports: UnsafeMutablePointer<Port>
  private let portCount: Int
  /// Nil if the host does not map URIDs; there are no events then.
  private let types: HostTypes?
  private var hostTransport: HostTransport

  /// Creates the event ports of a plugin whose buses exist already.
  init(_ plugin: ExportedPlugin, _ buses: borrowing InstanceBuses, sampleRate: Double, _ types: HostTypes?) {
    self.types = types
    hostTransport = HostTransport(sampleRate: sampleRate)
    unsafe ports = .allocate(capacity: plugin.eventPorts.count + 1)
    var count = 0
    // File messages do not reach the effect.
    for (index, port) in plugin.eventPorts.enumerated() where port.bus != nil || port.takesPosition {
      var bus: EventBuffer?
      if let number = port.bus { bus = buses.events(number, isInput: port.isInput) }
      unsafe (ports + count).initialize(
        to: Port(
          number: plugin.firstEventPort + index, isInput: port.isInput, takesPosition: port.takesPosition,
          bus: bus))
      count += 1
    }
    portCount = count
  }

  deinit { unsafe ports.deallocate() }

  /// Reads the headers of the host's sequences at the begin of a run.
  @_noLocks @_noAllocation mutating func begin(_ buses: borrowing InstanceBuses) {
    for index in 0..<portCount {
      unsafe ports[index].reader = nil
      unsafe ports[index].writer = nil
      guard let types, let memory = unsafe buses.ports[ports[index].number] else { continue }
      if unsafe ports[index].isInput {
        unsafe ports[index].reader = SequenceReader(memory, sequence: types.sequence)
      } else {
        unsafe ports[index].writer = SequenceWriter(memory, sequence: types.sequence)
      }
    }
  }

  /// Passes the effect its events from frame `start` of the run on.
  ///
  /// - Returns: The number of frames, at most `most`, until the next transport message.
  @_noLocks @_noAllocation
  mutating func receive(from start: Int, most: Int, frame: Int64, _ buses: borrowing InstanceBuses) -> Int {
    for index in 0..<portCount { unsafe ports[index].bus?.clear() }
    guard portCount > 0, let types else { return most }
    var end = start + most
    for index in 0..<portCount where unsafe ports[index].takesPosition {
      end = unsafe min(end, nextPosition(ports[index], after: start, types))
    }
    // A run of zero frames may carry a transport message, too.
    for index in 0..<portCount {
      deliver(index, from: start, to: max(end, start + 1), frame, types)
    }
    unsafe buses.transport.pointee = hostTransport.transport
    hostTransport.advance(end - start)
    return end - start
  }

  /// Passes the host the events that the effect sent in a block that began at frame `start` of the run.
  @_noLocks @_noAllocation func send(from start: Int, count: Int, frame: Int64) {
    for index in 0..<portCount {
      guard let types, unsafe ports[index].writer != nil, let bus = unsafe ports[index].bus else { continue }
      var next = bus.first
      while let event = next {
        let since = min(max(event.header.frame - frame, 0), Int64(count - 1))
        if event.header.type == EventHeader.midi {
          unsafe ports[index].writer?.append(
            frame: Int64(start) + since, type: types.midi, event.bytes, size: Int(event.header.size))
        }
        next = bus.next(after: event)
      }
    }
  }

  /// The frame of the first transport message after `start`.
  @_noLocks @_noAllocation
  private func nextPosition(_ port: Port, after start: Int, _ types: HostTypes) -> Int {
    guard var reader = port.reader else { return .max }
    while reader.hasEvent {
      if reader.frame > start, isPosition(reader, types) { return reader.frame }
      reader.advance()
    }
    return .max
  }

  @_noLocks @_noAllocation
  private mutating func deliver(
    _ index: Int, from start: Int, to end: Int, _ frame: Int64, _ types: HostTypes
  ) {
    let port = unsafe ports[index]
    guard var reader = port.reader else { return }
    while reader.hasEvent, reader.frame < end {
      if port.takesPosition, isPosition(reader, types) {
        unsafe hostTransport.take(reader.bytes, size: reader.size, types)
      } else if reader.type == types.midi, let bus = port.bus {
        let header = EventHeader(
          frame: frame + Int64(max(reader.frame, start) - start), type: EventHeader.midi,
          size: UInt32(truncatingIfNeeded: reader.size))
        unsafe bus.append(header, bytes: reader.bytes)
      }
      reader.advance()
    }
    unsafe ports[index].reader = reader
  }

  @_noLocks @_noAllocation private func isPosition(_ reader: SequenceReader, _ types: HostTypes) -> Bool {
    guard reader.type == types.object || reader.type == types.blank, reader.size >= 8 else { return false }
    return unsafe reader.bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == types.position
  }
}
