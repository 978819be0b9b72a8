// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The program that hosts isolated plugins.
package enum PluginHostProgram {
  /// The name of its file.
  package static let name = "swiftlet-plugin-host"
  /// The environment variable that says where it is.
  package static let variable = "SWIFTLET_PLUGIN_HOST"

  /// Where it is: the file that the variable names, or the one beside this program.
  static func path() throws(PluginError) -> String {
    if let named = getenv(variable) {
      let path = String(cString: named)
      guard path.hasPrefix("/"), access(path, X_OK) == 0 else { throw .noPluginHost(path) }
      return path
    }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
    guard access(String(path), X_OK) == 0 else { throw .noPluginHost(String(path)) }
    return String(path)
  }
}
