// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// Attributes what plugins print to standard output and standard error to the nodes that they are made for.
///
/// A program that reads these streams sets a ``Reader``. Without one, nothing is attributed. Crash reports know the node in
/// any case.
package enum PluginOutput {
  /// Reads what is printed in this process.
  package struct Reader: Sendable {
    /// Begins to attribute what is printed to the plugin of a node.
    let begin: @Sendable (_ node: String) -> Void
    /// Ends that, and returns the lines that were printed meanwhile.
    let end: @Sendable () -> [String]

    /// A reader of two closures, which are called in turn.
    package init(
      begin: @escaping @Sendable (_ node: String) -> Void, end: @escaping @Sendable () -> [String]
    ) {
      (self.begin, self.end) = (begin, end)
    }
  }

  private static let reader = Mutex<Reader?>(nil)
  /// Held while lines are attributed to a node: plugins of several worlds may be made at once.
  private static let lock = ControlLock()

  /// Sets the reader of this process.
  package static func setReader(_ reader: Reader?) { self.reader.withLock { $0 = reader } }

  /// Runs `body`, which calls the code of the plugin of a node: makes it, restores it or activates it. No other
  /// plugin is made or changed meanwhile. Lines that other plugins print from `run` are attributed to the node, too.
  ///
  /// - Throws: what `body` throws. If the plugin made no instance, the error includes the lines that the plugin printed.
  package static func attributed<Result>(
    to node: String, in world: PluginWorld, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    let name = strdup(node), around = swiftlet_set_node(name)
    defer {
      _ = swiftlet_set_node(around)
      free(name)
    }
    guard let reader = reader.withLock({ $0 }) else { return try body() }
    // In this order: `body` takes the world's turn, too.
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

  /// The most lines that are told as the reason of a plugin that made no instance.
  private static let mostLines = 4
}
