// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension PluginWorld {
  /// Returns a plugin's latency in frames with default parameters. Runs the plugin's code only if its description has
  /// a latency port.
  ///
  /// - Throws: ``PluginError`` if the plugin is not installed or cannot be instantiated.
  package func latency(uri: String, layout: PluginLayout) throws(PluginError) -> Int {
    let tells = try lock.locked { () throws(PluginError) in
      try model(uri: uri).ports.contains { $0.role == .latency && !$0.isInput }
    }
    guard tells else { return 0 }
    return try makeProcessor(uri: uri, layout: layout).latency.load(ordering: .relaxed)
  }
}
