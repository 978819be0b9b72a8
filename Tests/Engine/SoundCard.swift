// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletJack
import Foundation

/// A sound card whose output is connected to its input, as a JACK client. Sound played into its port `playback` returns
/// at its port `capture`, delayed by the latencies of both ports.
// @unchecked: only the process callback uses the memory while the client is open.
final class SoundCard: @unchecked Sendable {
  private let client: OpaquePointer
  fileprivate let playback: OpaquePointer, capture: OpaquePointer
  fileprivate let playbackLatency: Int, captureLatency: Int
  fileprivate let line: UnsafeMutablePointer<Float>
  fileprivate var position = 0
  /// JACK itself adds a period if clients form a loop.
  fileprivate let delay: Int
  fileprivate static let length = 1 << 14

  /// Returns nil if there is no such server. With `isPhysical` its ports are physical.
  init?(
    server: String, period: Int, playbackLatency: Int, captureLatency: Int, isPhysical: Bool = false
  ) {
    var status = jack_status_t(0)
    guard let client = swiftlet_jack_client_open("card", JackNoStartServer, &status, server),
      let playback = Self.port("playback", of: client, JackPortIsInput, isPhysical),
      let capture = Self.port("capture", of: client, JackPortIsOutput, isPhysical)
    else { return nil }
    (self.client, self.playback, self.capture) = (client, playback, capture)
    (self.playbackLatency, self.captureLatency) = (playbackLatency, captureLatency)
    delay = playbackLatency + captureLatency - period
    line = .allocate(capacity: Self.length)
    line.initialize(repeating: 0, count: Self.length)
    let own = Unmanaged.passUnretained(self).toOpaque()
    jack_set_process_callback(client, passOn, own)
    jack_set_latency_callback(client, showLatency, own)
    jack_activate(client)
  }

  private static func port(
    _ name: String, of client: OpaquePointer, _ side: JackPortFlags, _ isPhysical: Bool
  ) -> OpaquePointer? {
    let flags = side.rawValue | (isPhysical ? JackPortIsPhysical.rawValue : 0)
    return jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags), 0)
  }

  deinit {
    jack_client_close(client)
    line.deallocate()
  }
}

private func passOn(_ count: jack_nframes_t, _ own: UnsafeMutableRawPointer?) -> Int32 {
  guard let own else { return 0 }
  let card = Unmanaged<SoundCard>.fromOpaque(own).takeUnretainedValue(), mask = SoundCard.length - 1
  guard let heard = jack_port_get_buffer(card.playback, count)?.assumingMemoryBound(to: Float.self),
    let given = jack_port_get_buffer(card.capture, count)?.assumingMemoryBound(to: Float.self)
  else { return 0 }
  for frame in 0..<Int(count) {
    card.line[card.position & mask] = heard[frame]
    given[frame] = card.line[(card.position - card.delay) & mask]
    card.position += 1
  }
  return 0
}

private func showLatency(_ mode: jack_latency_callback_mode_t, _ own: UnsafeMutableRawPointer?) {
  guard let own else { return }
  let card = Unmanaged<SoundCard>.fromOpaque(own).takeUnretainedValue()
  let isPlayback = mode == JackPlaybackLatency
  let frames = jack_nframes_t(isPlayback ? card.playbackLatency : card.captureLatency)
  var range = jack_latency_range_t(min: frames, max: frames)
  jack_port_set_latency_range(isPlayback ? card.playback : card.capture, mode, &range)
}
