// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

extension TakeJournal {
  /// The state of a regular file with the name of a journal.
  enum State: Equatable {
    /// A journal that a running program holds, or that can be read.
    case usable
    /// The remains of one of Swiftlet's journals: empty, zeros after a power cut, or text that begins as a journal
    /// does.
    case damaged
    /// Another program's file, or one that cannot be distinguished from it.
    case otherProgram
    /// A journal that may be intact but cannot be used, so its take is left unchanged; the reason.
    case refused(String)
  }

  /// Returns the state of the file at `path`, or nil if it is not a regular file.
  ///
  /// - Parameter holdsLock: whether this thread holds the file's lock.
  static func state(of path: String, holdsLock: Bool = false) -> State? {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    if !holdsLock, isHeld(path) { return .usable }
    let data: Data
    do throws(FileError) { data = try contents(of: path) } catch { return .refused(error.detail) }
    if (try? parse(data, path)) != nil { return .usable }
    if let version = version(of: data), version > knownVersion {
      return .refused(
        "has version \(version), and only version \(knownVersion) is known; the take is left as it is: recover it with "
          + "the version of Swiftlet that recorded it")
    }
    // Data after the zeros may be another program's text.
    let isEmpty = Int(facts.st_size) == data.count && data.allSatisfy { $0 == 0 }
    return isEmpty || begins(with: data) ? .damaged : .otherProgram
  }

  /// Whether the bytes begin as a journal. A journal's keys are sorted, so each begins with the first of these keys.
  static func begins(with bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    return text.prefixMatch(of: /\{("bitRate":[0-9]+,)?"channelCount":[0-9]/) != nil
  }

  private struct Version: Decodable { var version: Int }

  /// The version in the first line.
  private static func version(of data: Data) -> Int? {
    // Later versions may be nested more deeply.
    try? BoundedJSON.decode(
      Version.self, from: data.prefix { $0 != 10 }, byteLimit: mostBytes, depthLimit: 16
    ).version
  }
}
