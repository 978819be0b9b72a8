// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Synchronization

/// The place of one isolated plugin in the process that hosts it, as all threads of the host see it.
// @unchecked: the memory is shared as `Isolation.h` says; the rest is made for several threads.
final class IsolatedSeat: @unchecked Sendable {
  /// What tells it from others of the process.
  let number: UInt32
  let uri: String
  let areas: IsolatedAreas
  let hostMemory: MappedMemory, childMemory: MappedMemory
  let files: PluginFiles, log: PluginLog, tally: PluginTally
  /// Whether a control thread waits for the plugin.
  let isAsked = Atomic(false)

  init(
    _ number: UInt32, _ uri: String, _ areas: IsolatedAreas, host: MappedMemory, child: MappedMemory,
    _ files: PluginFiles, _ log: PluginLog, _ tally: PluginTally
  ) {
    (self.number, self.uri, self.areas) = (number, uri, areas)
    (hostMemory, childMemory) = (host, child)
    (self.files, self.log, self.tally) = (files, log, tally)
  }

  var order: UnsafeMutablePointer<swiftlet_isolated_order> {
    hostMemory.base.assumingMemoryBound(to: swiftlet_isolated_order.self)
  }
  var answer: UnsafeMutablePointer<swiftlet_isolated_answer> {
    childMemory.base.assumingMemoryBound(to: swiftlet_isolated_answer.self)
  }

  /// Whether somebody listens to the last block that the host has ordered; true before the first one.
  var isHeard: Bool { order.pointee.is_alone == 0 }

  /// Whether the plugin was at work when its process ended.
  var isAtWork: Bool { isAsked.load(ordering: .acquiring) || swiftlet_is_at_work(order, answer) != 0 }
}
