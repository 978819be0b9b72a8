// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc
internal import SwiftletProcesses
internal import Synchronization

/// The host's object for a child process that hosts isolated plugins. The process ends when this object is released.
// @unchecked: the line's memory is shared as described in `Isolation.h`.
final class ChildProcess: @unchecked Sendable {
  let monitor: ChildMonitor
  /// The search path for plugins in the process, as in ``PluginWorld/path``.
  let path: String?
  /// The socket for requests to host a plugin.
  private let requests: IsolationSocket
  private let pluginCount = Atomic<UInt32>(0)
  /// The line to the process's thread for the audio thread, and whether a thread of this program uses it.
  let line: MappedMemory
  let isLineTaken: UnsafeMutablePointer<Int32>

  /// Starts the process.
  ///
  /// - Parameter uri: The plugin that the process is started for; shown in process lists.
  init(for uri: String, path: String?) throws(PluginError) {
    self.path = path
    let program = try PluginHostProgram.path()
    let pairs = [true, false, false].compactMap { IsolationSocket.pair(keepsMessagesApart: $0) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC),
      memory = swiftlet_new_memory(UInt64(IsolatedAreas.page))
    // Closes the child's ends in this process, so that each side notices when the other closes its socket.
    defer { for file in pairs.map(\.peer.descriptor) + [nothing, memory] where file >= 0 { close(file) } }
    guard pairs.count == 3, nothing >= 0, memory >= 0,
      let line = MappedMemory(file: memory, size: IsolatedAreas.page, isWritable: true)
    else {
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(uri, because: "the system has no sockets or memory for it")
    }
    self.line = line
    isLineTaken = .allocate(capacity: 1)
    isLineTaken.initialize(to: 0)
    let (requests, names, output) = (pairs[0], pairs[1], pairs[2])
    self.requests = requests.own
    do throws(StartError) {
      let process = try HelperProcess(
        program, [uri] + (path.map { [$0] } ?? []),
        descriptors: [nothing] + [output, output, requests, names].map(\.peer.descriptor) + [memory])
      monitor = ChildMonitor(process, names: names.own, output: output.own)
    } catch {
      isLineTaken.deallocate()
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(
        uri, because: "'\(program)' cannot be started: \(String(cString: strerror(error.number)))")
    }
  }

  deinit {
    _ = monitor.end(because: nil)
    close(requests.descriptor)
    isLineTaken.deallocate()
  }

  /// Returns the number of the next hosted plugin.
  func nextNumber() -> UInt32 { pluginCount.add(1, ordering: .relaxed).newValue }

  /// Requests the process to host a plugin.
  ///
  /// - Parameters:
  ///   - arguments: The arguments for ``HostedPlugin``.
  ///   - descriptors: The plugin's socket and its two memory areas.
  /// - Returns: Whether the request was sent; false if the process has ended.
  func host(_ arguments: [String], descriptors: [Int32]) -> Bool {
    let text = arguments.joined(separator: "\0")
    return swiftlet_send_descriptors(
      requests.descriptor, text, text.utf8.count, descriptors, Int32(descriptors.count)) == 0
  }
}
