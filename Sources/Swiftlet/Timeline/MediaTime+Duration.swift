// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

extension MediaTime {
  // Declared in this module, since the re-export of a type does not include its operators.

  /// Returns the time `duration` later. The duration is rounded to the nearest nanosecond, and the sum is limited to
  /// 68 years.
  ///
  /// In `time + .seconds(2)`, the second operand is a `MediaTime`.
  @_disfavoredOverload
  public static func + (time: MediaTime, duration: Duration) -> MediaTime { time + MediaTime(duration) }
}
