// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The reason why a file or folder could not be made.
package enum DiskError: Error, Equatable, Sendable {
  /// A system call failed with this `errno`. `EEXIST` means that the name is taken.
  case system(Int32)
  /// The target is a named pipe, which does not support seeking; opening it may block forever.
  case pipe
  /// The target is a symbolic link, which is not followed.
  case link
  /// The target exists and is neither a regular file nor a character device.
  case special
  /// Another writer is writing a file for this name.
  case busy
  /// The path leads outside the folder that must contain it.
  case outside
  /// The name is empty, or not a valid file name.
  case noName

  /// The `errno` that corresponds most closely to the error.
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
