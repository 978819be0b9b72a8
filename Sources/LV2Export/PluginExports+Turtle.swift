// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import SwiftletSignal

extension PluginExports {
  /// Writes a bundle's `manifest.ttl`, and a file for each effect.
  ///
  /// - Parameters:
  ///   - folder: The bundle's folder, which must exist.
  ///   - binary: The name of the shared object in the bundle.
  /// - Returns: Whether all files were written.
  public func writeTurtle(into folder: String, binary: String) -> Bool {
    var manifest = TurtleWriter()
    for plugin in plugins {
      manifest.begin("<" + plugin.uri + ">", "lv2:Plugin")
      manifest.add("lv2:binary", "<" + binary + ">")
      manifest.add("rdfs:seeAlso", "<" + plugin.file + ">")
      manifest.end()
    }
    var isWritten = true
    for (index, plugin) in plugins.enumerated() where !plugin.isMono {
      let hasMono = index + 1 < plugins.count && plugins[index + 1].isMono
      let both = hasMono ? [plugin, plugins[index + 1]] : [plugin]
      var file = TurtleWriter()
      for variant in both { variant.write(to: &file) }
      if let given = plugin.filed { plugin.write(given, to: &file) }
      for preset in plugin.presets {
        manifest.begin("<" + plugin.uri(of: preset) + ">", "pset:Preset")
        for variant in both { manifest.add("lv2:appliesTo", "<" + variant.uri + ">") }
        manifest.add("rdfs:seeAlso", "<" + plugin.file + ">")
        manifest.end()
        plugin.write(preset, of: both, to: &file)
      }
      isWritten = write(file.text, to: folder + "/" + plugin.file) && isWritten
    }
    return write(manifest.text, to: folder + "/manifest.ttl") && isWritten
  }

  /// The stable names that other programs store, one on each line: URIs of plugins and presets, and symbols of ports.
  public var names: [String] {
    var lines: [String] = []
    for plugin in plugins {
      lines.append(plugin.uri)
      for port in plugin.ports { lines.append(plugin.uri + " " + port.symbol) }
      guard !plugin.isMono else { continue }
      if let given = plugin.filed { lines.append(plugin.uri(of: given)) }
      for preset in plugin.presets { lines.append(plugin.uri(of: preset)) }
    }
    return lines
  }

  private func write(_ text: String, to path: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe path.withCString { unsafe swiftlet_write_file($0, bytes.baseAddress, bytes.count) } == 0
    }
  }
}

extension ExportedPlugin {
  /// The file with the effect's description.
  var file: String { text(description.symbol) + ".ttl" }

  /// A preset's URI, the same for mono and stereo.
  func uri(of preset: EffectPreset) -> String { text(description.uri) + ":" + text(preset.name) }

  /// A file's URI, the same for mono and stereo.
  func uri(of file: FileDescription) -> String { text(description.uri) + "#" + portSymbol(file.symbol) }

  /// Writes the description of the file that the effect is made with.
  func write(_ given: FileDescription, to file: inout TurtleWriter) {
    file.begin("<" + uri(of: given) + ">", "lv2:Parameter")
    file.add("rdfs:label", quoted(text(given.name)))
    file.add("rdfs:comment", quoted(text(given.meaning)))
    file.add("rdfs:range", "atom:Path")
    file.end()
  }

  /// Writes the description of the plugin.
  func write(to file: inout TurtleWriter) {
    file.begin("<" + uri + ">", "lv2:Plugin , lv2:" + text(description.lv2Class))
    file.add("doap:name", quoted(name))
    file.add("rdfs:comment", quoted(text(description.meaning)))
    file.add("lv2:minorVersion", decimal(description.minorVersion))
    file.add("lv2:microVersion", decimal(description.microVersion))
    let isFiled = filed?.isRequired ?? false
    file.add(
      "lv2:optionalFeature", "lv2:hardRTCapable" + (eventPorts.isEmpty || isFiled ? "" : " , urid:map"))
    if let filed {
      if isFiled { file.add("lv2:requiredFeature", "urid:map") }
      file.add(
        "lv2:optionalFeature", "work:schedule , state:mapPath , state:freePath , state:threadSafeRestore")
      file.add("lv2:extensionData", "work:interface , state:interface")
      file.add("patch:writable", "<" + uri(of: filed) + ">")
    }
    let groups = groups
    if let group = groups.first(where: { $0.isMain && $0.isInput }) { file.add("pg:mainInput", group.uri) }
    if let group = groups.first(where: { $0.isMain && !$0.isInput }) { file.add("pg:mainOutput", group.uri) }
    file.add("lv2:port", ports.enumerated().map { $1.turtle(index: $0) })
    file.end()
    for group in groups { group.write(to: &file) }
  }

  /// Writes a preset of the effect, which applies to all its variants.
  func write(_ preset: EffectPreset, of variants: [ExportedPlugin], to file: inout TurtleWriter) {
    file.begin("<" + uri(of: preset) + ">", "pset:Preset")
    file.add("rdfs:label", quoted(capitalised(preset.name)))
    for variant in variants { file.add("lv2:appliesTo", "<" + variant.uri + ">") }
    // Values of bands without ports are omitted.
    let values = preset.values.filter { parameters.indices.contains($0.parameter) }
    file.add(
      "lv2:port",
      values.map {
        var node = BlankNode("lv2:symbol", quoted(parameters[$0.parameter].symbol))
        node.add("pset:value", decimal($0.value))
        return node
      })
    file.end()
  }
}
