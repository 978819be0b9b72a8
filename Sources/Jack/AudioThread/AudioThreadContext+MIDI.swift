// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

extension AudioThreadContext {
  /// Copies the incoming MIDI of one part of the cycle to the renderer's buses, with absolute frames. Audio thread.
  @_noLocks @_noAllocation
  func receiveMIDI(_ length: Int, frame: Int64, start: Int, count: Int) {
    for number in 0..<length {
      guard let group = inputs.current[number], let events = inputs.buses[number].events,
        let buffer = group.pointee.buffers[0]
      else { continue }
      if group.pointee.needsRelease {
        group.pointee.needsRelease = !group.pointee.notes.release(into: events, at: frame)
      }
      if start == 0 { recordLoss(Int(swiftlet_jack_midi_lost(buffer)), by: group) }
      let total = swiftlet_jack_midi_count(buffer)
      while group.pointee.nextEvent < total {
        var event = jack_midi_event_t()
        guard swiftlet_jack_midi_get(&event, buffer, group.pointee.nextEvent) == 0, let bytes = event.buffer
        else {
          group.pointee.nextEvent += 1
          continue
        }
        guard Int(event.time) < start + count else { break }
        group.pointee.nextEvent += 1
        let header = EventHeader(
          frame: frame + Int64(event.time) - Int64(start), type: EventHeader.midi,
          size: UInt32(truncatingIfNeeded: event.size))
        if events.append(header, bytes: bytes) { group.pointee.notes.follow(header, bytes) }
      }
      recordLoss(events.takeDropped(), by: group)
    }
  }

  /// Copies the MIDI that the renderer wrote to its buses to JACK's buffers, in order and with offsets inside the
  /// cycle. Audio thread.
  @_noLocks @_noAllocation
  func sendMIDI(_ length: Int, begin: Int64, frameCount: Int) {
    for number in 0..<length {
      guard let group = outputs.current[number], let events = outputs.buses[number].events,
        let buffer = group.pointee.buffers[0]
      else { continue }
      if group.pointee.needsRelease { release(group, buffer) }
      recordLoss(events.takeDropped(), by: group)
      var next = events.first
      while let event = next {
        if event.header.type == EventHeader.midi {
          let latest = max(Int64(group.pointee.lastOffset), event.header.frame &- begin)
          let offset = jack_nframes_t(min(latest, Int64(frameCount) - 1))
          group.pointee.lastOffset = offset
          let failure = swiftlet_jack_midi_write(buffer, offset, event.bytes, Int(event.header.size))
          if failure == 0 {
            group.pointee.notes.follow(event.header, event.bytes)
          } else {
            recordLoss(1, by: group)
          }
        }
        next = events.next(after: event)
      }
    }
  }

  /// Sends note-offs and pedal releases for everything that is held behind an output port, as far as JACK's buffer
  /// has room.
  @_noLocks @_noAllocation
  private func release(_ group: UnsafeMutablePointer<PortGroup>, _ buffer: UnsafeMutableRawPointer) {
    while let message = group.pointee.notes.release {
      var bytes = message.littleEndian
      guard swiftlet_jack_midi_write(buffer, group.pointee.lastOffset, &bytes, 3) == 0 else { return }
      group.pointee.notes.follow(release: message)
    }
    group.pointee.needsRelease = false
  }

  /// Counts events that did not fit into a buffer. A note-off may have been among them, so the port's held notes are
  /// released.
  @_noLocks @_noAllocation
  private func recordLoss(_ count: Int, by group: UnsafeMutablePointer<PortGroup>) {
    guard count > 0 else { return }
    group.pointee.needsRelease = true
    lostEvents.add(count, ordering: .relaxed)
  }
}
