// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import SwiftletProcesses
internal import Synchronization

/// The program that hosts isolated plugins.
package enum PluginHostProgram {
  /// The environment variable with the program's path.
  package static let variable = "SWIFTLET_PLUGIN_HOST"

  private static let chosen = Mutex<String?>(nil)

  /// Sets the program's path for plugins that are isolated from now on. A relative path starts at the current folder;
  /// nil restores the default.
  package static func choose(_ path: String?) {
    let current = FileManager.default.currentDirectoryPath
    chosen.withLock { $0 = path.map { $0.hasPrefix("/") ? $0 : current + "/" + $0 } }
  }

  /// Returns the program's path: the chosen one, otherwise that in the variable, otherwise that beside this program.
  ///
  /// - Throws: ``PluginError/noPluginHost(_:)`` if there is no executable program.
  static func path() throws(PluginError) -> String {
    if let path = chosen.withLock({ $0 }) {
      guard HelperProcess.isProgram(path) else { throw .noPluginHost(path) }
      return path
    }
    do throws(MissingProgram) { return try HelperProcess.path(of: "swiftlet-plugin-host", variable) } catch {
      throw .noPluginHost(error.path)
    }
  }
}
