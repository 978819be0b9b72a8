// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// The thread that processes blocks of all plugins in a process for the host's audio thread.
///
/// With a thread for each plugin a block would pass through three changes of threads for each plugin of a row; so there are two.
// @unchecked: the memory is shared as `Isolation.h` says.
final class HostedLine: @unchecked Sendable {
  private let memory: MappedMemory
  private let plugins = Mutex<[UInt32: HostedPlugin]>([:])
  /// What the thread knows of its host.
  private var thread: Int32 = 0, processor: Int32 = -1

  /// Starts the thread; nil without memory.
  init?(file: Int32) {
    guard let memory = MappedMemory(file: file, size: IsolatedAreas.page, isWritable: true) else {
      return nil
    }
    self.memory = memory
    startThread("swiftlet-line") { [self] in serve() }
  }

  /// Has the thread work for a plugin.
  func add(_ plugin: HostedPlugin, as seat: UInt32) { plugins.withLock { $0[seat] = plugin } }
  /// The host orders nothing more of it.
  func remove(_ seat: UInt32) { plugins.withLock { $0[seat] = nil } }

  private func serve() {
    let line = memory.base.assumingMemoryBound(to: swiftlet_isolated_line.self)
    var bell: UInt32 = 0, seat: UInt32 = 0
    while true {
      bell = swiftlet_await_line(line, bell, &seat)
      // The lock is free but while a plugin comes or goes.
      let plugin = plugins.withLock { [seat] in $0[seat] }
      plugin?.processOnLine(&thread, &processor)
    }
  }
}
