// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
public import SwiftletGraph

/// The effects, plugins and files against which a manifest is checked.
///
/// Its closures are called on the thread that checks, and only for names in the manifest.
public struct ManifestCatalog {
  /// The result of examining a sound file.
  public enum SoundFile: Sendable, Equatable {
    /// The file can be played. The values are its number of channels and its length.
    case sound(channels: Int, length: MediaTime)
    /// The file cannot be played. The values are the reason, such as `is empty`, and a remedy outside the manifest.
    case problem(String, remedy: Problem.Remedy? = nil)
  }

  /// The result of examining a movie.
  public enum MovieFile: Sendable, Equatable {
    /// The movie has a picture track. The value is its length.
    case movie(length: MediaTime)
    /// The movie cannot be used. The value is the reason, such as `has no picture`.
    case problem(String)
  }

  /// Returns the built-in effect with a name; nil if there is none.
  public var effect: (String) -> ProcessorInfo?
  /// The names of all built-in effects.
  public var effectNames: [String]
  /// Returns the installed plugin with a URI; nil if there is none.
  public var plugin: (String) -> ProcessorInfo?
  /// Returns the URIs of all installed plugins, for suggestions.
  public var pluginURIs: () -> [String]
  /// Returns why the library of the plugin with a URI cannot be used, as a sentence; nil if it can, or if libraries
  /// are not checked.
  package var libraryFault: (String) -> String? = { _ in nil }
  /// Returns the reason for each bundle of plugins that cannot be read.
  package var unreadableBundles: () -> [String] = { [] }
  /// Returns why the file or folder at a path cannot be read, such as `is not there`; nil if it can.
  package var fileFault: (String) -> String? = { _ in nil }
  /// Returns why the folder at a path contains no valid state for the plugin with a URI, as a sentence; nil if it
  /// does.
  package var stateFault: (String, String) -> String? = { _, _ in nil }
  /// Examines the sound file at a path.
  public var player: (String) -> SoundFile
  /// Examines the movie at a path.
  public var movie: (String) -> MovieFile
  /// Returns why an effect cannot be created, and the path of its file that causes this, if one does; nil if it can.
  public var effectTrial: (ResolvedManifest.Node) -> (path: String?, reason: String)?
  /// The available stretch algorithms.
  public var algorithms: Set<StretchAlgorithm>

  /// Creates a catalogue.
  ///
  /// - Parameters:
  ///   - effects: The built-in effects.
  ///   - plugin: Returns the plugin with a URI. By default there are no plugins.
  ///   - pluginURIs: Returns the URIs of all plugins.
  ///   - player: Examines a sound file. By default no file can be played.
  ///   - movie: Examines a movie. By default no movie can be used.
  ///   - effectTrial: Returns why an effect cannot be created. By default every effect can.
  ///   - algorithms: The available stretch algorithms; nil for those of this build.
  public init(
    effects: [ProcessorInfo], plugin: @escaping (String) -> ProcessorInfo? = { _ in nil },
    pluginURIs: @escaping () -> [String] = { [] },
    player: @escaping (String) -> SoundFile = { _ in
      .problem("cannot be checked: this program cannot read sound files")
    },
    movie: @escaping (String) -> MovieFile = { _ in
      .problem("cannot be checked: this program cannot read movies")
    },
    effectTrial: @escaping (ResolvedManifest.Node) -> (path: String?, reason: String)? = { _ in nil },
    algorithms: Set<StretchAlgorithm>? = nil
  ) {
    effect = { name in effects.first { $0.id == name } }
    effectNames = effects.map(\.id)
    self.plugin = plugin
    self.pluginURIs = pluginURIs
    self.player = player
    self.movie = movie
    self.effectTrial = effectTrial
    self.algorithms = algorithms ?? StretchAlgorithm.built
  }
}
