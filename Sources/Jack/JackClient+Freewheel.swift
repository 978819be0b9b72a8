// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import SwiftletThreads
internal import Synchronization

/// Where the studio freewheels, time does not matter: cycles may wait until the sound of the next ones is there.
extension JackClient {
  /// Has cycles wait, for as long as the studio freewheels, until ``grant(_:)`` lets them go on. To be asked for
  /// before the client is activated, by whoever grants from then on.
  package func setPaced(_ isOn: Bool) { opened.edge.pointee.isPaced.store(isOn, ordering: .releasing) }

  /// How many frames may be rendered without another grant; nil where the studio keeps time.
  package var grantedFrames: Int? {
    let edge = opened.edge
    guard edge.pointee.isFreewheeling.load(ordering: .acquiring) else { return nil }
    return edge.pointee.budget.load(ordering: .acquiring)
  }

  /// Says that the sound of so many frames more is ready.
  package func grant(_ frameCount: Int) { opened.edge.pointee.budget.add(frameCount, ordering: .releasing) }
}

extension AudioEdge {
  /// Waits until a cycle's sound is ready, two seconds at most; what is not ready by then is late, as it would be
  /// live. Only where nobody listens, and only for as long as that is so. Audio thread.
  @_semantics("no_performance_analysis")
  func awaitGrant(_ frameCount: Int) {
    // Microseconds: to sleep for 50 takes longer than that, so the times that it was done tell nothing.
    let end = jack_get_time() + 2_000_000
    while budget.load(ordering: .acquiring) < frameCount, jack_get_time() < end {
      guard isPaced.load(ordering: .acquiring), isFreewheeling.load(ordering: .acquiring) else { return }
      Waiting.sleep(microseconds: 50)
    }
    let left = budget.load(ordering: .relaxed)
    budget.subtract(min(max(left, 0), frameCount), ordering: .relaxed)
  }
}
