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
