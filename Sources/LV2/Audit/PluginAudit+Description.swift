// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

extension PluginAudit {
  /// Checks the Turtle description.
  ///
  /// - Returns: Whether the plugin can be instantiated.
  func auditDescription() -> Bool {
    if let flaw = model.flaw {
      output.find(.fail, .description, "its description cannot be used: \(flaw)")
      return false
    }
    auditSymbols()
    for port in model.ports where port.kind == .control && port.isInput { auditRange(of: port) }
    if let refusal = model.refusal {
      output.find(.warn, .unsupported, "Swiftlet cannot run it: \(refusal)")
      return false
    }
    return true
  }

  /// Checks that symbols are unique C identifiers.
  private func auditSymbols() {
    let symbols = world.lock.locked { (try? world.lilv())?.symbols(of: model.uri) ?? [] }
    var seen: Set<String> = []
    for (index, symbol) in symbols.enumerated() {
      if !seen.insert(symbol).inserted {
        output.find(.fail, .symbol, "more than one port has the symbol '\(symbol)'")
      }
      let isIdentifier =
        symbol.utf8.allSatisfy { byte in
          byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
        } && !symbol.isEmpty && !(symbol.first?.isNumber ?? true)
      if !isIdentifier {
        output.find(.fail, .symbol, "the symbol '\(symbol)' of port \(index) is no C identifier")
      }
    }
  }

  private func auditRange(of port: PluginPort) {
    if let low = port.minimum, let high = port.maximum, low > high {
      output.find(
        .fail, .range, "the minimum \(low) of its port '\(port.symbol)' is above the maximum \(high)")
      return
    }
    guard port.isParameter else { return }
    guard let initial = port.initial else {
      return output.find(.note, .defaultValue, "its port '\(port.symbol)' has no default")
    }
    // If bounds are multiples of the sample rate, a default may be a multiple or in hertz.
    let rate: Float = port.properties.contains(Name.sampleRateBounds) ? 48_000 : 1
    let isInside = [1, rate].contains { scale in
      initial >= (port.minimum ?? -.infinity) * scale && initial <= (port.maximum ?? .infinity) * scale
    }
    if !isInside {
      output.find(
        .warn, .defaultValue,
        "the default \(initial) of its port '\(port.symbol)' is outside its range "
          + "\(port.minimum.map { "\($0)" } ?? "…") to \(port.maximum.map { "\($0)" } ?? "…")")
    }
  }
}

extension Lilv {
  /// The symbols of a plugin's ports, as in its description.
  fileprivate func symbols(of uri: String) -> [String] {
    guard let plugin = plugin(uri) else { return [] }
    return (0..<lilv_plugin_get_num_ports(plugin)).map { index in
      let port = lilv_plugin_get_port_by_index(plugin, index)
      return port.flatMap { Self.text(lilv_port_get_symbol(plugin, $0)) } ?? ""
    }
  }
}
