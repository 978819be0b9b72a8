// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension PluginWorld {
  /// How late a plugin's output is with all parameters as they start, in frames. Its code runs only where its
  /// description has a port that tells.
  ///
  /// - Throws: ``PluginError``, where the plugin is not there or does not start.
  package func latency(uri: String, layout: PluginLayout) throws(PluginError) -> Int {
    let tells = try lock.locked { () throws(PluginError) in
      try model(uri: uri).ports.contains { $0.role == .latency && !$0.isInput }
    }
    guard tells else { return 0 }
    return try makeProcessor(uri: uri, layout: layout).latency.load(ordering: .relaxed)
  }
}
