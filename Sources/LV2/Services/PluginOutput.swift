// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// Attributes what plugins print on standard output and standard error to their nodes.
///
/// A program that reads these streams sets a ``Reader``. Without one, nothing is attributed. Crash reports identify
/// the node in any case.
package enum PluginOutput {
  /// Reads this process's output.
  package struct Reader: Sendable {
    /// Starts attributing output to the plugin of a node.
    let begin: @Sendable (_ node: String) -> Void
    /// Stops attributing output, and returns the lines printed since `begin`.
    let end: @Sendable () -> [String]

    /// Creates a reader from two closures, which are called alternately.
    package init(
      begin: @escaping @Sendable (_ node: String) -> Void, end: @escaping @Sendable () -> [String]
    ) {
      (self.begin, self.end) = (begin, end)
    }
  }

  /// A node whose plugin's code runs, and the lines printed meanwhile.
  fileprivate struct Node {
    let number: Int, name: String
    var lines: [String] = []
  }
  fileprivate struct State {
    var nodes: [Node] = []
    var count = 0
  }

  /// The name of the node that all plugins in this process belong to; nil if there are several nodes or none.
  package static var onlyNode: String? { swiftlet_find_only_node().map { text($0.pointee.node) } }

  /// Returns the label of a node's output: its name in printable ASCII, at most 63 bytes, as in the notes of plugins.
  package static func label(of node: String) -> String {
    let most = MemoryLayout.size(ofValue: swiftlet_note().node) - 1
    let bytes = node.utf8.prefix(most).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static let reader = Mutex<Reader?>(nil)
  /// The nodes to which output is attributed. The reader is called under the lock, the plugins' code is not.
  private static let state = Mutex(State())

  /// Sets this process's reader.
  package static func setReader(_ reader: Reader?) { self.reader.withLock { $0 = reader } }

  /// Runs `body`, which calls the code of a node's plugin: instantiates, restores or activates it. Lines without a
  /// label that other plugins print from `run` are also attributed to the node. If the code of several nodes runs at the
  /// same time, the lines are attributed to all of them.
  ///
  /// - Throws: What `body` throws. If the plugin returned no instance, the error includes the lines that the plugin
  ///   printed.
  package static func attributed<Result>(
    to node: String, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    let name = strdup(node), around = swiftlet_set_node(name)
    defer {
      _ = swiftlet_set_node(around)
      free(name)
    }
    guard let reader = reader.withLock({ $0 }) else { return try body() }
    let number = state.withLock { state in
      if !state.nodes.isEmpty { state.add(reader.end()) }
      state.count += 1
      state.nodes.append(Node(number: state.count, name: node))
      reader.begin(state.names)
      return state.count
    }
    do throws(PluginError) {
      let result = try body()
      _ = leave(number, reader)
      return result
    } catch {
      let lines = leave(number, reader)
      guard case .noInstance(let uri, let messages) = error else { throw error }
      throw .noInstance(uri, messages: messages + lines.suffix(mostLines))
    }
  }

  /// Ends the attribution to a node; returns the lines printed meanwhile.
  private static func leave(_ number: Int, _ reader: Reader) -> [String] {
    state.withLock { state in
      state.add(reader.end())
      let lines = state.nodes.first { $0.number == number }?.lines ?? []
      state.nodes.removeAll { $0.number == number }
      if !state.nodes.isEmpty { reader.begin(state.names) }
      return lines
    }
  }

  /// The maximum number of printed lines in an error.
  private static let mostLines = 4
}

extension PluginOutput.State {
  /// The names of the nodes, as a text within quotation marks.
  fileprivate var names: String { nodes.map(\.name).joined(separator: "' or '") }

  /// Adds lines to all nodes.
  fileprivate mutating func add(_ lines: [String]) {
    for index in nodes.indices { nodes[index].lines += lines }
  }
}
