// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk
internal import SwiftletManifest

/// The command line as bytes.
///
/// Swift's `CommandLine.arguments` has a replacement character for each byte that is not valid UTF-8, so a path could
/// name a different file.
enum RawArguments {
  /// The arguments after the program's name.
  static var words: [[UInt8]] {
    (1..<max(Int(CommandLine.argc), 1)).compactMap { index -> [UInt8]? in
      guard let word = CommandLine.unsafeArgv[index] else { return nil }
      return (0..<Int(strlen(word))).map { UInt8(bitPattern: word[$0]) }
    }
  }

  /// Returns an error about the first argument that is not valid UTF-8; nil if all are valid.
  static func fault(in words: [[UInt8]]) -> Failure? {
    guard let word = words.first(where: { FolderListing.text($0) == nil }) else { return nil }
    return Failure(
      .badCommandLine,
      "'\(FolderListing.escaped(word).shortened())' is not valid UTF-8 (%XX stands for a byte); rename the file or "
        + "folder, or start the command inside the folder")
  }
}
