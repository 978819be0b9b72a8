// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Why a sound file cannot be read or written.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of a file error, for code that decides by it.
  @nonexhaustive public enum Kind: Sendable, Equatable {
    /// There is nothing at the path.
    case missing
    /// The file has no bytes, or no frames.
    case empty
    /// The file ends before the sound it announces.
    case truncated
    /// Another program wrote to the file while it was read.
    case changed
    /// The content is no sound file of a format that is known.
    case notAudio
    /// The file may not be read or written, or reading it failed.
    case unreadable
    /// The path is a directory.
    case directory
    /// The file holds no picture, and a movie is wanted.
    case noPicture
    /// A sound file, but of a kind that cannot be worked with: too many channels, an absurd rate.
    case unsupported
    /// The name is taken, and nothing is overwritten.
    case exists
    /// The disk has no room left.
    case diskFull
    /// Writing failed for another reason.
    case unwritable
    /// A name for a file or take that makes no sense.
    case badName
    /// A program that knows the format is not installed.
    case missingProgram
    /// Nobody waits for it any more: the task that did was cancelled.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// The file.
  public let path: String
  /// The cause and the remedy: the rest of the sentence that begins with the path.
  public let detail: String
  /// Whether the file may be a take that was left unfinished. ``TakeRecovery`` finishes those in its folder.
  package let mayBeUnfinishedTake: Bool

  /// An error about the file at `path`.
  package init(_ kind: Kind, _ path: String, _ detail: String, mayBeUnfinishedTake: Bool = false) {
    self.kind = kind
    self.path = path
    self.detail = detail
    self.mayBeUnfinishedTake = mayBeUnfinishedTake
  }

  /// One line that names the file, what is wrong and what to do.
  public var description: String { "'\(path)' \(detail)" }
}
