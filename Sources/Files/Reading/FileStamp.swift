// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Which state of a file: its size and when it was last changed. Where both are as they were, so is the file.
struct FileStamp: Hashable {
  var size: Int
  /// When it was changed, in nanoseconds since 1970.
  var changed: Int

  /// The state of the file at a path; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    size = Int(status.st_size)
    changed = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
  }

  /// Whether a change after it would bear another time: kernels count in steps of some milliseconds.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return abs(Int(now.tv_sec) &* 1_000_000_000 &+ Int(now.tv_nsec) &- changed) > 20_000_000
  }
}

/// A file that is being read, as it was when that began.
struct WatchedFile {
  private let path: String
  private let device: dev_t, number: ino_t
  private let stamp: FileStamp

  /// The file at a path; nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
    (self.path, device, number, stamp) = (path, status.st_dev, status.st_ino, FileStamp(status))
  }

  /// Refuses what is read of a file that was written to meanwhile: it is not the sound that was begun. One that was
  /// replaced by another of its name is read on, since whoever has it open still has it.
  ///
  /// - Parameter reopens: whether it is opened by its name again and again.
  /// - Throws: ``FileError`` of kind `changed`.
  func check(reopens: Bool) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    let isSame = status.st_dev == device && status.st_ino == number
    guard isSame ? FileStamp(status) == stamp : !reopens else {
      throw FileError(.changed, path, "was written to while it was read; read it anew once that is done")
    }
  }
}
