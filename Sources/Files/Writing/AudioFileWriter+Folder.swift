// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletDisk

extension AudioFileWriter {
  /// Opens the folder of a file, and creates missing folders on the way.
  ///
  /// - Parameter root: the folder that the path must not leave; nil, the default, for a path that a user typed.
  /// - Throws: ``FileError`` if the folder cannot be opened or created.
  static func makeFolder(of path: String, beneath root: String? = nil) throws(FileError) -> OpenFolder {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .making(path, .noName) }
    let folder = FilePath.folder(of: path)
    do throws(DiskError) {
      guard let root else { return try OpenFolder(folder, makes: true) }
      // The path begins with the root, since `TakeNamer` made it.
      let prefix = root.isEmpty || root == "." ? "" : root.utf8.last == UInt8(ascii: "/") ? root : root + "/"
      guard path.utf8.starts(with: prefix.utf8) else { throw .outside }
      let rest = String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      return try OpenFolder(beneath: root.isEmpty ? "." : root, FilePath.folder(of: rest))
    } catch {
      if error == .outside { throw .making(path, error) }
      throw FileError(.unwritable, path, "cannot be made: its folder '\(folder)' cannot be made")
    }
  }
}
