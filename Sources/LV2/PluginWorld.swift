// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import Synchronization

/// The LV2 plugins of this machine.
///
/// It is read once, at the first question. All of it may be called from any thread but the audio thread.
// @unchecked: all that changes is touched under `lock`.
package final class PluginWorld: @unchecked Sendable {
  /// A plugin's names: what a list shows.
  package struct Listing: Sendable, Equatable {
    /// What a manifest calls it.
    package let uri: String
    /// Its name for people.
    package let name: String
    /// Its kind for people, such as `Delay`.
    package let category: String
    /// Why it cannot be used here; nil where it can.
    package let refusal: String?
    /// The path of its shared library; nil if its description names none.
    package let library: String?
  }

  /// The plugins along `LV2_PATH`, or in LV2's usual folders where that is not set.
  package static let shared = PluginWorld()

  let lock = ControlLock()
  /// Held by whoever makes plugins or changes one, for as long as that takes: a plugin whose gate is shut waits
  /// for nobody else. Taken before `lock`, and before any under which it is told whether a plugin plays: who
  /// holds one of those may free a plugin, and takes `lock` for it.
  let turn = ControlLock()
  /// Whether a plugin that does not return holds the lock, as far as is known.
  let isHeldUp = Atomic(false)
  /// The folders that it looks in, joined by colons; nil for those of LV2.
  let path: String?
  private var loaded: Lilv?
  private var models: [String: PluginModel] = [:]

  /// A world over the folders of `path`, joined by colons, in place of `LV2_PATH`.
  package init(path: String? = nil) { self.path = path }

  /// Every plugin there is, by name; those that cannot be used say why.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func list() throws(PluginError) -> [Listing] {
    try lock.locked { () throws(PluginError) in
      var listings: [Listing] = []
      let lilv = try lilv()
      for uri in lilv.pluginURIs.union(lilv.guarded.plugins.keys) {
        // lilv drops an older bundle as a whole, even if its newer version lacks a plugin.
        guard lilv.plugin(uri) != nil || lilv.guarded.plugins[uri] != nil else { continue }
        let model = try model(uri: uri)
        listings.append(
          Listing(
            uri: uri, name: model.name, category: model.category, refusal: model.refusal,
            library: model.library))
      }
      return listings.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }
  }

  /// The folders of all bundles, each with a slash at its end. No file is read for it.
  package var bundles: [String] { PluginFolders.bundles(along: path) }

  /// The paths of the files that the bundles are described in, as far as they are known: manifests, and what these refer to.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func files() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in
      let referred = try lilv().guarded.files.compactMap { Lilv.path(of: $0) }
      return bundles.map { $0 + "manifest.ttl" } + referred
    }
  }

  /// The reason of each bundle that was left out because lilv must not read it.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func unreadableBundles() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in try lilv().guarded.leftOut }
  }

  /// The URIs of all plugins. No plugin's description is read for it.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func uris() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in
      let lilv = try lilv()
      return lilv.pluginURIs.union(lilv.guarded.plugins.keys).sorted()
    }
  }

  /// Loads the library of a plugin and looks for the plugin in it, as making the plugin would. Code that runs when the
  /// library is loaded runs; no instance is made.
  ///
  /// - Returns: why the plugin cannot come from its library, as a sentence; nil if it can.
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``, ``PluginError/noWorld``.
  package func libraryFault(uri: String) throws(PluginError) -> String? {
    try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri)
      return model.library.flatMap { PluginLibrary.fault(of: uri, in: $0) }.map { "its library \($0)" }
    }
  }

  /// What a plugin has: buses, parameters, meters, presets, features. Its code does not run.
  ///
  /// - Parameter sampleRate: frames a second, for parameters whose range follows it.
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``.
  package func info(uri: String, sampleRate: Double = 48_000) throws(PluginError) -> ProcessorInfo {
    try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri)
      // One that lilv must not read has no presets that could be asked for.
      let presets = try model.flaw == nil ? lilv().presets(of: plugin(uri: uri)) : []
      return model.info(sampleRate: sampleRate, presets: presets)
    }
  }

  /// Runs `body` while nobody else makes or changes plugins of this world.
  ///
  /// - Parameter patience: how many milliseconds to wait at most for that; what it took is taken off.
  /// - Returns: what `body` does; nil where others were at it for longer.
  package func inTurn<Result, Failure: Error>(
    within patience: inout Int, _ body: (inout Int) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let start = ContinuousClock.now, whole = max(patience, 0)
    patience = 0
    return try turn.locked(within: whole) { () throws(Failure) in
      let waited = (ContinuousClock.now - start).components
      patience = max(whole - Int(waited.seconds) * 1000 - Int(waited.attoseconds / 1_000_000_000_000_000), 0)
      return try body(&patience)
    }
  }

  /// The lilv world, read at its first use. Under the lock.
  func lilv() throws(PluginError) -> Lilv {
    if let loaded { return loaded }
    guard let lilv = Lilv(path: path) else { throw .noWorld }
    loaded = lilv
    return lilv
  }

  /// lilv's handle of a plugin. Under the lock.
  func plugin(uri: String) throws(PluginError) -> OpaquePointer {
    let lilv = try lilv()
    if let plugin = lilv.plugin(uri) { return plugin }
    throw .unknownPlugin(
      uri, nearest: NearestName.nearest(to: uri, among: Array(lilv.pluginURIs.filter { $0 != uri })))
  }

  /// A plugin's description, read at its first use. Under the lock.
  func model(uri: String) throws(PluginError) -> PluginModel {
    if let model = models[uri] { return model }
    let lilv = try lilv()
    let danger = lilv.plugin(uri) == nil ? lilv.guarded.plugins[uri] : lilv.guarded.danger(of: uri)
    var model =
      if let danger { PluginModel(uri: uri, flaw: danger) } else {
        try lilv.model(of: plugin(uri: uri), uri: uri)
      }
    if danger == nil, model.flaw != nil, let mistake = lilv.guarded.mistake(of: uri) { model.flaw = mistake }
    models[uri] = model
    return model
  }
}
