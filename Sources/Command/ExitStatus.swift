// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The program's exit status. Scripts rely on these numbers.
enum ExitStatus: Int32, Sendable {
  /// The command succeeded. A run that ^C ends has succeeded, too.
  case done = 0
  /// An input is wrong or cannot be read.
  case badInput = 1
  /// The command line is wrong.
  case badCommandLine = 2
  /// The JACK server or a plugin failed.
  case failedHost = 3
  /// The command finished, but the result is incomplete: a take lost frames or ended early, a file that was played
  /// could not be read to its end or in time, the graph exceeded the period, or a playback node was muted.
  case incomplete = 4
  /// ^C ended a render, which leaves no file; a second ^C ended the program at once; or the program did not end in
  /// time after a request to end.
  case interrupted = 130
}
