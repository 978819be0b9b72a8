// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// Collects the statements of one Turtle file as serd reports them.
final class TurtleStatements {
  /// The results so far.
  private(set) var found = TurtleScan()
  private let path: String
  private let isManifest: Bool
  /// The previous statement's subject as written.
  private var lastSubject: [UInt8] = []
  /// The file's prefixes and base URI.
  private let names: OpaquePointer?
  private var links = BlankLinks()
  /// The bracket depth at which each blank node was created.
  private var depths: [String: Int] = [:]

  init(path: String, isManifest: Bool) {
    self.path = path
    self.isManifest = isManifest
    var base = serd_node_new_file_uri(path, nil, nil, true)
    names = serd_env_new(&base)
    serd_node_free(&base)
  }

  deinit { if let names { serd_env_free(names) } }

  /// Reads an open file to its end.
  func read(_ file: UnsafeMutablePointer<FILE>) {
    let reader = serd_reader_new(
      SERD_TURTLE, Unmanaged.passUnretained(self).toOpaque(), nil,
      { handle, uri in TurtleStatements.of(handle) { serd_env_set_base_uri($0, uri) } },
      { handle, name, uri in TurtleStatements.of(handle) { serd_env_set_prefix($0, name, uri) } },
      { handle, flags, _, subject, predicate, object, _, _ in
        TurtleStatements.of(handle)?.take(flags, subject.pointee, predicate.pointee, object.pointee)
          ?? SERD_ERR_INTERNAL
      }, nil)
    guard let reader else { return }
    defer { serd_reader_free(reader) }
    serd_reader_set_error_sink(
      reader,
      { handle, error in
        TurtleStatements.of(handle)?.noteMistake(inLine: error.pointee.line)
        return SERD_SUCCESS
      }, Unmanaged.passUnretained(self).toOpaque())
    serd_reader_read_file_handle(reader, file, path)
    if found.danger == nil, links.isDangerous(deepest: TurtleScan.deepestNesting) {
      found.danger = "has blank nodes that form a cycle or are nested too deeply"
    }
  }

  private static func of(_ handle: UnsafeMutableRawPointer?) -> TurtleStatements? {
    handle.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Changes the environment of the object behind `handle`.
  private static func of(_ handle: UnsafeMutableRawPointer?, _ body: (OpaquePointer) -> SerdStatus)
    -> SerdStatus
  {
    of(handle)?.names.map(body) ?? SERD_ERR_INTERNAL
  }

  private func noteMistake(inLine line: UInt32) { found.mistake = found.mistake ?? Int(line) }

  /// Processes a statement. An error makes serd skip the rest of the line, including what is nested deeper.
  private func take(
    _ flags: SerdStatementFlags, _ subject: SerdNode, _ predicate: SerdNode, _ object: SerdNode
  )
    -> SerdStatus
  {
    if isManifest { note(subject) }
    if object.type == SERD_BLANK {
      let subjectName = subject.type == SERD_BLANK ? text(of: subject) : ""
      let name = text(of: object), begins = SERD_ANON_O_BEGIN.rawValue | SERD_LIST_O_BEGIN.rawValue
      let depth = (subject.type == SERD_BLANK ? depths[subjectName] ?? 0 : 0) + (flags & begins == 0 ? 0 : 1)
      depths[name] = max(depths[name] ?? 0, depth)
      guard depth <= TurtleScan.deepestNesting else {
        found.danger = "has brackets that are nested more than \(TurtleScan.deepestNesting) deep"
        return SERD_ERR_BAD_SYNTAX
      }
      if subject.type == SERD_BLANK {
        links.add(from: subjectName, to: name, isRest: uri(of: predicate) == Name.rest)
      }
      return SERD_SUCCESS
    }
    switch uri(of: predicate) {
    case Name.type: note(uri(of: object), of: subject)
    case Name.seeAlso:
      guard let subject = uri(of: subject), let file = uri(of: object) else { break }
      found.references[subject, default: []].append(file)
    case Name.appliesTo where isManifest:
      if let target = uri(of: object) { found.subjects.insert(target) }
    default: break
    }
    return SERD_SUCCESS
  }

  /// Records the subject of a statement.
  private func note(_ subject: SerdNode) {
    guard subject.type == SERD_URI || subject.type == SERD_CURIE, let text = subject.buf else { return }
    let bytes = UnsafeBufferPointer(start: text, count: subject.n_bytes)
    guard !lastSubject.elementsEqual(bytes) else { return }
    lastSubject = Array(bytes)
    if let uri = uri(of: subject) { found.subjects.insert(uri) }
  }

  /// Records the type of a subject.
  private func note(_ type: String?, of subject: SerdNode) {
    switch type {
    case Name.plugin:
      if subject.type == SERD_BLANK {
        found.danger = "describes a plugin without a URI"
      } else if let uri = uri(of: subject) {
        found.plugins.append(uri)
      }
    case Name.specification, Name.ontology:
      guard let uri = uri(of: subject), !Name.isUnread(specification: uri) else { break }
      found.isVocabulary = true
      found.specifications.append(uri)
    case Name.rdfsClass: found.isVocabulary = true
    default: break
    }
  }

  private func text(of node: SerdNode) -> String { node.buf.map { String(cString: $0) } ?? "" }

  /// The expanded URI of a node; nil if it is not a URI.
  private func uri(of node: SerdNode) -> String? {
    guard let names, node.type == SERD_URI || node.type == SERD_CURIE else { return nil }
    var given = node
    var whole = serd_env_expand_node(names, &given)
    defer { serd_node_free(&whole) }
    return whole.buf.map { String(cString: $0) }
  }
}
