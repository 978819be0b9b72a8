// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The names in a folder, as bytes: the kernel does not require that a name is valid UTF-8.
package enum FolderListing {
  /// Lists an open folder without `.` and `..`, in no particular order.
  ///
  /// - Throws: ``DiskError/system(_:)``.
  package static func names(in folder: OpenFolder) throws(DiskError) -> [[UInt8]] {
    try names(in: folder.descriptor)
  }

  /// Lists a folder by its descriptor, which must stay open during the call.
  static func names(in folder: Int32) throws(DiskError) -> [[UInt8]] {
    // Reading moves a descriptor's position, so this opens a separate descriptor.
    let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw .system(errno) }
    guard let listing = fdopendir(own) else {
      let number = errno
      close(own)
      throw .system(number)
    }
    defer { closedir(listing) }
    var names: [[UInt8]] = []
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  /// A name as text; nil if it is not valid UTF-8.
  package static func text(_ name: some Sequence<UInt8>) -> String? {
    String(validating: name, as: UTF8.self)
  }

  /// A name as text, with each byte that is not valid UTF-8 escaped as `%FF`.
  package static func escaped(_ name: some Sequence<UInt8>) -> String {
    var result = "", rest = Array(name)[...]
    while let byte = rest.first {
      // The shortest valid prefix is one character.
      let length = (1...4).first { $0 <= rest.count && text(rest.prefix($0)) != nil }
      result += length.flatMap { text(rest.prefix($0)) } ?? "%" + String(byte, radix: 16, uppercase: true)
      rest = rest.dropFirst(length ?? 1)
    }
    return result
  }

  /// A name as the null-terminated string that the kernel takes.
  static func terminated(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
