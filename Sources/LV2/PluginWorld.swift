// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph

/// The LV2 plugins of this machine.
///
/// It is read once, at the first question. All of it may be called from any thread but the audio thread.
// @unchecked: all that changes is touched under `lock`.
public final class PluginWorld: @unchecked Sendable {
  /// A plugin's names: what a list shows.
  public struct Listing: Sendable, Equatable {
    /// What a manifest calls it.
    public let uri: String
    /// Its name for people.
    public let name: String
    /// Its kind for people, such as `Delay`.
    public let category: String
    /// Why it cannot be used here; nil where it can.
    public let refusal: String?
  }

  /// The plugins along `LV2_PATH`, or in LV2's usual folders where that is not set.
  public static let shared = PluginWorld()

  let lock = ControlLock()
  private let path: String?
  private var loaded: Lilv?
  private var models: [String: PluginModel] = [:]

  /// A world over the folders of `path`, joined by colons, in place of `LV2_PATH`.
  public init(path: String? = nil) { self.path = path }

  /// Every plugin there is, by name; those that cannot be used say why.
  ///
  /// - Throws: ``PluginError/noWorld``.
  public func list() throws(PluginError) -> [Listing] {
    try lock.locked { () throws(PluginError) in
      var listings: [Listing] = []
      for uri in try lilv().plugins.keys {
        let model = try model(uri: uri)
        listings.append(
          Listing(uri: uri, name: model.name, category: model.category, refusal: model.refusal))
      }
      return listings.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
    }
  }

  /// What a plugin has: buses, parameters, meters, presets, features. Its code does not run.
  ///
  /// - Parameter sampleRate: frames a second, for parameters whose range follows it.
  /// - Throws: ``PluginError/unknownPlugin(_:nearest:)``.
  public func info(uri: String, sampleRate: Double = 48_000) throws(PluginError) -> ProcessorInfo {
    try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri)
      return try model.info(sampleRate: sampleRate, presets: lilv().presets(of: plugin(uri: uri)))
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
    let plugins = try lilv().plugins
    if let plugin = plugins[uri] { return plugin }
    throw .unknownPlugin(uri, nearest: NearestName.nearest(to: uri, among: Array(plugins.keys)))
  }

  /// A plugin's description, read at its first use. Under the lock.
  func model(uri: String) throws(PluginError) -> PluginModel {
    if let model = models[uri] { return model }
    let model = try lilv().model(of: plugin(uri: uri), uri: uri)
    models[uri] = model
    return model
  }
}
