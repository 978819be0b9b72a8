// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Synchronization

/// One isolated plugin in the process that hosts it, as seen by all threads of the host.
// @unchecked: the memory is shared as described in `Isolation.h`; the rest is thread-safe.
final class IsolatedPlugin: @unchecked Sendable {
  /// The plugin's number in the process.
  let number: UInt32
  let uri: String
  let areas: IsolatedAreas
  let hostMemory: MappedMemory, childMemory: MappedMemory
  let files: PluginFiles, log: PluginLog, faults: PluginFaultCounters
  /// Whether a control thread waits for the plugin.
  let isAwaited = Atomic(false)
  /// The child's counts of faults when they were last reported. Thread of the monitor.
  private var reported: (overdue: UInt32, refused: UInt32) = (0, 0)

  init(
    _ number: UInt32, _ uri: String, _ areas: IsolatedAreas, host: MappedMemory, child: MappedMemory,
    _ files: PluginFiles, _ log: PluginLog, _ faults: PluginFaultCounters
  ) {
    (self.number, self.uri, self.areas) = (number, uri, areas)
    (hostMemory, childMemory) = (host, child)
    (self.files, self.log, self.faults) = (files, log, faults)
  }

  var order: UnsafeMutablePointer<swiftlet_isolated_order> {
    hostMemory.base.assumingMemoryBound(to: swiftlet_isolated_order.self)
  }
  var answer: UnsafeMutablePointer<swiftlet_isolated_answer> {
    childMemory.base.assumingMemoryBound(to: swiftlet_isolated_answer.self)
  }

  /// Reports the faults that the child has counted. Thread of the monitor.
  func takeFaults() {
    let now = (overdue: answer.pointee.overdue_work, refused: answer.pointee.refused_work)
    if now.overdue != reported.overdue { faults.counts.pointee.countOverdueWork() }
    if now.refused != reported.refused { faults.counts.pointee.countRefusedWork() }
    reported = now
  }

  /// Whether the last ordered block was live rather than offline; true before the first one.
  var isLive: Bool { swiftlet_is_ordered_alone(order) == 0 }

  /// Whether the plugin was at work when its process ended.
  var isAtWork: Bool { isAwaited.load(ordering: .acquiring) || swiftlet_is_at_work(order, answer) != 0 }
}
