// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Why a file or folder could not be made.
package enum DiskError: Error, Equatable, Sendable {
  /// A call of the system failed with this `errno`. `EEXIST` says that the name is taken.
  case system(Int32)
  /// The target is a named pipe: a file that is written in any order cannot go there, and opening it may wait for ever.
  case pipe
  /// The target is a symbolic link, which may lead anywhere.
  case link
  /// The target is there and is neither a regular file nor a device that takes any bytes.
  case special
  /// Somebody writes a file that is to have this name.
  case busy
  /// The path leads outside the folder that it must stay in.
  case outside
  /// The name is empty, or no name of a file.
  case noName

  /// The `errno` that says most about the error.
  package var number: Int32 {
    switch self {
    case .system(let number): number
    case .pipe, .special: EINVAL
    case .link: ELOOP
    case .outside: EACCES
    case .busy: EBUSY
    case .noName: ENOENT
    }
  }
}
