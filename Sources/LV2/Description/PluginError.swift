// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The reason why a plugin cannot be used, or cannot do what was requested.
@nonexhaustive public enum PluginError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No installed plugin has this URI; `nearest` is the most similar URI.
  case unknownPlugin(String, nearest: String?)
  /// The plugin requires something that the host lacks, or its description is broken.
  case refused(String, because: String)
  /// The plugin cannot be instantiated for this layout: a sample rate, a block length or a number of channels.
  case layout(String, because: String)
  /// The plugin's shared library cannot be loaded.
  case library(String, because: String)
  /// The plugin returned no instance. `messages` is what it logged or printed.
  case noInstance(String, messages: [String])
  /// The plugin has no such preset.
  case unknownPreset(String, plugin: String, known: [String])
  /// The preset's bundle contains nothing that can be restored.
  case brokenPreset(String, plugin: String)
  /// The plugin has no control input with this number.
  case unknownParameter(Int, plugin: String)
  /// The plugin has no writable property with this number, or no port that takes messages about properties.
  case noProperty(Int, plugin: String)
  /// The value of a property exceeds the maximum size of a message.
  case tooLong(property: String, plugin: String)
  /// The plugin's state cannot be saved in a folder, or loaded from it.
  case state(String, plugin: String, because: String)
  /// The plugin can be restored or reset only while it is idle, and it did not become idle in time.
  case stillRunning(String)
  /// The plugin was being changed by another thread for too long, or too many changes are pending.
  case busy(String)
  /// The plugin cannot run in a process of its own.
  case isolation(String, because: String)
  /// The program that hosts isolated plugins is not at this path.
  case noPluginHost(String)
  /// The world could not be created: out of memory.
  case noWorld

  /// The reason and a remedy, without the plugin's URI, for messages that already name the plugin.
  package var reason: String {
    switch self {
    case .refused(_, let reason), .layout(_, let reason), .library(_, let reason): reason
    case .unknownPlugin, .noInstance, .unknownPreset, .brokenPreset, .unknownParameter, .noProperty, .state,
      .tooLong, .stillRunning, .busy, .isolation, .noPluginHost, .noWorld:
      description
    }
  }

  /// One sentence: what failed, where, and what to do.
  public var description: String {
    switch self {
    case .unknownPlugin(let uri, let nearest):
      let hint = nearest.map { "did you mean <\($0)>?" } ?? "check its URI"
      return "no LV2 plugin <\(uri)> is installed; \(hint)"
    case .refused(let uri, let reason):
      return "the plugin <\(uri)> cannot be used: \(reason)"
    case .layout(let uri, let reason):
      return "the plugin <\(uri)> cannot be used here: \(reason)"
    case .library(let uri, let reason):
      return
        "the library of the plugin <\(uri)> cannot be loaded: \(reason); reinstall the package it came with"
    case .noInstance(let uri, let messages):
      let reason =
        messages.isEmpty
        ? "its function 'instantiate' returned no instance, and gave no reason"
        : messages.joined(separator: "; ")
      return "the plugin <\(uri)> refused to start: \(reason)"
    case .unknownPreset(let preset, let uri, let known):
      let list = known.isEmpty ? "it has none" : "it has " + known.prefix(20).joined(separator: ", ")
      return "the plugin <\(uri)> has no preset '\(preset)': \(list)"
    case .brokenPreset(let preset, let uri):
      return "the preset '\(preset)' of the plugin <\(uri)> cannot be read; reinstall the bundle it is in"
    case .unknownParameter(let number, let uri):
      return
        "the plugin <\(uri)> has no parameter number \(number); 'parameters' of its description lists all"
    case .noProperty(let number, let uri):
      return
        "the plugin <\(uri)> has no writable property number \(number); 'properties' of its description lists all"
    case .tooLong(let property, let uri):
      return
        "the value for '\(property)' of the plugin <\(uri)> is longer than a message can be; use less than 8 kB"
    case .state(let folder, let uri, let reason) where uri.isEmpty:
      return "the folder '\(folder)' cannot be read as the state of a plugin: \(reason)"
    case .state(let folder, let uri, let reason):
      return "the folder '\(folder)' cannot be used for the state of the plugin <\(uri)>: \(reason)"
    case .stillRunning(let uri):
      return
        "the plugin <\(uri)> did not stop processing in time, so nothing was changed; stop the engine and try again"
    case .busy(let uri):
      return "the plugin <\(uri)> is still busy with another change, so it was not changed again; try again"
    case .isolation(let uri, let reason):
      return "the plugin <\(uri)> cannot run in a process of its own: \(reason)"
    case .noPluginHost(let path):
      return
        "the program that hosts isolated plugins is not at '\(path)'; install it, or name its full path in the "
        + "environment variable \(PluginHostProgram.variable)"
    case .noWorld:
      return "there is not enough memory to look for plugins; end other programs"
    }
  }
}
