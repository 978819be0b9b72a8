// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How much tests render: all there is in release, a sample of it in debug, which is seventy times slower.
package enum Effort {
  /// Whether time is no matter.
  package static var isFull: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// `full` in release, `sample` in debug.
  package static func of<Amount>(_ full: Amount, debug sample: Amount) -> Amount { isFull ? full : sample }
}
