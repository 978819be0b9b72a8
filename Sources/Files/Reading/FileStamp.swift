// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The size and modification time of a file. If both are unchanged, the file is considered unchanged.
struct FileStamp: Hashable {
  var size: Int
  /// The modification time, in nanoseconds since 1970.
  var changed: Int

  /// Reads the state of the file at a path. Returns nil if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    changed = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
  }

  /// Whether a later change would get a different modification time: kernels update it in steps of some milliseconds.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return abs(Int(now.tv_sec) &* 1_000_000_000 &+ Int(now.tv_nsec) &- changed) > 20_000_000
  }
}

/// A file that is being read, with its state from when reading began.
struct WatchedFile {
  private let path: String
  private let device: dev_t, number: ino_t
  private let stamp: FileStamp

  /// Reads the state of the file at a path. Returns nil if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    (self.path, device, number, stamp) = (path, status.st_dev, status.st_ino, FileStamp(status))
  }

  /// Throws if the file was written to since reading began. A file that was replaced by another of its name is still
  /// valid, since the open descriptor leads to the old file.
  ///
  /// - Parameter reopens: whether the reader opens the file by its name repeatedly; a replaced file is then an error
  ///   too.
  /// - Throws: ``FileError`` of kind `changed`.
  func check(reopens: Bool) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let isSame = status.st_dev == device && status.st_ino == number
    guard isSame ? FileStamp(status) == stamp : !reopens else {
      throw FileError(
        .changed, path, "was written to while it was being read; read it again once writing has finished")
    }
  }
}
