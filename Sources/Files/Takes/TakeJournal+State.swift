// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

extension TakeJournal {
  /// What a regular file is that has the name of a journal.
  enum State: Equatable {
    /// A journal that a running program holds, or that can be read.
    case usable
    /// The rest of a journal of ours: empty, zeros as a power cut leaves them, or a text that begins as journals do.
    case damaged
    /// A file of another program, or what cannot be told from one.
    case foreign
    /// A journal that may be whole and cannot be used, so its take is left as it is; the reason.
    case refused(String)
  }

  /// The state of the file at `path`; nil if there is no regular file.
  ///
  /// - Parameter isOurs: whether this thread holds the file's lock itself.
  static func state(of path: String, isOurs: Bool = false) -> State? {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    if !isOurs, isHeld(path) { return .usable }
    let data: Data
    do throws(FileError) { data = try contents(of: path) } catch { return .refused(error.detail) }
    if (try? story(data, path)) != nil { return .usable }
    if let version = version(of: data), version > knownVersion {
      return .refused(
        "has version \(version), and only version \(knownVersion) is known; the take is left as it is: recover it with "
          + "the version of Swiftlet that recorded it")
    }
    // What follows zeros may be somebody's text.
    let isEmpty = Int(facts.st_size) == data.count && data.allSatisfy { $0 == 0 }
    return isEmpty || begins(with: data) ? .damaged : .foreign
  }

  /// Whether bytes begin as a journal does: its keys are sorted, so each begins with the first of these keys.
  static func begins(with bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    return text.prefixMatch(of: /\{("bitRate":[0-9]+,)?"channelCount":[0-9]/) != nil
  }

  private struct Version: Decodable { var version: Int }

  /// The version that the first line names.
  private static func version(of data: Data) -> Int? {
    // Later versions may nest deeper.
    try? BoundedJSON.decode(
      Version.self, from: data.prefix { $0 != 10 }, byteLimit: mostBytes, depthLimit: 16
    ).version
  }
}
