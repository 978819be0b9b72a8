// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc

/// All statements of one Turtle file that ``TurtleScan`` has found to be safe.
final class TurtleTriples {
  /// A subject or object.
  enum Term: Hashable {
    case uri(String)
    case blank(String)
    /// A text, and the URI of its type; nil for a plain literal.
    case literal(String, type: String?)
  }

  /// The statements, in the order of the file.
  private(set) var statements: [(subject: Term, predicate: String, object: Term)] = []
  /// The file's prefixes and base URI.
  private let names: OpaquePointer?

  /// Reads a file; nil if it cannot be read completely.
  ///
  /// - Parameter base: The path of the file that relative URIs refer to; default: the file itself.
  init?(path: String, base: String? = nil) {
    var base = serd_node_new_file_uri(base ?? path, nil, nil, true)
    names = serd_env_new(&base)
    serd_node_free(&base)
    guard var bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else { return nil }
    let isRead = bytes.withUnsafeMutableBytes { memory in
      fmemopen(memory.baseAddress, memory.count, "r").map { file in
        defer { fclose(file) }
        return read(file, name: path)
      }
    }
    guard isRead == true else { return nil }
  }

  deinit { if let names { serd_env_free(names) } }

  private func read(_ file: UnsafeMutablePointer<FILE>, name: String) -> Bool {
    let reader = serd_reader_new(
      SERD_TURTLE, Unmanaged.passUnretained(self).toOpaque(), nil,
      { handle, uri in TurtleTriples.of(handle)?.names.map { serd_env_set_base_uri($0, uri) } ?? SERD_FAILURE
      },
      { handle, name, uri in
        TurtleTriples.of(handle)?.names.map { serd_env_set_prefix($0, name, uri) } ?? SERD_FAILURE
      },
      { handle, _, _, subject, predicate, object, type, _ in
        TurtleTriples.of(handle)?.add(subject.pointee, predicate.pointee, object.pointee, type?.pointee)
        return SERD_SUCCESS
      }, nil)
    guard let reader else { return false }
    defer { serd_reader_free(reader) }
    serd_reader_set_error_sink(reader, { _, _ in SERD_SUCCESS }, nil)
    return serd_reader_read_file_handle(reader, file, name) == SERD_SUCCESS
  }

  /// The objects of all statements about a subject with this predicate.
  func objects(_ subject: Term, _ predicate: String) -> [Term] {
    statements.filter { $0.subject == subject && $0.predicate == predicate }.map(\.object)
  }

  /// The items of an RDF list.
  func list(_ start: Term) -> [Term] {
    var items: [Term] = [], rest: Term? = start
    while let node = rest, node != .uri(Name.rdfNil), items.count < statements.count {
      items += objects(node, Name.first).prefix(1)
      rest = objects(node, Name.rest).first
    }
    return items
  }

  private static func of(_ handle: UnsafeMutableRawPointer?) -> TurtleTriples? {
    handle.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  private func add(_ subject: SerdNode, _ predicate: SerdNode, _ object: SerdNode, _ type: SerdNode?) {
    guard case .uri(let predicate) = term(predicate, nil) else { return }
    statements.append((term(subject, nil), predicate, term(object, type)))
  }

  private func term(_ node: SerdNode, _ type: SerdNode?) -> Term {
    let text = node.buf.map { String(cString: $0) } ?? ""
    switch node.type {
    case SERD_BLANK: return .blank(text)
    case SERD_LITERAL:
      guard let type, type.type == SERD_URI || type.type == SERD_CURIE,
        case .uri(let uri) = term(type, nil)
      else { return .literal(text, type: nil) }
      return .literal(text, type: uri)
    default:
      guard let names else { return .uri(text) }
      var given = node
      var whole = serd_env_expand_node(names, &given)
      defer { serd_node_free(&whole) }
      return .uri(whole.buf.map { String(cString: $0) } ?? text)
    }
  }
}
