// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import CSwiftletSystem
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// The host's object for the instances of one plugin body in a child process.
///
/// Control threads call everything except `run` through it. ``ChildMonitor`` monitors the process and answers its
/// requests.
// @unchecked: the socket is used under `lock`; the memory is shared as described in `Isolation.h`.
final class PluginChild: @unchecked Sendable {
  /// The timeout for a function of the plugin. If it is exceeded, the process is ended.
  private static func timeout(_ kind: IsolationMessage.Kind) -> Duration {
    .seconds([.deactivate, .cleanUp].contains(kind) ? 2 : 10)
  }

  let plugin: IsolatedPlugin
  let process: ChildProcess
  /// For each instance whether it has a state interface.
  let hasState: [Bool]
  private let socket: IsolationSocket
  private let lock = ControlLock()

  /// Has a process create the instances.
  ///
  /// - Throws: ``PluginError`` if the memory or sockets cannot be made, or if the plugin cannot be instantiated.
  init(
    _ model: PluginModel, _ layout: PluginLayout, _ guarantee: BlockLengthGuarantee, instanceCount: Int,
    in process: ChildProcess, files: PluginFiles, log: PluginLog, faults: PluginFaultCounters
  ) throws(PluginError) {
    self.process = process
    let areas = IsolatedAreas(
      model, instanceCount: instanceCount, longest: guarantee.longest, sequenceSize: PluginBody.sequenceSize)
    let hostFile = swiftlet_new_memory(UInt64(areas.hostSize))
    let childFile = swiftlet_new_memory(UInt64(areas.childSize))
    defer { for file in [hostFile, childFile] where file >= 0 { close(file) } }
    guard hostFile >= 0, childFile >= 0,
      let hostMemory = MappedMemory(file: hostFile, size: areas.hostSize, isWritable: true),
      let childMemory = MappedMemory(file: childFile, size: areas.childSize, isWritable: true),
      swiftlet_seal_memory(hostFile) == 0, let control = IsolationSocket.pair()
    else { throw .isolation(model.uri, because: "the system has no memory or sockets for it") }
    socket = control.own
    let plugin = IsolatedPlugin(
      process.nextNumber(), model.uri, areas, host: hostMemory, child: childMemory, files, log, faults)
    self.plugin = plugin
    process.monitor.add(plugin)
    plugin.isAwaited.store(true, ordering: .releasing)
    defer { plugin.isAwaited.store(false, ordering: .releasing) }
    let arguments = HostedPlugin.arguments(
      plugin.number, model.uri, layout, instanceCount: instanceCount)
    let isHosted = process.host(
      arguments, descriptors: [control.peer.descriptor, hostFile, childFile])
    close(control.peer.descriptor)
    let first = isHosted ? socket.receive(within: Self.timeout(.ready)) : nil
    guard let first, first.kind == .ready else {
      var reason = [first?.text ?? ""].filter { !$0.isEmpty }
      if first?.kind != .failed { reason = process.monitor.end(because: "its instances were not made") }
      process.monitor.remove(plugin)
      close(socket.descriptor)
      throw .noInstance(model.uri, messages: reason)
    }
    hasState = first.bytes.map { $0 != 0 }
  }

  deinit {
    process.monitor.remove(plugin)
    swiftlet_end_orders(plugin.order, plugin.answer)
    close(socket.descriptor)
  }

  /// Waits, at most two seconds, until the child has processed the last block, for which the audio thread may not have
  /// waited. Call it while the audio thread orders no further blocks. Control thread.
  func rest() {
    Waiting.until(every: .milliseconds(1), within: .seconds(2)) {
      swiftlet_is_at_work(plugin.order, plugin.answer) == 0 || process.monitor.hasFailed
    }
  }

  /// Sends a request to the child, and answers the child's requests in the meantime. Control thread.
  ///
  /// - Returns: The child's reply; nil if the child has failed before or during the request.
  @discardableResult func request(
    _ message: IsolationMessage,
    answer: (IsolationMessage) -> IsolationMessage = { _ in .init(kind: .nothing) }
  ) -> IsolationMessage? {
    lock.locked {
      if message.kind != .save { rest() }
      let monitor = process.monitor
      guard !monitor.hasFailed else { return nil }
      plugin.isAwaited.store(true, ordering: .releasing)
      guard socket.send(message) else {
        monitor.noteFailure(in: message.kind)
        return nil
      }
      while let reply = socket.receive(within: Self.timeout(message.kind)) {
        if reply.kind == .done {
          plugin.isAwaited.store(false, ordering: .releasing)
          return reply
        }
        guard socket.send(answer(reply)) else { break }
      }
      monitor.noteFailure(in: message.kind)
      return nil
    }
  }
}
