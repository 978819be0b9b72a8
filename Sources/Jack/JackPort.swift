// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack

/// A port in the JACK graph, of the engine or of another client.
public struct JackPort: Hashable, Sendable {
  /// The content of a port.
  public enum Content: Hashable, Sendable {
    /// One channel of samples.
    case audio
    /// MIDI messages.
    case midi
  }
  /// Which way sound or events go, seen from the port's owner.
  public enum Direction: Hashable, Sendable {
    /// The owner reads it: a playback port of the sound card, our capture port.
    case input
    /// The owner writes it: a capture port of the sound card, our playback port.
    case output
  }

  /// Its full name: `system:capture_1`.
  public let name: String
  /// The content of the port: sound or MIDI.
  public let content: Content
  /// Which way it goes.
  public let direction: Direction
  /// Whether it is a socket of a machine rather than a program's.
  public let isPhysical: Bool

  /// A port by its properties, such as a test makes.
  package init(_ name: String, _ content: Content, _ direction: Direction, isPhysical: Bool = false) {
    self.name = name
    self.content = content
    self.direction = direction
    self.isPhysical = isPhysical
  }

  /// The name of the client that owns it: what stands before the colon.
  package var client: String { String(name.prefix { $0 != ":" }) }

  /// All audio and MIDI ports of the client's server, in the order they were registered.
  static func all(of client: OpaquePointer) -> [JackPort] {
    guard let names = jack_get_ports(client, nil, nil, 0) else { return [] }
    defer { jack_free(names) }
    var ports: [JackPort] = []
    var place = 0
    while let name = names[place] {
      place += 1
      guard let port = jack_port_by_name(client, name), let type = jack_port_type(port) else { continue }
      let content: Content
      switch String(cString: type) {
      case JACK_DEFAULT_AUDIO_TYPE: content = .audio
      case JACK_DEFAULT_MIDI_TYPE: content = .midi
      default: continue
      }
      let flags = UInt32(truncatingIfNeeded: jack_port_flags(port))
      ports.append(
        JackPort(
          String(cString: name), content, flags & JackPortIsInput.rawValue != 0 ? .input : .output,
          isPhysical: flags & JackPortIsPhysical.rawValue != 0))
    }
    return ports
  }
}
