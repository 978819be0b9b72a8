// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletSignal

/// The event ports of an audited instance: sends notes to plugins that take MIDI, and checks their output events.
final class AuditEvents {
  private let types = EventTypes()
  private let inputs: [(port: EventPort, takesNotes: Bool)], outputs: [EventPort]
  private let buffers: [Int: GuardedBuffer]

  /// The time between two note-ons in seconds; each note is held for half of it.
  private static let period = 0.5

  init(_ model: PluginModel) {
    var inputs: [(port: EventPort, takesNotes: Bool)] = [], outputs: [EventPort] = []
    var buffers: [Int: GuardedBuffer] = [:]
    for port in model.ports where port.kind == .atom {
      let size = (max(port.minimumSize, PluginBody.sequenceSize) + 7) & ~7
      guard let buffer = GuardedBuffer(port, byteCount: size) else { continue }
      buffers[port.index] = buffer
      // The capacity is whole pages, so that an overflow hits the guard page.
      let events = EventPort(bus: 0, memory: buffer.base, capacity: buffer.capacity, receivesPosition: false)
      if port.isInput {
        inputs.append((events, port.supports.contains(Name.midiEvent)))
      } else {
        outputs.append(events)
      }
    }
    (self.inputs, self.outputs, self.buffers) = (inputs, outputs, buffers)
  }

  func memory(of port: PluginPort) -> UnsafeMutableRawPointer? { buffers[port.index]?.base }

  /// Clears all sequences, and adds the notes that begin or end in the block.
  func begin(_ frame: Int, _ frames: Int, rate: Double) {
    for output in outputs { output.begin(size: output.capacity - 8, type: types.chunk) }
    let half = Int(Self.period / 2 * rate)
    for (port, takesNotes) in inputs {
      port.begin(size: 8, type: types.sequence)
      guard takesNotes else { continue }
      var change = (frame + half - 1) / half
      while change * half < frame + frames {
        let note: [UInt8] = change % 2 == 0 ? [0x90, 60, 100] : [0x80, 60, 0]
        note.withUnsafeBytes { bytes in
          guard let bytes = bytes.baseAddress else { return }
          _ = port.append(frame: Int64(change * half - frame), type: EventHeader.midi, bytes, size: 3)
        }
        change += 1
      }
    }
  }

  /// The fault in the events that the plugin sent in a block; nil if there is none.
  func fault(frames: Int) -> (text: String, detail: String)? {
    for port in outputs {
      let size = Int(port.memory.load(as: UInt32.self)),
        type = port.memory.load(fromByteOffset: 4, as: UInt32.self)
      // An unchanged chunk means that the plugin sent no events.
      guard type == types.sequence else { continue }
      guard size >= 8, size <= port.capacity - 8 else {
        return ("the sequence of its events is longer than the buffer", "\(size) bytes")
      }
      var offset = 16, last = Int64(0)
      while offset + 16 <= 8 + size {
        guard let event = port.event(at: offset, before: 8 + size, object: types.patch.object) else {
          let length = (port.memory + offset + 8).load(as: UInt32.self)
          return ("an event is longer than the sequence that it is in", "\(length) bytes")
        }
        guard let time = event.frame else {
          return ("it sends an event without a time stamp", "an object of \(event.size) bytes at \(offset)")
        }
        if time < last {
          return ("it sends events that are not in the order of their times", "\(time) after \(last)")
        }
        if time < 0 || time >= Int64(frames) {
          return ("it sends an event outside of its block", "frame \(time) of \(frames)")
        }
        last = time
        offset = event.next
      }
    }
    return nil
  }
}
