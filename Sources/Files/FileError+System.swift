// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

extension OpenFolder {
  /// Flushes the folder's directory entries to the disk.
  ///
  /// - Throws: ``FileError`` about the file at `path`.
  func flushed(for path: String) throws(FileError) {
    do throws(DiskError) { try flush() } catch { throw .making(path, error) }
  }
}

extension FileError {
  /// An error for a sound file of 0 frames.
  package static func empty(_ path: String) -> FileError {
    FileError(.empty, path, "has a length of 0 frames: it holds no sound")
  }

  /// The error for an `errno` from opening a file for reading.
  static func opening(_ path: String, errno code: Int32) -> FileError {
    switch code {
    case ENOENT, ENOTDIR: FileError(.missing, path, "does not exist; check the name and the folder")
    case EACCES, EPERM: FileError(.unreadable, path, "may not be read; check its permissions")
    case EISDIR: FileError(.directory, path, "is a directory; name a sound file in it")
    default: FileError(.unreadable, path, "cannot be opened: \(systemMessage(code))")
    }
  }

  /// The error for a file that could not be created or renamed.
  static func making(_ path: String, _ error: DiskError) -> FileError {
    switch error {
    case .system(let number): .writing(path, errno: number)
    case .pipe:
      FileError(
        .unwritable, path, "is a pipe, which does not support seeking back to write a header; name a file")
    case .link: FileError(.unwritable, path, "is a symbolic link; name the file that it leads to")
    case .special:
      FileError(
        .unwritable, path, "is not a regular file, so sound cannot be written to it; choose another name")
    case .outside:
      FileError(.unwritable, path, "leads outside the takes folder; choose a name inside it, or allow that")
    case .busy:
      FileError(.unwritable, path, "is being written by another program; wait, or choose another name")
    case .noName: FileError(.badName, path, "is not a valid file name; choose another name")
    }
  }

  /// The error for an `errno` from creating or writing a file.
  static func writing(_ path: String, errno code: Int32) -> FileError {
    switch code {
    case EEXIST: FileError(.exists, path, "is already there, and nothing is overwritten; choose another name")
    case ENOENT, ENOTDIR: FileError(.missing, path, "cannot be made: its folder does not exist")
    case EISDIR: FileError(.directory, path, "is a directory; name a file in it")
    case EFBIG:
      FileError(
        .diskFull, path,
        "may not grow any more: a limit on the size of files is reached; see 'ulimit -f', or choose another disk"
      )
    case ENOSPC, EDQUOT:
      FileError(.diskFull, path, "cannot be written: the disk is full; make room or choose another disk")
    case EACCES, EPERM, EROFS:
      FileError(.unwritable, path, "may not be written; check the permissions of its folder")
    default: FileError(.unwritable, path, "cannot be written: \(systemMessage(code))")
    }
  }

  private static func systemMessage(_ code: Int32) -> String {
    code == 0 ? "unknown reason" : String(cString: strerror(code)).lowercased()
  }
}
