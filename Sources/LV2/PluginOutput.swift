// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Attributes what plugins print to standard output and standard error to the nodes that they are made for.
///
/// A program that reads these streams sets a ``Reader``. Without one, nothing happens here.
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

  /// Sets the reader of this process.
  package static func setReader(_ reader: Reader?) { self.reader.withLock { $0 = reader } }

  /// Runs `body`, which calls the code of the plugin of a node: makes it, restores it or activates it. What other plugins
  /// print meanwhile, as from `run`, is attributed to the node, too.
  ///
  /// - Throws: what `body` throws. A plugin that made no instance is said to have told what it printed.
  package static func attributed<Result>(
    to node: String, _ body: () throws(PluginError) -> Result
  ) throws(PluginError) -> Result {
    guard let reader = reader.withLock({ $0 }) else { return try body() }
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
