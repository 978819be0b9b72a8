// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How the program ends. Scripts rely on these numbers.
enum ExitStatus: Int32, Sendable {
  /// All was done; a clean ^C counts as such.
  case done = 0
  /// What was given is wrong or cannot be read.
  case badInput = 1
  /// The command line is wrong.
  case badCommandLine = 2
  /// The JACK server or a plugin failed.
  case failedHost = 3
  /// Done, but not whole: a take lost frames or ended early, a file that was played could not be read to its end or in
  /// time, the graph needed more time than there was, or a playback node was muted.
  case incomplete = 4
  /// ^C ended a render, which leaves no file; or a second ^C, and nothing was waited for; or the end that was asked for did
  /// not come.
  case interrupted = 130
}
