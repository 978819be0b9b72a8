// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The amount of rendering in tests: everything in release, a sample in debug builds, which are seventy times slower.
package enum Effort {
  /// Whether tests render everything.
  package static var isFull: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  /// Returns `full` in release, `sample` in debug builds.
  package static func of<Amount>(_ full: Amount, debug sample: Amount) -> Amount { isFull ? full : sample }
}
