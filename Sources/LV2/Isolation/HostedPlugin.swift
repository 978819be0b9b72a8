// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// The instances of one isolated plugin, in the process that hosts them.
///
/// One thread handles the host's requests. Another one processes the blocks of host threads that are not real-time;
/// ``HostedLine`` processes all other blocks. Both threads end when the host no longer needs the plugin.
// @unchecked: the thread that processes a block, one at a time, uses `instances` and the areas; the request thread uses
// the rest.
final class HostedPlugin: @unchecked Sendable {
  /// The descriptors that the host passes: the plugin's socket and its two memory areas.
  struct Descriptors {
    let control: IsolationSocket
    let hostMemory: Int32, childMemory: Int32

    /// Closes the descriptors of the areas, which are mapped by now or will never be.
    func closeMemory() { for file in [hostMemory, childMemory] { close(file) } }
  }

  private let model: PluginModel
  private let areas: IsolatedAreas
  private let host: MappedMemory, child: MappedMemory
  private let instances: [HostedInstance]
  private let worker: PluginWorker?
  private let files: PluginFiles
  private let faults: PluginFaultCounters
  private let control: IsolationSocket
  private let pluginNumber: UInt32

  /// Returns the arguments with which the host requests a plugin.
  static func arguments(
    _ pluginNumber: UInt32, _ uri: String, _ layout: PluginLayout, instanceCount: Int
  ) -> [String] {
    [
      uri, "\(layout.sampleRate)", "\(layout.longestBlock)", layout.period.map { "\($0)" } ?? "-",
      "\(layout.channels)", layout.isOffline ? "offline" : "live", "\(instanceCount)", "\(pluginNumber)",
    ]
  }

  /// Hosts a plugin until the host no longer needs it.
  static func serve(
    _ arguments: [String], _ descriptors: Descriptors, on line: HostedLine, in world: PluginWorld
  ) {
    defer { close(descriptors.control.descriptor) }
    guard arguments.count == 8, let rate = Double(arguments[1]), let longest = Int(arguments[2]),
      let channels = Int(arguments[4]), let count = Int(arguments[6]), 1...256 ~= count,
      let pluginNumber = UInt32(arguments[7])
    else { return descriptors.closeMemory() }
    let layout = PluginLayout(
      sampleRate: rate, longestBlock: longest, period: Int(arguments[3]), channels: channels,
      isOffline: arguments[5] == "offline")
    do throws(PluginError) {
      try HostedPlugin(arguments[0], layout, instanceCount: count, pluginNumber, descriptors, in: world)
        .serve(on: line)
    } catch {
      var reason = error.reason
      if case .noInstance(_, let messages) = error { reason = messages.joined(separator: "; ") }
      descriptors.control.send(.init(kind: .failed, bytes: Array(reason.utf8)))
    }
  }

  private init(
    _ uri: String, _ layout: PluginLayout, instanceCount: Int, _ pluginNumber: UInt32,
    _ descriptors: Descriptors, in world: PluginWorld
  ) throws(PluginError) {
    defer { descriptors.closeMemory() }
    let model = try world.lock.locked { () throws(PluginError) in try world.model(uri: uri) }
    let guarantee = try BlockLengthGuarantee(model, layout)
    let areas = IsolatedAreas(
      model, instanceCount: instanceCount, longest: guarantee.longest, sequenceSize: PluginBody.sequenceSize)
    guard
      let host = MappedMemory(file: descriptors.hostMemory, size: areas.hostSize, isWritable: false),
      let child = MappedMemory(file: descriptors.childMemory, size: areas.childSize, isWritable: true)
    else { throw .isolation(uri, because: "its bundle has changed meanwhile, or there is no memory") }
    for page in areas.guards { child.close(pageAt: page) }
    let reporter = Reporter()
    let faults = PluginFaultCounters(reporter), log = PluginLog(printingTo: reporter)
    let files = PluginFiles(pluginNumber: pluginNumber)
    let worker =
      model.uses(Name.workerSchedule) ? PluginWorker(instanceCount: instanceCount, faults: faults) : nil
    var instances: [HostedInstance] = []
    for number in 0..<instanceCount {
      let features = PluginFeatures(
        model, layout, guarantee, worker: worker, number: number, log: log, files: files,
        sequenceSize: model.ports.map(\.minimumSize).reduce(PluginBody.sequenceSize, max))
      let plugin = try PluginInstance(
        model, rate: layout.sampleRate, features: features, log: log)
      if let interface = plugin.interface(Name.workerInterface, as: LV2_Worker_Interface.self) {
        worker?.attach(number, plugin.handle, interface)
      }
      guard let instance = HostedInstance(plugin, areas.ports[number], host: host, child: child) else {
        throw .isolation(uri, because: "there is no memory for its ports")
      }
      instances.append(instance)
    }
    (self.model, self.areas, self.host, self.child) = (model, areas, host, child)
    (self.instances, self.worker, self.files, self.faults) = (instances, worker, files, faults)
    control = descriptors.control
    self.pluginNumber = pluginNumber
  }

