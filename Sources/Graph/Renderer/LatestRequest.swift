// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
internal import Synchronization

/// The latest state that control threads request from a source. The audio thread reads it without a lock.
package struct LatestRequest<Order: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  /// The request, as the audio thread reads it.
  package let published: LatestValue<Order>
  private let kept: Mutex<Order>

  /// Creates it with an initial request.
  package init(_ order: Order) {
    published = LatestValue(order)
    kept = Mutex(order)
  }

  /// The request after the latest change. Any thread except the audio thread.
  package var latest: Order { kept.withLock { $0 } }

  /// Changes the request and publishes it. Concurrent changes are serialized. Any thread except the audio thread.
  package func give(_ change: (inout Order) -> Void) {
    kept.withLock { order in
      change(&order)
      published.publish(order)
    }
  }
}
