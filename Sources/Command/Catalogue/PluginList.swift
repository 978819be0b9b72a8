// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph
internal import SwiftletLV2

/// The installed plugins, and the bundles that cannot be read.
struct PluginList: Equatable {
  /// The plugins, sorted by name.
  var items: [Catalogue.Item]
  /// The reason for each bundle that was left out because it cannot be read.
  var unreadable: [String]

  /// Creates the list of the plugins of `world`: from the cache if nothing has changed, else by reading the bundles
  /// and loading each library once.
  ///
  /// - Throws: ``PluginError/noWorld``.
  init(_ world: PluginWorld) throws {
    let cache = PluginListCache(bundles: world.bundles)
    if let cached = cache.load() {
      self = cached
      return
    }
    let start = time(nil)
    let listings = try world.list()
    let sound = listings.filter { $0.refusal == nil }
    let probe = LibraryProbe.faults(
      of: sound.compactMap { plugin in plugin.library.map { .init(uri: plugin.uri, library: $0) } })
    items = listings.map {
      Catalogue.Item(
        origin: .lv2, id: $0.uri, name: $0.name, category: Catalogue.kind($0.category),
        refusal: $0.refusal ?? probe.faults[$0.uri])
    }
    unreadable = try world.unreadableBundles()
    // A library that crashed or hung may do so only because the machine was busy or short of memory, so the list is
    // not stored.
    guard probe.isComplete else { return }
    cache.store(self, files: try world.files() + listings.compactMap(\.library), readSince: start)
  }

  /// Creates a list from known items.
  init(items: [Catalogue.Item], unreadable: [String]) {
    (self.items, self.unreadable) = (items, unreadable)
  }
}
