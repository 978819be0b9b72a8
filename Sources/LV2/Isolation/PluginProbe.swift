// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension PluginWorld {
  /// Instantiates a plugin in a process of its own and runs it for some blocks of silence, so that a crash has no
  /// other effect.
  ///
  /// - Parameter values: Parameters by number, as for ``makeProcessor(uri:layout:preset:values:)``.
  /// - Returns: The reason why the process failed during the blocks; nil if it did not fail.
  /// - Throws: ``PluginError`` if the plugin cannot be instantiated.
  package func probe(
    uri: String, layout: PluginLayout, values: [(number: Int, value: Float)] = []
  ) throws(PluginError) -> String? {
    var layout = layout
    layout.isolation = PluginIsolation()
    let processor = try makeProcessor(uri: uri, layout: layout, values: values)
    return processor.changeLock.locked { () -> String? in
      let body = processor.body
      for _ in 0..<Self.probedBlocks where !body.isMarkedFailed { body.rehearse(body.guarantee.longest) }
      guard let child = body.child, body.isMarkedFailed else { return nil }
      return child.process.monitor.end(because: "it did not process a block in time").joined(separator: "; ")
    }
  }

  private static var probedBlocks: Int { 16 }
}

extension PluginBody {
  /// Whether the audio thread treats the process as failed.
  fileprivate var isMarkedFailed: Bool { child?.process.monitor.isMarkedFailed == true }
}
