// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// The built-in effects and this machine's LV2 plugins.
struct Catalogue {
  /// An effect or plugin in a list.
  struct Item: Equatable {
    /// Whether it is built in or an LV2 plugin.
    var origin: ProcessorInfo.Origin
    /// The name or URI that a manifest uses.
    var id: String
    /// The display name.
    var name: String
    /// The category, for display.
    var category: String
    /// The description; empty for plugins.
    var meaning = ""
    /// Why it cannot be used; nil if it can.
    var refusal: String?
    /// The crash in the latest audit; nil if it has not crashed or was not audited.
    var crash: String?
  }

  /// The sample rate at which latencies are measured, in Hz.
  static let usualRate = 48_000.0

  /// The plugins.
  var world = PluginWorld.shared

  /// The built-in effects, in the order of lists.
  var effects: [Item] {
    EffectCatalog.builtIn.infos.map {
      Item(origin: .builtIn, id: $0.id, name: $0.name, category: $0.category, meaning: $0.meaning)
    }
  }

  /// The installed plugins, and the bundles that cannot be read.
  ///
  /// - Throws: ``PluginError/noWorld``.
  func plugins() throws -> PluginList { try PluginList(world) }

  /// Returns the category without the word Plugin: `Delay` for LV2's `Delay Plugin`, and an empty text for `Plugin`.
  static func kind(_ category: String) -> String {
    category.hasSuffix("Plugin") ? category.dropLast(6).trimmingSuffix(while: \.isWhitespace) : category
  }

  /// Returns whether a built-in effect has this name.
  func hasEffect(_ name: String) -> Bool { EffectCatalog.builtIn.info(name) != nil }

  /// Returns the description of an effect or plugin, found by its id, or by its name if that is unique.
  ///
  /// - Throws: A ``Failure`` with a suggestion if there is none or several.
  func info(of word: String) throws -> ProcessorInfo {
    if let info = EffectCatalog.builtIn.info(word) { return info }
    if let info = try plugin(word) { return info }
    let plugins = try plugins(), everything = effects + plugins.items
    let sameName = everything.filter { $0.name.lowercased() == word.lowercased() }
    if sameName.count > 1 {
      throw Failure(
        .badInput,
        "\(sameName.count) plugins are called '\(word.shortened())'; name one by its URI: "
          + sameName.map { "<\($0.id)>" }.joined(separator: ", "))
    }
    if let only = sameName.first {
      if let info = EffectCatalog.builtIn.info(only.id) { return info }
      if let info = try plugin(only.id) { return info }
    }
    let names = everything.map(\.id) + everything.map(\.name)
    let near = NearestName.nearest(to: String(word.prefix(200)), among: names)
    let hint = near.map { "; did you mean '\($0)'?" } ?? "; 'swiftlet list' shows what there is"
    let leftOut = plugins.unreadable.map { "; a bundle of plugins cannot be read and is ignored: \($0)" }
      .joined()
    throw Failure(.badInput, "no effect or plugin is called '\(word.shortened())'\(hint)\(leftOut)")
  }

  /// Returns what an instance of an effect or plugin shows: its latency with default parameters, in frames at 48 kHz, or
  /// nil if it cannot be measured; and a plugin's programs.
  func inspect(_ info: ProcessorInfo) -> (latency: Int?, programs: [PluginProgram]) {
    switch info.origin {
    case .builtIn:
      let engine = try? AudioEngine(.offline(sampleRate: Self.usualRate))
      return ((try? engine?.attach(.effect(info.id)))?.latency, [])
    case .lv2:
      let layout = PluginLayout(sampleRate: Self.usualRate, longestBlock: 1024)
      guard info.refusal == nil, let found = try? world.inspect(uri: info.id, layout: layout) else {
        return (nil, [])
      }
      return (found.latency, found.programs)
    }
  }

  /// Returns the description of the plugin with a URI; nil if there is no such plugin. Reads no other plugin.
  private func plugin(_ uri: String) throws -> ProcessorInfo? {
    var info: ProcessorInfo
    do throws(PluginError) {
      info = try world.info(uri: uri)
      if info.refusal == nil { info.refusal = try world.libraryFault(uri: uri) }
    } catch {
      if case .unknownPlugin = error { return nil }
      throw error
    }
    return info
  }
}

extension Catalogue.Item {
  /// Returns whether the id, name, category or description contains a word.
  func matches(_ word: String) -> Bool {
    let wanted = word.lowercased()
    return [id, name, category, meaning].contains { $0.lowercased().contains(wanted) }
  }

  /// The item as JSON.
  var json: JSONValue {
    .object([
      ("origin", .string(origin.rawValue)), ("id", .string(id)), ("name", .string(name)),
      ("category", .string(category)), ("usable", .toggle(refusal == nil)), ("refusal", .optional(refusal)),
      ("crash", .optional(crash)),
    ])
  }
}
