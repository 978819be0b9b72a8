// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletGraph
internal import SwiftletSignal

/// An instantiated plugin: its instances, their buffers, and the data for the audio thread.
///
/// Created, restored and freed on control threads. It is idle until a thread processes ``runtime`` or a copy of it.
// @unchecked: used by the thread that made it, then by those that hold the processor's `changeLock`; each instance
// serializes its calls. The audio thread uses the data in `runtime`.
final class PluginBody: @unchecked Sendable {
  let model: PluginModel
  /// The layout that the body was made for, and the block lengths guaranteed to it.
  var layout: PluginLayout, guarantee: BlockLengthGuarantee
  let runtime: UnsafeMutablePointer<PluginRuntime>
  let log: PluginLog
  let faults: PluginFaultCounters
  let reporter: Reporter
  let worker: PluginWorker?
  private(set) var instances: [PluginInstance]
  /// The process in which the instances run; nil if they run in this process.
  let child: PluginChild?
  let files: PluginFiles
  let memory: PluginMemory

  /// The size of an event buffer in bytes, unless its port requires more.
  static let sequenceSize = 16384

  /// Creates `instanceCount` instances with default port values, connected to silence. Log, files and counters are
  /// those of the body that it will replace, if there is one.
  init(
    _ model: PluginModel, in world: PluginWorld, _ layout: PluginLayout, _ guarantee: BlockLengthGuarantee,
    instanceCount: Int, continuing before: PluginBody? = nil
  ) throws(PluginError) {
    self.model = model
    self.layout = layout
    self.guarantee = guarantee
    let reporter = before?.reporter ?? Reporter()
    let log = before?.log ?? PluginLog(reporter), files = before?.files ?? PluginFiles()
    let faults = before?.faults ?? PluginFaultCounters(reporter)
    (self.reporter, self.log, self.files, self.faults) = (reporter, log, files, faults)
    let size = model.ports.map(\.minimumSize).reduce(Self.sequenceSize, max)
    if let isolation = layout.isolation {
      let child = try PluginChild(
        model, layout, guarantee, instanceCount: instanceCount,
        in: isolation.process(for: model.uri, path: world.path), files: files, log: log, faults: faults)
      let isolated = (0..<instanceCount).map {
        IsolatedInstance($0, of: child, uri: model.uri, layout: layout, isolation: isolation)
      }
      IsolatedInstance.join(isolated)
      instances = isolated.compactMap { PluginInstance($0) }
      guard instances.count == instanceCount else { throw .noWorld }
      self.child = child
      worker = nil
    } else {
      let worker =
        model.uses(Name.workerSchedule) ? PluginWorker(instanceCount: instanceCount, faults: faults) : nil
      var instances: [PluginInstance] = []
      for number in 0..<instanceCount {
        let features = PluginFeatures(
          model, layout, guarantee, worker: worker, number: number, log: log, files: files,
          sequenceSize: size, canGrow: true)
        let instance = try PluginInstance(model, rate: layout.sampleRate, features: features, log: log)
        if let interface = instance.interface(Name.workerInterface, as: LV2_Worker_Interface.self) {
          worker?.attach(number, instance.handle, interface)
        }
        instances.append(instance)
      }
      child = nil
      self.worker = worker
      self.instances = instances
    }
    memory = PluginMemory()
    runtime = memory.runtime(
      for: model, instances, sampleRate: layout.sampleRate, longest: guarantee.longest, faults: faults)
    runtime.pointee.longest = guarantee.longest
    runtime.pointee.loadsPresets = layout.programChange == .preset
    runtime.pointee.isIsolated = child != nil
    runtime.pointee.lag = layout.isolatedLag(longest: guarantee.longest)
    runtime.pointee.exact = guarantee.isFixed ? guarantee.longest : 0
    runtime.pointee.isOnGrid = !model.needsWholeBlocks
    connectEvents(memory)
    runtime.pointee.worker = worker.map { Unmanaged.passUnretained($0) }
    let seesTo = worker != nil || runtime.pointee.eventOutputCount > 0 || runtime.pointee.meterCount > 0
    runtime.pointee.hasPostRunWork = seesTo
    runtime.pointee.held = memory.floats(outputChannelCount)
    runtime.pointee.heldCount = outputChannelCount
    if !model.properties.isEmpty { runtime.pointee.messages = PluginMessages.make() }
  }

  deinit {
    if let messages = runtime.pointee.messages { PluginMessages.free(messages) }
    guard worker?.stop() != false else {
      // Work that never returns still uses these objects, so they are kept until the process ends.
      for kept in instances { _ = Unmanaged.passRetained(kept) }
      return keep()
    }
    // The instances end before the buffers that they are connected to are freed.
    let haveEnded = instances.map { $0.end() }
    if haveEnded.contains(false) { keep() }
  }

