// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Whether two paths have the same location, even if no file exists there, regardless of their spelling.
package func isSameLocation(_ one: String, _ other: String) -> Bool {
  if isSameFile(one, other) { return true }
  guard let first = components(of: one), let second = components(of: other) else { return false }
  return first == second
}

/// Returns the components of a path after resolving its folder. Folders that do not exist are appended as the path
/// spells them.
private func components(of path: String) -> [Substring]? {
  var missing: [Substring] = [path.split(separator: "/").last ?? ""], outer = FilePath.folder(of: path)
  var real = realpath(outer.isEmpty ? "." : outer, nil)
  while real == nil, errno == ENOENT, !outer.isEmpty {
    missing.append(outer.split(separator: "/").last ?? "")
    outer = FilePath.folder(of: outer)
    real = realpath(outer.isEmpty ? "." : outer, nil)
  }
  guard let real else { return nil }
  defer { free(real) }
  var steps = String(cString: real).split(separator: "/")
  for step in missing.reversed() where step != "." {
    if step == ".." { _ = steps.popLast() } else { steps.append(step) }
  }
  return steps
}

/// Whether two paths lead to the same existing file.
package func isSameFile(_ one: String, _ other: String) -> Bool {
  var first = stat(), second = stat()
  guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
