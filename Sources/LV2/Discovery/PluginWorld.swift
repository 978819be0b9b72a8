// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

/// The LV2 plugins on this machine.
///
/// The search path is scanned once, at the first query. All members may be used from any thread except the audio
/// thread.
// @unchecked: all mutable state is accessed under `lock`.
package final class PluginWorld: @unchecked Sendable {
  /// A plugin's entry in a list of plugins.
  package struct Listing: Sendable, Equatable {
    /// The plugin's URI, as in manifests.
    package let uri: String
    /// The display name.
    package let name: String
    /// The display name of its class, such as `Delay`.
    package let category: String
    /// The reason why this host cannot use it; nil if it can.
    package let refusal: String?
    /// The path of its shared library; nil if its description names none.
    package let library: String?
  }

  /// The plugins along `LV2_PATH`, or in LV2's default folders if that is not set.
  package static let shared = PluginWorld()

  /// Held while lilv is used, which is not thread-safe; never while a plugin's code runs.
  let lock = ControlLock()
  /// The search path, with folders separated by colons; nil for the default one.
  let path: String?
  private var loaded: Lilv?
  private var models: [String: PluginModel] = [:]

  /// Creates a world with a search path, with folders separated by colons, in place of `LV2_PATH`.
  package init(path: String? = nil) { self.path = path }

  /// Returns all plugins, sorted by name. Those that cannot be used include the reason.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func list() throws(PluginError) -> [Listing] {
    try lock.locked { () throws(PluginError) in
      var listings: [Listing] = []
      let lilv = try lilv()
      for uri in lilv.pluginURIs.union(lilv.guarded.plugins.keys) {
        // lilv drops an older bundle completely, even if the newer version lacks a plugin.
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

  /// The folders of all bundles, each with a trailing slash. Reads no file.
  package var bundles: [String] { PluginFolders.bundles(along: path) }

  /// Returns the known paths of the files that describe the bundles: manifests, and the files that they refer to.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func files() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in
      let referred = try lilv().guarded.files.compactMap { Lilv.path(of: $0) }
      return bundles.map { $0 + "manifest.ttl" } + referred
    }
  }

  /// Returns the reason for each bundle that was excluded because lilv must not read it.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func unreadableBundles() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in try lilv().guarded.leftOut }
  }

  /// Returns the URIs of all plugins. Reads no plugin's description.
  ///
  /// - Throws: ``PluginError/noWorld``.
  package func uris() throws(PluginError) -> [String] {
    try lock.locked { () throws(PluginError) in
      let lilv = try lilv()
      return lilv.pluginURIs.union(lilv.guarded.plugins.keys).sorted()
    }
  }

  /// Loads a plugin's library and looks for the plugin in it, as instantiating the plugin would. Runs the library's
  /// constructors, but creates no instance.
  ///
  /// - Returns: The reason why the library does not provide the plugin, as a sentence; nil if it does.
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``, ``PluginError/noWorld``.
  package func libraryFault(uri: String) throws(PluginError) -> String? {
    let library = try lock.locked { () throws(PluginError) in try model(uri: uri).library }
    return library.flatMap { PluginLibrary.fault(of: uri, in: $0) }.map { "its library \($0)" }
  }

  /// Returns a plugin's description: buses, parameters, meters, presets, features. Does not run its code.
  ///
  /// - Parameter sampleRate: The sample rate in Hz, for ranges in multiples of it; default 48,000.
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``.
  package func info(uri: String, sampleRate: Double = 48_000) throws(PluginError) -> ProcessorInfo {
    try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri)
      // The presets of a plugin that lilv must not read cannot be queried.
      let presets = try model.flaw == nil ? lilv().presets(of: plugin(uri: uri)) : []
      return model.info(sampleRate: sampleRate, presets: presets)
    }
  }

  /// The lilv world, created on first use. Called under the lock.
  func lilv() throws(PluginError) -> Lilv {
    if let loaded { return loaded }
    guard let lilv = Lilv(path: path) else { throw .noWorld }
    loaded = lilv
    return lilv
  }

  /// lilv's handle of a plugin. Called under the lock.
  func plugin(uri: String) throws(PluginError) -> OpaquePointer {
    let lilv = try lilv()
    if let plugin = lilv.plugin(uri) { return plugin }
    throw .unknownPlugin(
      uri, nearest: NearestName.nearest(to: uri, among: Array(lilv.pluginURIs.filter { $0 != uri })))
  }

  /// A plugin's description, read on first use. Called under the lock.
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
