// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

extension NewFile {
  /// Appends bytes.
  ///
  /// - Throws: ``DiskError/system(_:)``. Bytes already written remain until the file is discarded.
  package func write(_ bytes: [UInt8]) throws(DiskError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(count < 0 ? errno : EIO) }
      done += count
    }
  }

  /// Appends the contents of another file.
  ///
  /// - Throws: As ``write(_:)``.
  package func write(contentsOf path: String) throws(DiskError) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw .system(errno) }
    defer { close(source) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      guard count > 0 else { return }
      try write(Array(bytes[..<count]))
    }
  }

  /// Writes a text as a file in a folder, and replaces an existing file.
  ///
  /// - Throws: ``DiskError``. The existing file is then kept.
  package static func write(_ text: String, to name: String, in folder: OpenFolder) throws(DiskError) {
    let file = try NewFile(folder.path(of: name), in: folder, .whole(overwrites: true))
    do throws(DiskError) { try file.write(Array(text.utf8)) } catch {
      file.discard()
      throw error
    }
    try file.publish()
  }
}
