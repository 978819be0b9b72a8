// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph
internal import SwiftletLV2

/// The installed plugins, and the bundles that cannot be read.
struct PluginList: Equatable {
  /// The plugins, by name.
  var items: [Catalogue.Item]
  /// The reason of each bundle that was left out because it cannot be read.
  var unreadable: [String]

  /// The plugins of `world`: from the cache while nothing has changed, else read, and their libraries loaded once.
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
    // A machine that was busy or short of memory may answer otherwise next time.
    guard probe.isComplete else { return }
    cache.store(self, files: try world.files() + listings.compactMap(\.library), readSince: start)
  }

  /// A list that is known.
  init(items: [Catalogue.Item], unreadable: [String]) {
    (self.items, self.unreadable) = (items, unreadable)
  }
}
