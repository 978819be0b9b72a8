// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// The thread that processes blocks of all plugins in a process for the host's audio thread.
///
/// With one thread for all, consecutive plugins need two thread switches each instead of three.
// @unchecked: the memory is shared as described in `Isolation.h`.
final class HostedLine: @unchecked Sendable {
  private let memory: MappedMemory
  private let plugins = Mutex<[UInt32: HostedPlugin]>([:])
  /// The host thread and processor of the last block.
  private var thread: Int32 = 0, processor: Int32 = -1

  /// Starts the thread; nil if there is no memory.
  init?(file: Int32) {
    guard let memory = MappedMemory(file: file, size: IsolatedAreas.page, isWritable: true) else {
      return nil
    }
    self.memory = memory
    startThread("swiftlet-blocks") { [self] in serve() }
  }

  /// Registers a plugin with the thread.
  func add(_ plugin: HostedPlugin, as pluginNumber: UInt32) { plugins.withLock { $0[pluginNumber] = plugin } }
  /// Unregisters a plugin, after the host's last order for it.
  func remove(_ pluginNumber: UInt32) { plugins.withLock { $0[pluginNumber] = nil } }

  private func serve() {
    let line = memory.base.assumingMemoryBound(to: swiftlet_isolated_line.self)
    var bell: UInt32 = 0, pluginNumber: UInt32 = 0
    while true {
      bell = swiftlet_await_line(line, bell, &pluginNumber)
      // The lock is uncontended except while a plugin is added or removed.
      let plugin = plugins.withLock { [pluginNumber] in $0[pluginNumber] }
      plugin?.processOnLine(&thread, &processor)
    }
  }
}
