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
  /// The direction in which sound or events pass a port, seen from the port's owner.
  public enum Direction: Hashable, Sendable {
    /// The owner reads the port: a playback port of the sound card, or a capture port of the engine.
    case input
    /// The owner writes the port: a capture port of the sound card, or a playback port of the engine.
    case output
  }

  /// The full name of the port, such as `system:capture_1`.
  public let name: String
  /// The content of the port: sound or MIDI.
  public let content: Content
  /// The direction of the port.
  public let direction: Direction
  /// Whether the port is a physical port, such as a socket of the sound card, instead of a program's.
  public let isPhysical: Bool

  /// Creates a port from its properties.
  package init(_ name: String, _ content: Content, _ direction: Direction, isPhysical: Bool = false) {
    self.name = name
    self.content = content
    self.direction = direction
    self.isPhysical = isPhysical
  }

  /// The name of the client that owns the port: the part before the colon.
  package var client: String { String(name.prefix { $0 != ":" }) }

  /// Returns all audio and MIDI ports of the client's server, in the order of their registration.
  static func all(of client: OpaquePointer) -> [JackPort] {
    guard let names = jack_get_ports(client, nil, nil, 0) else { return [] }
    defer { jack_free(names) }
    var ports: [JackPort] = []
    var index = 0
    while let name = names[index] {
      index += 1
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
