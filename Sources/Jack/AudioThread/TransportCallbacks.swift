// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import CSwiftletRealtime
internal import Synchronization
internal import SwiftletTimeline

// JACK calls both functions on the audio thread, before or after this client's cycle.

/// The timebase callback: sets bar, beat and tempo at the first frame of the next cycle.
@_noLocks @_noAllocation
func timebaseCallback(
  _ state: jack_transport_state_t, _ frameCount: jack_nframes_t,
  _ position: UnsafeMutablePointer<jack_position_t>?,
  _ isNew: Int32, _ context: UnsafeMutableRawPointer?
) {
  guard let position, let context else { return }
  let table = context.assumingMemoryBound(to: TempoTable.self)
  let moment = table.pointee.moment(at: Int64(position.pointee.frame))
  let ticks = 1920.0, beat = rt_floor_double(moment.beat)
  position.pointee.valid = JackPositionBBT
  position.pointee.bar = moment.bar
  position.pointee.beat = Int32(beat) + 1
  position.pointee.tick = Int32((moment.beat - beat) * ticks)
  position.pointee.bar_start_tick = moment.barStart * ticks
  position.pointee.beats_per_bar = moment.beatsPerBar
  position.pointee.beat_type = moment.beatUnit
  position.pointee.ticks_per_beat = ticks
  position.pointee.beats_per_minute = moment.tempo
}

/// The sync callback: returns whether this client is ready to roll from a position. JACK waits until all clients are
/// ready.
@_noLocks @_noAllocation
func syncCallback(
  _ state: jack_transport_state_t, _ position: UnsafeMutablePointer<jack_position_t>?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let position, let context else { return 1 }
  let edge = context.assumingMemoryBound(to: AudioThreadContext.self), frame = Int64(position.pointee.frame)
  // If the transport rolls already, the wait has timed out.
  if state == JackTransportRolling { return 1 }
  edge.pointee.awaited.store(frame, ordering: .releasing)
  return edge.pointee.ready.load(ordering: .acquiring) == frame ? 1 : 0
}
