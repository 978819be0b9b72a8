// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The number of times that a file or an item plays.
public enum Loops: Sendable, Equatable {
  /// So many times, 1 or more.
  case times(Int)
  /// Until it is stopped.
  case forever

  /// From beginning to end.
  public static let once = Loops.times(1)
}