  /// Handles the host's requests until the host no longer needs the plugin.
  private func serve(on line: HostedLine) {
    line.add(self, as: pluginNumber)
    defer { line.remove(pluginNumber) }
    worker?.isLive.store(true, ordering: .relaxed)
    let audio = JoinableThread("swiftlet-audio") { [self] in process() }
    defer { audio?.join() }
    let hasState = instances.map { instance -> UInt8 in
      instance.plugin.interface(Name.stateInterface, as: LV2_State_Interface.self) == nil ? 0 : 1
    }
    guard control.send(.init(kind: .ready, bytes: hasState)) else { return }
    while let order = control.receive(), Int(order.number) < instances.count {
      var done = IsolationMessage(kind: .done)
      let plugin = instances[Int(order.number)].plugin
      switch order.kind {
      case .activate:
        // Some plugins read their control inputs in `activate`.
        instances[Int(order.number)].takeInputs(0)
        plugin.activate()
        worker?.start()
      case .deactivate: plugin.deactivate()
      case .cleanUp:
        // Ends this plugin only; the rest is freed with the process.
        plugin.end()
      case .save: done = save(plugin)
      case .restore: done = restore(plugin, Int(order.number), flags: order.flags)
      case .program:
        guard let program = plugin.program(at: order.type) else { break }
        done = .init(
          kind: .done, number: 1, type: UInt32(clamping: program.change.bank),
          flags: UInt32(clamping: program.change.program), bytes: Array(program.name.utf8))
      case .select:
        let instance = instances[Int(order.number)]
        instance.takeInputs(0)
        plugin.select(ProgramChange(bank: Int(order.type), program: Int(order.flags)))
        done = .init(kind: .done, bytes: instance.controlInputs)
      // The host orders no block during this request.
      case .deliver: worker?.deliver()
      default: return
      }
      guard control.send(done) else { return }
    }
  }

  private var order: UnsafePointer<swiftlet_isolated_order> {
    UnsafePointer(host.base.assumingMemoryBound(to: swiftlet_isolated_order.self))
  }
  private var answer: UnsafeMutablePointer<swiftlet_isolated_answer> {
    child.base.assumingMemoryBound(to: swiftlet_isolated_answer.self)
  }

  /// Processes blocks for host threads that are not real-time, until the host ends the thread.
  private func process() {
    var thread: Int32 = 0, processor: Int32 = -1
    while process(swiftlet_await_order(order, answer), &thread, &processor) {}
  }

  /// Processes the block that was ordered on the line.
  func processOnLine(_ thread: inout Int32, _ processor: inout Int32) {
    _ = process(order.pointee.order_number, &thread, &processor)
  }

  /// Processes a block for a host thread, and moves the calling thread to that thread's processor and priority if they
  /// have changed.
  ///
  /// - Returns: False if the order is to end the thread.
  private func process(_ orderNumber: UInt32, _ thread: inout Int32, _ processor: inout Int32) -> Bool {
    let frames = Int(order.pointee.frames)
    guard frames < UInt32.max else { return false }
    swiftlet_follow(order, &thread, &processor)
    if frames <= areas.longest {
      for instance in instances {
        rt_set_float_mode(order.pointee.float_mode)
        instance.run(frames)
      }
      worker?.endRun(isAlone: swiftlet_is_ordered_alone(order) != 0)
      passOnFaults()
    }
    swiftlet_give_answer(answer, orderNumber)
    return true
  }

  /// Writes the counts of the plugin's faults to the shared memory. The host reads them when this process prints
  /// something; an empty line is not shown.
  private func passOnFaults() {
    let counts = faults.counts, old = (answer.pointee.overdue_work, answer.pointee.refused_work)
    let overdue = UInt32(truncatingIfNeeded: counts.pointee.overdueWork.load(ordering: .relaxed))
    let refused = UInt32(truncatingIfNeeded: counts.pointee.forbiddenWork.load(ordering: .relaxed))
    (answer.pointee.overdue_work, answer.pointee.refused_work) = (overdue, refused)
    // Once for each kind: a plugin may repeat its fault in every block.
    if (old.0 == 0) != (overdue == 0) || (old.1 == 0) != (refused == 0) { write(2, "\n", 1) }
  }

  private func save(_ plugin: PluginInstance) -> IsolationMessage {
    let paths = HostedPaths(control)
    guard let snapshot = StateSnapshot(savedBy: plugin, paths: paths.features(files)) else {
      return .init(kind: .done, number: UInt32(LV2_STATE_ERR_UNKNOWN.rawValue))
    }
    return .init(kind: .done, bytes: snapshot.serialized)
  }

  private func restore(_ plugin: PluginInstance, _ number: Int, flags: UInt32) -> IsolationMessage {
    let paths = HostedPaths(control)
    let restore = {
      paths.restore(
        plugin, files: self.files, schedule: self.worker.map { $0.schedules + number }, flags: flags)
    }
    let status = worker.map { $0.whileWorkIsPaused(within: 5000, restore) } ?? restore()
    return .init(kind: .done, number: status?.rawValue ?? LV2_STATE_ERR_UNKNOWN.rawValue)
  }
}
