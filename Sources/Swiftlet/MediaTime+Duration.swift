// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

extension MediaTime {
  // Declared in this module, since the re-export of one type does not bring its operators along.

  /// The time `duration` later. The duration counts to the nearest nanosecond, and the sum stays within 68 years.
  ///
  /// In `time + .seconds(2)`, the second operand is a `MediaTime`.
  @_disfavoredOverload
  public static func + (time: MediaTime, duration: Duration) -> MediaTime { time + MediaTime(duration) }
}
