// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// The latest order of control threads to a source. The audio thread reads it without a lock.
struct LatestOrder<Order: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  /// The order, as the audio thread reads it.
  let published: LatestValue<Order>
  private let kept: Mutex<Order>

  /// Holds a first order.
  init(_ order: Order) {
    published = LatestValue(order)
    kept = Mutex(order)
  }

  /// The order, as the last change left it. Any thread but the audio thread.
  var latest: Order { kept.withLock { $0 } }

  /// Changes the order and publishes it. The changes of several threads follow each other. Any thread but the audio thread.
  func give(_ change: (inout Order) -> Void) {
    kept.withLock { order in
      change(&order)
      published.publish(order)
    }
  }
}
