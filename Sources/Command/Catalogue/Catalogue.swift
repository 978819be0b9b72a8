// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// All that may stand in a chain: the built-in effects and this machine's LV2 plugins.
struct Catalogue {
  /// One line of a list.
  struct Item: Equatable {
    /// Where it comes from.
    var origin: ProcessorInfo.Origin
    /// What a manifest calls it.
    var id: String
    /// Its name for people.
    var name: String
    /// Its kind for people.
    var category: String
    /// What it does; plugins are not asked for it.
    var meaning = ""
    /// Why it cannot be used; nil where it can.
    var refusal: String?
    /// What its latest audit says of its crash; nil if it has not crashed, or was not audited.
    var crash: String?
  }

  /// The plugins.
  var world = PluginWorld.shared

  /// The built-in effects, in the order in which people should read them.
  var effects: [Item] {
    EffectCatalog.builtIn.infos.map {
      Item(origin: .builtIn, id: $0.id, name: $0.name, category: $0.category, meaning: $0.meaning)
    }
  }

  /// The installed plugins, and the bundles that cannot be read.
  ///
  /// - Throws: ``PluginError/noWorld``.
  func plugins() throws -> PluginList { try PluginList(world) }

  /// `Delay` for LV2's `Delay Plugin`; nothing for a plugin that is no more than that.
  static func kind(_ category: String) -> String {
    category.hasSuffix("Plugin") ? category.dropLast(6).trimmingSuffix(while: \.isWhitespace) : category
  }

  /// Whether a built-in effect has this name.
  func hasEffect(_ name: String) -> Bool { EffectCatalog.builtIn.info(name) != nil }

  /// What is known of an effect or plugin, by its id, or by its name if only one bears it.
  ///
  /// - Throws: a ``Failure`` that names what was perhaps meant.
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
    let leftOut = plugins.unreadable.map { "; a bundle of plugins is left out: \($0)" }.joined()
    throw Failure(.badInput, "no effect or plugin is called '\(word.shortened())'\(hint)\(leftOut)")
  }

  /// The description of the plugin with a URI; nil if there is no such plugin. Other plugins are not read.
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
  /// Whether a word is found in anything that is said of it.
  func matches(_ word: String) -> Bool {
    let wanted = word.lowercased()
    return [id, name, category, meaning].contains { $0.lowercased().contains(wanted) }
  }

  /// The item for programs.
  var json: JSONValue {
    .object([
      ("origin", .string(origin.rawValue)), ("id", .string(id)), ("name", .string(name)),
      ("category", .string(category)), ("usable", .toggle(refusal == nil)), ("refusal", .optional(refusal)),
      ("crash", .optional(crash)),
    ])
  }
}
