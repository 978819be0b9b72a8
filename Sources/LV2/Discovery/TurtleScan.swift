// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// The plugins and files that a Turtle file refers to, scanned before lilv reads the file.
///
/// lilv terminates the process if a blank node has the type plugin, if brackets are nested some thousand deep, or if
/// blank nodes form a cycle; and it waits forever for a named pipe. serd, lilv's parser, reports each statement as it
/// reads, so this scan detects such files.
struct TurtleScan {
  /// The URIs with the type plugin.
  var plugins: [String] = []
  /// The URIs with the type specification.
  var specifications: [String] = []
  /// Whether the file defines vocabulary that this host reads and that other files use: a specification or a class.
  var isVocabulary = false
  /// The subjects of the file's statements, and the URIs that its presets and other resources apply to. Collected for
  /// manifests only.
  var subjects: Set<String> = []
  /// The `rdfs:seeAlso` files, by subject.
  var references: [String: [String]] = [:]
  /// The first line that is not valid Turtle; nil if there is none.
  var mistake: Int?
  /// The reason why lilv must not read the file, as the end of a sentence that begins with its name; nil if it may.
  var danger: String?

  /// The maximum size of a file, in bytes: 16 MiB.
  static let longestFile = 1 << 24
  /// The maximum nesting depth of brackets and blank nodes.
  static let deepestNesting = 100

  /// Scans a file. A file that does not exist yields an empty scan, since lilv cannot open it either.
  ///
  /// - Parameter isManifest: Whether to collect ``subjects``.
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

  /// Creates an empty scan.
  init() {}
}