  /// Retains, until the process ends, what a plugin that does not return may still use.
  private func keep() {
    _ = (Unmanaged.passRetained(memory), Unmanaged.passRetained(log), Unmanaged.passRetained(files))
    _ = worker.map { Unmanaged.passRetained($0) }
  }

  /// Sets control inputs while the plugin is idle.
  func set(_ values: [(number: Int, value: Float)]) {
    for (number, value) in values { runtime.pointee.set(number, to: value, over: 0) }
  }

  /// The values of the parameters, except properties that were never set by number. Readable while the plugin plays.
  var values: [(number: Int, value: Float)] {
    let ports = model.ports.filter(\.isParameter).map(\.index)
    return (ports + model.properties.map(\.number)).map { ($0, rt_load_float(runtime.pointee.values + $0)) }
      .filter { !$0.value.isNaN }
  }

  /// The number of channels of all outputs together.
  var outputChannelCount: Int {
    let outputs = model.buses(input: false).filter { !$0.isEvents }.map(\.ports.count).reduce(0, +)
    return model.isMono ? outputs - 1 + instances.count : outputs
  }

  /// Activates the instances, and starts the worker.
  func activate() {
    for instance in instances { instance.activate() }
    worker?.start()
  }

  /// Delivers the worker's replies to the idle instances.
  func deliver() {
    worker?.deliver()
    if let child, model.uses(Name.workerSchedule) { child.request(.init(kind: .deliver)) }
  }

  /// Runs a block of silence, for an instance that will not play.
  func rehearse(_ frameCount: Int) {
    let nothing = UnsafeMutablePointer<BusMemory>.allocate(capacity: 1)
    let meters = UnsafeMutablePointer<Float>.allocate(capacity: max(runtime.pointee.meterCount, 1))
    // Sets the floating-point mode of the audio thread; otherwise the check would report the mode as changed by the
    // plugin.
    let denormals = rt_flush_denormals()
    defer {
      rt_restore_denormals(denormals)
      nothing.deallocate()
      meters.deallocate()
      // Otherwise this thread, and all threads that it starts, would stay pinned to a processor.
      swiftlet_leave_processor()
    }
    var transport = Transport()
    transport.isFreewheeling = true
    withUnsafePointer(to: transport) { transport in
      let memory = BlockMemory(
        inputs: nothing, inputCount: 0, outputs: nothing, outputCount: 0, transport: transport, meters: meters
      )
      withUnsafePointer(to: memory) { memory in
        runtime.pointee.process(Block(over: memory, frameCount: frameCount, frame: 0))
      }
    }
  }

  /// The latency that the plugin currently reports, in frames; 0 if it reports none.
  var latency: Int { runtime.pointee.latency }

  private func connectEvents(_ memory: PluginMemory) {
    let input = model.buses(input: true), output = model.buses(input: false)
    var inputs: [EventPort] = [], outputs: [EventPort] = []
    let messageInput = model.messageInput?.index
    func add(_ bus: Int, _ index: Int, to list: inout [EventPort], for instances: [PluginInstance]) {
      let port = model.ports[index]
      // The largest size that an instance has requested.
      let requested = instances.compactMap { $0.features?.portSizes[index] }.max()
      let capacity = ((requested ?? port.bufferSize(longest: 0)) + 7) & ~7
      let buffer = memory.bytes(capacity)
      for instance in instances { instance.features?.portSizes[index] = capacity }
      if port.index == messageInput { runtime.pointee.messageInput = list.count }
      list.append(
        EventPort(
          bus: bus, memory: buffer, capacity: capacity,
          receivesPosition: port.supports.contains(Name.position)))
      list[list.count - 1].begin(size: 8, type: runtime.pointee.types.sequence)
      for instance in instances { instance.connect(index, to: buffer) }
    }
    for (bus, list) in input.enumerated() where list.isEvents {
      // All instances read the same sequence.
      add(bus, list.ports[0], to: &inputs, for: instances)
    }
    for instance in instances {
      for (bus, list) in output.enumerated() where list.isEvents {
        add(bus, list.ports[0], to: &outputs, for: [instance])
      }
    }
    for instance in instances { instance.features?.portSizes.fix() }
    runtime.pointee.eventInputs = memory.table(inputs)
    runtime.pointee.eventOutputs = memory.table(outputs)
    runtime.pointee.eventInputCount = inputs.count
    runtime.pointee.eventOutputCount = outputs.count / max(instances.count, 1)
  }
}
