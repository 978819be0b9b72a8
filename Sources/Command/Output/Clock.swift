// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// The monotonic clock.
enum Clock {
  /// The time in seconds since an arbitrary moment before the program's start.
  static var now: Double { SystemClock.seconds(of: CLOCK_MONOTONIC) }
}
