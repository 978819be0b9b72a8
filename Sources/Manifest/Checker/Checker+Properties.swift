// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

extension Checker {
  /// Resolves the value of a plugin's property.
  mutating func set(
    _ property: ProcessorInfo.Property, to setting: Manifest.Setting, on node: inout ResolvedManifest.Node
  ) {
    let name = Document.short(setting.parameter.text)
    guard property.isWritable else {
      return problems.error(
        setting.parameter.position, "'\(name)' of '\(node.name)' is set by the plugin alone")
    }
    guard !node.properties.contains(where: { $0.number == property.number }) else {
      return problems.error(setting.parameter.position, "found '\(name)' twice; expected each parameter once")
    }
    guard let written = text(of: setting.value, property) else { return }
    let value: PropertyValue
    do throws(ProcessorInfo.Property.Misfit) { value = try property.value(of: written.text) } catch {
      return problems.error(written.position, "found '\(Document.short(written.text))'; \(error.reason)")
    }
    guard case .path(let path) = value else {
      return node.properties.append(.init(number: property.number, value: value))
    }
    let file = ManifestPath.joined(directory, path)
    if let fault = catalog.fileFault(file) {
      return problems.error(written.position, "found the file '\(Document.short(file))', which \(fault)")
    }
    node.properties.append(.init(number: property.number, value: .path(file)))
  }

  /// Returns the folder of a state; nil after reporting an error.
  ///
  /// - Parameter plugin: The URI of the plugin that receives the state.
  mutating func state(_ written: Manifest.Text, of plugin: String) -> String? {
    let folder = ManifestPath.joined(directory, written.text)
    if let fault = catalog.fileFault(folder + "/state.ttl") {
      problems.error(
        written.position, "found the state '\(Document.short(folder))', whose file state.ttl \(fault)")
      return nil
    }
    if let fault = catalog.stateFault(folder, plugin) {
      problems.error(
        written.position, "found the state '\(Document.short(folder))', which cannot be loaded: \(fault)")
      return nil
    }
    return folder
  }

  /// Returns the value of a property as one text; nil after reporting an error.
  private mutating func text(
    of value: Manifest.Value, _ property: ProcessorInfo.Property
  ) -> Manifest.Text? {
    switch value {
    case .text(let text): return text
    case .list(let texts, let position) where property.kind == .vector:
      return Manifest.Text(texts.map(\.text).joined(separator: ", "), position: position)
    case .list(_, let position), .bands(_, let position):
      problems.error(position, "found a list; expected '\(property.symbol)' to be \(property.kind.words)")
      return nil
    }
  }
}
