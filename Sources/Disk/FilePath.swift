// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The parts of a path, as the kernel sees them: separated by the byte `/`.
///
/// A slash with a combining mark is a `Character` that differs from "/" in Swift, while the kernel sees a slash.
/// Foundation's own functions trap on a name of one letter (Swift 6.3.1).
package enum FilePath {
  private static let slash = UInt8(ascii: "/")

  /// The folder that contains the file at a path; empty if the path is a name alone.
  package static func folder(of path: String) -> String {
    let bytes = path.utf8
    guard let last = bytes.lastIndex(of: slash) else { return "" }
    // `takes//dry.wav` lies in `takes`.
    guard let end = bytes[..<last].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: bytes[...end], as: UTF8.self)
  }

  /// The last component of a path; empty if the path ends with a slash.
  package static func name(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return path }
    return String(decoding: path.utf8[path.utf8.index(after: last)...], as: UTF8.self)
  }

  /// A path with its last component replaced.
  package static func path(_ path: String, renamed name: String) -> String {
    String(decoding: path.utf8.dropLast(Self.name(of: path).utf8.count), as: UTF8.self) + name
  }

  /// Splits a path into two parts: the second is the extension of its name with the dot, such as `.wav`. It is empty
  /// if the name has no extension, or begins with its only dot.
  package static func ending(of path: String) -> (stem: String, ending: String) {
    let name = Self.name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex,
      name.utf8.index(after: dot) != name.endIndex
    else { return (path, "") }
    let ending = String(decoding: name.utf8[dot...], as: UTF8.self)
    return (String(decoding: path.utf8.dropLast(ending.utf8.count), as: UTF8.self), ending)
  }

  /// The components of a path.
  package static func steps(of path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a path is absolute.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Whether a text contains a slash.
  package static func hasSlash(_ text: String) -> Bool { text.utf8.contains(slash) }
}
