// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletJack
import Testing

/// Simulated headphones in JACK: a client with physical ports that can be removed.
final class Headphones {
  private let client: OpaquePointer
  private var ports: [OpaquePointer] = []

  init(on server: String) throws {
    var status = jack_status_t(0)
    client = try #require(
      swiftlet_jack_client_open("headphones", jack_options_t(JackNoStartServer.rawValue), &status, server))
    jack_activate(client)
  }

  func plugIn() {
    let flags = JackPortIsInput.rawValue | JackPortIsPhysical.rawValue | JackPortIsTerminal.rawValue
    ports = (["left", "right"] as [String]).compactMap {
      jack_port_register(client, $0, JACK_DEFAULT_AUDIO_TYPE, UInt(flags), 0)
    }
  }

  func unplug() {
    for port in ports { jack_port_unregister(client, port) }
    ports = []
  }

  func close() { jack_client_close(client) }
}
