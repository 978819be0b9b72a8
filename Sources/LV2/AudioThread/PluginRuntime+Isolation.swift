// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

extension PluginRuntime {
  /// Tells isolated instances whether rendering is offline: if so, they may exceed the real-time limit.
  @_noLocks @_noAllocation func tellChildren(of block: Block) {
    for number in 0..<pluginCount {
      let instance = row.plugins[number]?.assumingMemoryBound(to: swiftlet_isolated.self)
      instance?.pointee.is_offline = block.transport.isFreewheeling ? 1 : 0
    }
  }
}
