// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import SwiftletThreads
internal import Synchronization

/// Pacing of freewheeling: while JACK freewheels, a cycle may wait until the sound of its frames is prepared.
extension JackClient {
  /// Sets whether cycles wait for ``grant(_:)`` while JACK freewheels. Call this before the client is activated, and
  /// only if something calls ``grant(_:)`` from then on.
  package func setPaced(_ isOn: Bool) { opened.edge.pointee.isPaced.store(isOn, ordering: .releasing) }

  /// The number of frames that may be rendered without a further grant; nil unless JACK freewheels.
  package var grantedFrames: Int? {
    let edge = opened.edge
    guard edge.pointee.isFreewheeling.load(ordering: .acquiring) else { return nil }
    return edge.pointee.budget.load(ordering: .acquiring)
  }

  /// Allows cycles to render `frameCount` more frames, whose sound is prepared.
  package func grant(_ frameCount: Int) { opened.edge.pointee.budget.add(frameCount, ordering: .releasing) }
}

extension AudioThreadContext {
  /// Waits until the frames of a cycle are granted, at most two seconds. After that the cycle runs with missing
  /// sound, as it would in real time. Only while JACK freewheels. Audio thread.
  @_semantics("no_performance_analysis")
  func awaitGrant(_ frameCount: Int) {
    // In microseconds. Compare times instead of counting sleeps: a sleep of 50 µs takes longer than that.
    let end = jack_get_time() + 2_000_000
    while budget.load(ordering: .acquiring) < frameCount, jack_get_time() < end {
      guard isPaced.load(ordering: .acquiring), isFreewheeling.load(ordering: .acquiring) else { return }
      Waiting.sleep(microseconds: 50)
    }
    let left = budget.load(ordering: .relaxed)
    budget.subtract(min(max(left, 0), frameCount), ordering: .relaxed)
  }
}
