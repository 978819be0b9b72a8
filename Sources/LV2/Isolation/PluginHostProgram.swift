// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletProcesses

/// The program that hosts isolated plugins.
package enum PluginHostProgram {
  /// The environment variable with the program's path.
  package static let variable = "SWIFTLET_PLUGIN_HOST"

  /// Returns the program's path: that in the variable, or beside this program.
  static func path() throws(PluginError) -> String {
    do throws(MissingProgram) { return try HelperProcess.path(of: "swiftlet-plugin-host", variable) } catch {
      throw .noPluginHost(error.path)
    }
  }
}
