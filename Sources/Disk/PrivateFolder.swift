// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// A new folder that only this user can access, in the system's folder for temporary files. Removed when this object
/// is released.
package final class PrivateFolder: Sendable {
  /// The folder's path.
  package let path: String

  /// Creates the folder.
  ///
  /// - Parameter purpose: Part of the folder's name.
  /// - Throws: ``DiskError/system(_:)``.
  package init(for purpose: String) throws(DiskError) {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array(
      (parent + (parent.hasSuffix("/") ? "" : "/") + "swiftlet-\(purpose)-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw .system(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
