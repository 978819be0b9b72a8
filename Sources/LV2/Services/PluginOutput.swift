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
  /// Held while lines are attributed to a node, since plugins of several worlds may be instantiated at once.
  private static let lock = ControlLock()

  /// Sets this process's reader.
  package static func setReader(_ reader: Reader?) { self.reader.withLock { $0 = reader } }

  /// Runs `body`, which calls the code of a node's plugin: instantiates, restores or activates it. No other plugin is
  /// instantiated or changed in the meantime. Lines without a label that other plugins print from `run` are also
  /// attributed to the node.
  ///
  /// - Throws: What `body` throws. If the plugin returned no instance, the error includes the lines that the plugin
  ///   printed.
  package static func attributed<Result>(
    to node: String, in world: PluginWorld, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    let name = strdup(node), around = swiftlet_set_node(name)
    defer {
      _ = swiftlet_set_node(around)
      free(name)
    }
    guard let reader = reader.withLock({ $0 }) else { return try body() }
    // The order avoids a deadlock: `body` takes `turn`, too.
    return try world.turn.locked { () throws(PluginError) in
      try lock.locked { () throws(PluginError) in try attributed(to: node, by: reader, body) }
    }
  }

  private static func attributed<Result>(
    to node: String, by reader: Reader, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    reader.begin(node)
    do throws(PluginError) {
      let result = try body()
      _ = reader.end()
      return result
    } catch {
      let lines = reader.end()
      guard case .noInstance(let uri, let messages) = error else { throw error }
      throw .noInstance(uri, messages: messages + lines.suffix(mostLines))
    }
  }

  /// The maximum number of printed lines in an error.
  private static let mostLines = 4
}
