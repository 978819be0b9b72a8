// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Whether two paths lead to one file, which is there.
public func isSameFile(_ one: String, _ other: String) -> Bool {
  var first = stat(), second = stat()
  guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
