// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import CSwiftletRealtime
internal import SwiftletSignal

extension AudioThreadContext {
  /// Returns the state of JACK's transport at the first frame of this cycle. Audio thread, in the process callback
  /// only.
  @_noLocks @_noAllocation func readTransport() -> Transport {
    var position = jack_position_t()
    let state = swiftlet_jack_transport(client, &position)
    var transport = Transport(
      isRolling: state == JackTransportRolling || state == JackTransportLooping,
      position: Int64(position.frame))
    guard position.valid.rawValue & JackPositionBBT.rawValue != 0 else { return transport }
    transport.tempo = position.beats_per_minute
    transport.beatsPerBar = position.beats_per_bar
    transport.beatUnit = position.beat_type
    transport.bar = position.bar
    let fraction = position.ticks_per_beat > 0 ? Double(position.tick) / position.ticks_per_beat : 0
    transport.beat = Double(position.beat) - 1 + fraction
    // "The bar, beat and tick values actually refer to a time bbt_offset frames
    // before the start of the cycle."
    if position.valid.rawValue & JackBBTFrameOffset.rawValue != 0 {
      transport.moveBeat(by: Int(position.bbt_offset), sampleRate: sampleRate)
    }
    return transport
  }
}

extension Transport {
  /// Returns the transport `frames` later in the same cycle.
  @_noLocks @_noAllocation func advanced(by frames: Int, sampleRate: Double) -> Transport {
    guard isRolling, frames > 0 else { return self }
    var later = self
    later.position += Int64(frames)
    later.moveBeat(by: frames, sampleRate: sampleRate)
    return later
  }

  /// Advances bar and beat by some frames, without the position.
  @_noLocks @_noAllocation mutating func moveBeat(by frames: Int, sampleRate: Double) {
    guard tempo > 0, sampleRate > 0 else { return }
    beat += Double(frames) * tempo / (60 * sampleRate)
    let length = Double(beatsPerBar)
    guard length > 0, beat >= length else { return }
    let bars = rt_floor_double(beat / length)
    beat -= bars * length
    // A timebase source that sends invalid values must not trap the audio thread.
    if bars < 1_000_000 { bar &+= Int32(bars) }
  }
}
