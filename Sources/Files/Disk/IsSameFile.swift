// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Whether two paths lead to one place, whether a file is there or not, however they are spelt.
package func isSamePlace(_ one: String, _ other: String) -> Bool {
  if isSameFile(one, other) { return true }
  guard let first = place(of: one), let second = place(of: other) else { return false }
  return first == second
}

/// A path with its folder as the disk knows it; nil where there is no such folder.
private func place(of path: String) -> String? {
  let folder = folder(of: path)
  guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return nil }
  defer { free(real) }
  return String(cString: real) + "/" + (path.split(separator: "/").last ?? "")
}

/// Whether two paths lead to one file, which is there.
package func isSameFile(_ one: String, _ other: String) -> Bool {
  var first = stat(), second = stat()
  guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
