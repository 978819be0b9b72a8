// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc
internal import SwiftletThreads

/// The program that hosts isolated plugins: the implementation of `swiftlet-plugin-host`.
///
/// The host starts it with the descriptors of two sockets. Through one it requests plugins to be hosted; through the
/// other the child requests URIDs and paths. Each plugin has threads of its own. The program ends with the host.
package enum HostedProcess {
  private enum Descriptor: Int32 { case requests = 3, names, line }

  /// The maximum size of a request to host a plugin, in bytes.
  private static let mostBytes = 1 << 16

  /// Hosts plugins until the host ends or no longer needs any.
  ///
  /// - Parameter arguments: The plugin that the process was started for, and optionally the search path as in
  ///   ``PluginWorld/path``.
  /// - Returns: The program's exit status; 2 if it was not started by a host.
  package static func run(_ arguments: [String]) -> Int32 {
    guard 1...2 ~= arguments.count, fcntl(Descriptor.names.rawValue, F_GETFD) >= 0 else { return 2 }
    URIDMap.host = HostedNames(IsolationSocket(descriptor: Descriptor.names.rawValue))
    guard let line = HostedLine(file: Descriptor.line.rawValue) else { return 2 }
    let world = arguments.count == 2 ? PluginWorld(path: arguments[1]) : .shared
    var bytes = [CChar](repeating: 0, count: mostBytes), files: [Int32] = [-1, -1, -1]
    while true {
      let size = swiftlet_receive_descriptors(
        Descriptor.requests.rawValue, &bytes, bytes.count, &files, Int32(files.count))
      guard size > 0 else { return 0 }
      let order = String(decoding: bytes[..<size].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = order.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
      let descriptors = HostedPlugin.Descriptors(
        control: IsolationSocket(descriptor: files[0]), hostMemory: files[1], childMemory: files[2])
      startThread("swiftlet-control") { HostedPlugin.serve(fields, descriptors, on: line, in: world) }
    }
  }
}
