// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Copies the sound of a take whose file lost its name, a part at a time, while the take goes on.
///
/// A file that was replaced by another of its name, or removed, lives as long as somebody holds it open: we do.
struct TakeRescue {
  /// The name that the take will have.
  let path: String
  let folder: OpenFolder
  let journal: TakeJournal
  /// What gets the sound.
  let copy: NewFile
  private var done: off_t = 0
  /// What one call copies while the take runs: the ring of its tap holds seconds.
  private static let portion = 8 << 20
  /// What headers lie in, which are written anew while the sound grows.
  private static let headerSize = 1 << 16

  init(path: String, folder: OpenFolder, journal: TakeJournal, copy: NewFile) {
    (self.path, self.folder, self.journal, self.copy) = (path, folder, journal, copy)
  }

  /// Copies some more.
  ///
  /// - Returns: whether everything that the file holds now is there.
  /// - Throws: ``DiskError/system(_:)``.
  mutating func advance(from descriptor: Int32, isLast: Bool) throws(DiskError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 20), left = isLast ? Int.max : Self.portion
    while left > 0 {
      let got = pread(descriptor, &buffer, min(buffer.count, left), done)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .system(errno) }
      if got == 0 {
        try copyHeader(from: descriptor)
        return true
      }
      try write(buffer, got, at: done)
      done += off_t(got)
      left -= got
      if isLast { FinishingProgress.step() }
    }
    return false
  }

  private func copyHeader(from descriptor: Int32) throws(DiskError) {
    var buffer = [UInt8](repeating: 0, count: Self.headerSize)
    let got = pread(descriptor, &buffer, buffer.count, 0)
    guard got >= 0 else { throw .system(errno) }
    try write(buffer, got, at: 0)
  }

  private func write(_ bytes: [UInt8], _ count: Int, at place: off_t) throws(DiskError) {
    var written = 0
    while written < count {
      let got = bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          pwrite(copy.descriptor, $0 + written, count - written, place + off_t(written))
        } ?? 0
      }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw .system(got < 0 ? errno : EIO) }
      written += got
    }
  }

  /// The path of a take, or one beside it that no take has: `dry-001-kept.wav`, `dry-001-kept-2.wav` …
  static func freePath(beside path: String, isFree: (String) -> Bool = isFree) -> String {
    let name = FilePath.name(of: path)
    var (stem, ending) = FilePath.ending(of: name)
    while stem.utf8.count + "-kept-9999".utf8.count + ending.utf8.count > longestName, !stem.isEmpty {
      stem.removeLast()
    }
    let names = [name] + (1...9999).map { "\(stem)-kept\($0 > 1 ? "-\($0)" : "")\(ending)" }
    let paths = names.map { FilePath.path(path, renamed: $0) }
    return paths.first(where: isFree) ?? path
  }

  /// The longest name of a take, in bytes: file systems allow 255, and its list of gaps has a longer one.
  static let longestName = 255 - GapList.path(of: "").utf8.count

  /// Whether nothing says that a take of this name exists or is recorded.
  private static func isFree(_ path: String) -> Bool {
    TakeJournal.traces(of: path).allSatisfy { !UnfinishedTake.isThere($0) }
  }
}
