// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An error from reading or writing a sound file.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of a file error, for code that handles kinds differently.
  @nonexhaustive public enum Kind: Sendable, Equatable {
    /// No file exists at the path.
    case missing
    /// The file has no bytes, or no frames.
    case empty
    /// The file ends before the length that its header announces.
    case truncated
    /// Another program wrote to the file while it was being read.
    case changed
    /// The content is not a sound file of a known format.
    case notAudio
    /// The permissions forbid reading the file, or reading it failed.
    case unreadable
    /// The path is a directory.
    case directory
    /// The file holds no picture, and a movie is required.
    case noPicture
    /// The file is a sound file that Swiftlet cannot handle: too many channels, or a rate out of range.
    case unsupported
    /// A file with this name exists, and overwriting was not requested.
    case exists
    /// The disk is full.
    case diskFull
    /// The permissions forbid writing the file, or writing failed for another reason.
    case unwritable
    /// The name is not valid for a file or take.
    case badName
    /// The program that reads or writes the format is not installed.
    case missingProgram
    /// The task that waited for the result was cancelled.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// The path of the file.
  public let path: String
  /// The cause and the remedy: the remainder of the sentence that begins with the path.
  public let detail: String
  /// Whether the file may be an unfinished take. ``TakeRecovery`` finishes unfinished takes in a folder.
  package let mayBeUnfinishedTake: Bool

  /// An error about the file at `path`.
  package init(_ kind: Kind, _ path: String, _ detail: String, mayBeUnfinishedTake: Bool = false) {
    self.kind = kind
    self.path = path
    self.detail = detail
    self.mayBeUnfinishedTake = mayBeUnfinishedTake
  }

  /// One line that gives the path, the cause and the remedy.
  public var description: String { "'\(path)' \(detail)" }
}
