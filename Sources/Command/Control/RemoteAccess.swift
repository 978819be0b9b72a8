// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletControl
internal import SwiftletManifest

/// The control of a running session by other commands of the tool.
final class RemoteAccess {
  private let server: ControlServer?
  private let observation: EventObservation

  /// Accepts commands from now on. Prints a warning if that is not possible.
  init(_ session: Session, _ tree: ControlTree, _ console: Console) {
    let events = tree.events
    observation = session.engine.observe { event in
      if let event = ControlEvent(event) { events.add(event) }
    }
    server = ControlServer(tree, name: session.manifest.name)
    if server == nil {
      console.warning(
        "no other command can control this session, since its socket cannot be made; set XDG_RUNTIME_DIR to a folder "
          + "that only you may write to and whose path has at most 60 bytes, and start the session again")
    }
  }

  deinit { close() }

  /// Accepts no more commands.
  func close() {
    observation.cancel()
    server?.close()
  }
}

extension ControlEvent {
  /// Converts an event of the engine; nil for one without a text.
  fileprivate init?(_ event: EngineEvent) {
    if case .takeEnded(let report) = event {
      self.init(.note, "take ended: \(report.path)")
      return
    }
    guard let line = EventText.line(event) ?? EventText.badInput(in: [event]) else { return nil }
    let kind: Kind =
      switch line.weight {
      case .detail: .detail
      case .note: .note
      case .warning: .warning
      case .error: .error
      }
    self.init(kind, line.line)
  }
}
