// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// A manifest's text with the name of its file.
public struct ManifestText: Sendable, Equatable {
  /// The maximum size of a manifest in bytes: 1 MiB.
  public static let byteLimit = 1 << 20

  /// The file's name in messages.
  public var file: String
  /// The text.
  public var text: String

  /// Creates a manifest text from a string.
  public init(_ text: String, file: String) {
    self.file = file
    self.text = text
  }

  /// Reads a file, or standard input if the path is `-`.
  ///
  /// - Throws: An error if the file does not exist, cannot be read, is a directory, pipe or device (which might block
  ///   forever), is longer than ``byteLimit`` (checked before reading), or is not UTF-8.
  public init(contentsOf path: String) throws(ManifestError) {
    let name = path == "-" ? "stdin" : path
    func refusal(_ message: String) -> ManifestError { ManifestError(Problem(file: name, message: message)) }
    let given = Self.openDescriptor(path)
    guard !path.utf8.contains(0) else { throw refusal("found no such file; expected a name of text") }
    // Opening with `O_NONBLOCK` does not wait for a pipe's writer. The file's type is known only after opening.
    let opened = given.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else {
      guard errno == EACCES || errno == EPERM else {
        throw refusal("found no such file; expected a manifest, such as manifests/vocal.yaml")
      }
      throw refusal("cannot be read: expected a file that you are allowed to read")
    }
    defer { close(opened) }
    var status = stat()
    fstat(opened, &status)
    let type = status.st_mode & S_IFMT
    guard type != S_IFDIR else {
      throw refusal("found a directory; expected a manifest, such as manifests/vocal.yaml")
    }
    guard type == S_IFREG || given != nil else {
      throw refusal("found a pipe or a device; expected a file, or - for standard input")
    }
    let tooLong = "found more than 1 MiB; expected a manifest, which is text of a few pages"
    guard status.st_size <= Self.byteLimit else { throw refusal(tooLong) }
    guard let bytes = Self.bytes(of: opened, atMost: Self.byteLimit + 1) else {
      throw refusal("cannot be read: \(String(cString: strerror(errno))); expected a file that can be read")
    }
    guard bytes.count <= Self.byteLimit else { throw refusal(tooLong) }
    // Skips a byte order mark, which some editors write. It has no meaning in UTF-8.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let words = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
    guard let text = String(validating: words, as: UTF8.self) else {
      throw refusal("found bytes that are no text; expected YAML in UTF-8")
    }
    self.init(text, file: name)
  }

  /// Returns the bytes of an open file up to a limit; nil if `read` fails, with the reason in `errno`.
  private static func bytes(of descriptor: Int32, atMost limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = bytes.withUnsafeMutableBytes { bytes in
        read(descriptor, bytes.baseAddress.map { $0 + count }, limit - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { return nil }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }

  /// Returns the descriptor for the path of an open file: standard input, or a shell's `<(…)`; nil for any other
  /// path. Such a pipe has a writer, so reading it does not block forever.
  static func openDescriptor(_ path: String) -> Int32? {
    if path == "-" || path == "/dev/stdin" { return 0 }
    return path.hasPrefix("/dev/fd/") ? Int32(path.dropFirst(8)) : nil
  }
}
