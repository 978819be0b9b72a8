// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// How the thread that reads ahead leaves time to others.
///
/// It has real-time priority. Linux stops all real-time threads of a processor, JACK's among them, when together they have
/// taken 95 % of a second. So where there is much to read, this thread rests a fifth of the time.
struct FillingPace {
  /// How long the thread works at most before it rests, and how long it rests then, in seconds.
  private static let work = 0.02, pause = 0.005
  /// How long the thread had worked when it rested last.
  private var last = Self.worked
  /// How long it has rested, in seconds.
  private(set) var rested = 0.0

  /// Rests if it is time to.
  mutating func rest() {
    guard Self.worked - last >= Self.work else { return }
    Waiting.sleep(.seconds(Self.pause))
    rested += Self.pause
    last = Self.worked
  }

  private static var worked: Double { ThreadClock.time(CLOCK_THREAD_CPUTIME_ID) }
}
