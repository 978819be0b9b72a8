// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// A muted playback node for which the audio thread is looking for the cause.
struct MuteInquiry {
  let output: NodeID
  /// The engine's frame when the mute was reported.
  let frame: Int64
}

extension EngineCore {
  /// Closes the inquiries for which the audio thread has looked for one second without finding the cause.
  ///
  /// - Parameter all: whether to close all inquiries, because no more sound is rendered.
  /// - Returns: an event with the suspects of each closed inquiry.
  mutating func takeSuspects(all: Bool = false) -> [EngineEvent] {
    guard !inquiries.isEmpty else { return [] }
    let latest =
      controller.renderer.position.load(ordering: .acquiring) - Int64(controller.renderer.sampleRate)
    let due = inquiries.filter { all || $0.frame <= latest }
    inquiries.removeAll { inquiry in due.contains { $0.output == inquiry.output } }
    return due.map { .suspects(nodes: candidates(behind: $0.output)) }
  }

  /// Returns the plugins whose sound reaches a node; if there are none, all nodes whose sound does, except mixers.
  private func candidates(behind output: NodeID) -> [String] {
    let heard = graph.sources(of: output).filter { $0 != output }
    let plugins = heard.filter { records[$0]?.plugin != nil }
    let others = heard.filter { graph.node($0).map { $0.role != .mixer } ?? false }
    return (plugins.isEmpty ? others : plugins).sorted().map(name)
  }
}

extension AudioEngine {
  /// Reports the suspects of all open inquiries, when no more sound is rendered.
  func closeInquiries() {
    for event in core.withLock({ $0.takeSuspects(all: true) }) { broadcaster.send(event) }
  }
}
