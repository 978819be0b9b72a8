// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletEffects
public import SwiftletGraph
internal import SwiftletLibraryEffects
public import SwiftletSignal

/// The effects that `.effect` and manifests know by name.
public struct EffectCatalog: Sendable {
  var units = UnitCatalog()

  /// All effects that come with Swiftlet.
  public static let builtIn: EffectCatalog = {
    var catalog = EffectCatalog()
    forEachUnit(&catalog.units)
    forEachLibraryUnit(&catalog.units)
    return catalog
  }()

  /// No effects.
  package init() {}

  /// Adds an effect of your own; it takes the place of one with the same symbol.
  public mutating func add<Unit: EffectUnit & ~Copyable>(_ unit: Unit.Type) { units.visit(unit) }

  /// What each effect is, in the order in which people should read them.
  public var infos: [ProcessorInfo] { units.entries.map(\.info) }

  /// What the effect of this name is; nil if there is none.
  public func info(_ name: String) -> ProcessorInfo? { units[name]?.info }
}
