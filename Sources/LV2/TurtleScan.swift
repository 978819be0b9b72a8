// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// The plugins and other files that a Turtle file names, read before lilv reads the file.
///
/// lilv ends the process where a blank node is called a plugin, where brackets are nested some thousand deep, and where
/// blank nodes lead back to themselves; it waits for ever for a named pipe. serd, with which lilv reads Turtle, tells
/// each statement on the way, so that such a file is known before.
struct TurtleScan {
  /// The URIs that are called plugins.
  var plugins: [String] = []
  /// The URIs that are called specifications.
  var specifications: [String] = []
  /// Whether the file says what words mean that other files use, and that this host reads: it has a specification, or a
  /// class.
  var isVocabulary = false
  /// The URIs that the file says something of, and those that its presets and other resources apply to. Of a manifest
  /// alone.
  var subjects: Set<String> = []
  /// The URIs of files that say more, by what they say more of.
  var references: [String: [String]] = [:]
  /// The first line that is no Turtle; nil where all is.
  var mistake: Int?
  /// Why lilv must not read the file, as the end of a sentence that begins with its name; nil where it may.
  var danger: String?

  /// The longest file that is read, in bytes: 16 MiB.
  static let longestFile = 1 << 24
  /// How deep brackets and blank nodes may be nested.
  static let deepestNesting = 100

  /// Reads a file. One that is not there says nothing: lilv cannot open it either.
  ///
  /// - Parameter isManifest: whether ``subjects`` are wanted.
  init(path: String, isManifest: Bool = false) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno != ENOENT { danger = "cannot be opened: \(String(cString: strerror(errno)))" }
      return
    }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      danger = "is no regular file"
      return
    }
    guard facts.st_size <= Self.longestFile else {
      close(descriptor)
      danger = "is longer than \(Self.longestFile >> 20) MiB"
      return
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    self = bytes.withUnsafeMutableBytes { memory in
      let count = pread(descriptor, memory.baseAddress, memory.count, 0)
      guard count > 0, let file = fmemopen(memory.baseAddress, count, "r") else { return TurtleScan() }
      defer { fclose(file) }
      let statements = TurtleStatements(path: path, isManifest: isManifest)
      statements.read(file)
      return statements.found
    }
  }

  /// A scan that has found nothing yet.
  init() {}
}
