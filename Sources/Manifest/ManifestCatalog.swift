// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
public import SwiftletGraph

/// What a manifest is checked against: the effects, plugins and files that are there.
///
/// Its closures are called on the thread that checks, and only for what the manifest names.
public struct ManifestCatalog {
  /// What is known of a sound file.
  public enum SoundFile: Sendable, Equatable {
    /// It can be played, has so many channels, and is so long.
    case sound(channels: Int, length: MediaTime)
    /// It cannot be played, and this is why: `is empty`; and what helps beyond a change of the manifest.
    case problem(String, remedy: Problem.Remedy? = nil)
  }

  /// What is known of a movie.
  public enum MovieFile: Sendable, Equatable {
    /// It has a picture, which is so long.
    case movie(length: MediaTime)
    /// It cannot be shown, and this is why: `has no picture`.
    case problem(String)
  }

  /// The built-in effect of this name; nil where there is none.
  public var effect: (String) -> ProcessorInfo?
  /// The names of all built-in effects.
  public var effectNames: [String]
  /// The installed plugin with this URI; nil where there is none.
  public var plugin: (String) -> ProcessorInfo?
  /// The URIs of all installed plugins, to find the one that was meant.
  public var pluginURIs: () -> [String]
  /// Why the installed plugin with this URI cannot come from its library, as a sentence; nil if it can, or if libraries are
  /// not looked at.
  package var libraryFault: (String) -> String? = { _ in nil }
  /// The reason of each bundle of plugins that cannot be read.
  package var unreadableBundles: () -> [String] = { [] }
  /// Why no file or folder can be read at this path, such as `is not there`; nil if one can.
  package var fileFault: (String) -> String? = { _ in nil }
  /// Why the folder at this path holds no state for the plugin with this URI, as a sentence; nil if it holds one.
  package var stateFault: (String, String) -> String? = { _, _ in nil }
  /// What is known of the sound file at this path.
  public var player: (String) -> SoundFile
  /// What is known of the movie at this path.
  public var movie: (String) -> MovieFile
  /// Why an effect cannot be made as asked, and with which of its files, if a file is to blame.
  public var effectTrial: (ResolvedManifest.Node) -> (path: String?, reason: String)?
  /// What there is to change speed and pitch.
  public var engines: Set<StretchEngine>

  /// A catalogue of effects; of plugins and files as far as closures for them are given. Without `engines`, it has the
  /// stretch engines of this build.
  public init(
    effects: [ProcessorInfo], plugin: @escaping (String) -> ProcessorInfo? = { _ in nil },
    pluginURIs: @escaping () -> [String] = { [] },
    player: @escaping (String) -> SoundFile = { _ in .problem("cannot be played here") },
    movie: @escaping (String) -> MovieFile = { _ in .problem("cannot be shown here") },
    effectTrial: @escaping (ResolvedManifest.Node) -> (path: String?, reason: String)? = { _ in nil },
    engines: Set<StretchEngine>? = nil
  ) {
    effect = { name in effects.first { $0.id == name } }
    effectNames = effects.map(\.id)
    self.plugin = plugin
    self.pluginURIs = pluginURIs
    self.player = player
    self.movie = movie
    self.effectTrial = effectTrial
    self.engines = engines ?? StretchEngine.built
  }
}
