// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The number of times that a file or an item plays.
public enum Loops: Sendable, Equatable {
  /// This many times, 1 or more.
  case times(Int)
  /// Endlessly, until it is stopped.
  case forever

  /// Once, from beginning to end.
  public static let once = Loops.times(1)
}
