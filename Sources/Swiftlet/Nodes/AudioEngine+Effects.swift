// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletLibraryEffects
public import SwiftletSignal
internal import SwiftletStretch

extension AudioEngine {
  /// Adds an effect: a built-in one, or one of the program's own, which needs no entry in a catalogue.
  ///
  /// - Parameters:
  ///   - effect: its type, such as `Delay.self`.
  ///   - preset: a preset to begin with, such as `.slapback`; default: all parameters at their default values.
  ///   - channels: the width of its main input; default: 2. An effect of fixed width ignores it.
  ///   - bands: the number of bands, for an effect that has any; default: the effect's own.
  ///   - files: the files that it is made with, each a path or a `file:` URL, by the names that its description gives
  ///     them: `["response": "hall.wav"]` for `Convolver`.
  ///   - name: unique in the engine; default: the effect's name.
  /// - Throws: ``EngineError/effect(name:_:)``, ``EngineError/graph(_:)``, ``EngineError/file(_:)``,
  ///   ``EngineError/bands(node:count:range:)``; then there is no node.
  public func attach<E: Effect & ~Copyable>(
    _ effect: E.Type, preset: E.Preset? = nil, channels: Int = 2, bands: Int? = nil,
    files: [String: any FileLocation] = [:], name: String? = nil
  ) throws(EngineError) -> EffectNode<E> {
    let new = try make(
      effect, preset: preset, channels: channels, bands: bands, files: files.enginePaths, name)
    return EffectNode(try add(new, isNamed: name != nil))
  }

  /// Adds the pitch effect, with a stretch algorithm of the caller's choice.
  ///
  /// - Throws: as ``attach(_:preset:channels:bands:files:name:)``, and ``EngineError/notBuilt(node:_:)`` for an
  ///   algorithm that is not in this build.
  package func attach(
    _ effect: Pitch.Type, algorithm: StretchAlgorithm, channels: Int = 2,
    name: String? = nil
  ) throws(EngineError) -> EffectNode<Pitch> {
    let new = try make(effect, algorithm, channels: channels, bands: nil, files: [:], name)
    return EffectNode(try add(new, isNamed: name != nil))
  }

  /// Adds an LV2 plugin.
  ///
  /// - Parameters:
  ///   - uri: the plugin's URI.
  ///   - preset: the URI or the label of a preset to begin with; default: the plugin's default values.
  ///   - channels: the width of a mono plugin, with one instance for each channel; other plugins ignore it.
  ///   - isolation: the process that the plugin runs in; default: that of the program.
  ///   - name: unique in the engine; default: `plugin`.
  /// - Throws: ``EngineError/plugin(_:)``, ``EngineError/graph(_:)``,
  ///   ``EngineError/unknownPreset(node:preset:known:)``; then there is no node.
  public func attach(
    plugin uri: String, preset: String? = nil, channels: Int = 2, isolation: PluginNode.Isolation = .none,
    name: String? = nil
  ) throws(EngineError) -> PluginNode {
    let made = try makePlugin(uri, channels: channels, isolation: isolation.settings, name ?? "plugin")
    let node = try add(made, isNamed: name != nil)
    if let preset {
      do throws(EngineError) { try load(preset, on: node) } catch {
        try? detach(node)
        throw error
      }
    }
    return PluginNode(node)
  }
}
