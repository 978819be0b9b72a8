// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletEffects
public import SwiftletGraph
internal import SwiftletLibraryEffects
public import SwiftletSignal

/// The effects that `.effect` and manifests find by name.
///
/// A value, for any thread. The engine creates effects on the thread that attaches them.
public struct EffectCatalog: Sendable {
  private(set) var registry = EffectRegistry()
  /// The functions that make the node handles of each effect, by its symbol.
  private(set) var handles: [String: AudioNode.Maker] = [:]

  /// All effects that come with Swiftlet.
  public static let builtIn: EffectCatalog = {
    var registrar = Registrar(catalog: EffectCatalog())
    forEachEffect(&registrar)
    forEachLibraryEffect(&registrar)
    return registrar.catalog
  }()

  /// Creates a catalog without effects.
  package init() {}

  /// Adds an effect. It replaces an effect with the same symbol.
  public mutating func add<E: Effect & ~Copyable>(_ effect: E.Type) {
    registry.visit(effect)
    handles["\(E.description.symbol)"] = EffectNode<E>.handle
  }

  private struct Registrar: EffectVisitor {
    var catalog: EffectCatalog
    mutating func visit<E: Effect & ~Copyable>(_ effect: E.Type) { catalog.add(effect) }
  }

  /// The descriptions of the effects, in the order in which they are shown to users.
  public var infos: [ProcessorInfo] { registry.entries.map(\.info) }

  /// Returns the description of the effect with this name; nil if there is none.
  package func info(_ name: String) -> ProcessorInfo? { registry[name]?.info }
}
