// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension PluginWorld {
  /// Makes a plugin in a process of its own and has it play some blocks of silence: what it does there harms nobody.
  ///
  /// - Parameter values: parameters by number, as ``makeProcessor(uri:layout:preset:values:)`` takes them.
  /// - Returns: why its process failed while it played; nil for one that plays.
  /// - Throws: ``PluginError``, where it cannot be made.
  package func probe(
    uri: String, layout: PluginLayout, values: [(number: Int, value: Float)] = []
  ) throws(PluginError) -> String? {
    var layout = layout
    layout.isolation = PluginIsolation()
    let processor = try makeProcessor(uri: uri, layout: layout, values: values)
    return turn.locked {
      let body = processor.body
      for _ in 0..<Self.probedBlocks where !body.isGivenUp { body.rehearse(body.promise.longest) }
      guard let child = body.child, body.isGivenUp else { return nil }
      return child.process.warden.end(asksFor: "it did not process a block in time").joined(separator: "; ")
    }
  }

  private static var probedBlocks: Int { 16 }
}

extension PluginBody {
  /// Whether its process has failed, as far as whoever runs it has seen.
  fileprivate var isGivenUp: Bool { child?.process.warden.isGivenUp == true }
}
