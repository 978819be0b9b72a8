// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// An instance of the audited plugin, with each port connected to memory between guard pages. One thread.
final class AuditRig {
  /// The configuration of an instance.
  struct Setup {
    var rate = 48_000.0
    /// The maximum block length, in frames; not used for a plugin that requires a fixed length.
    var longest = 4096
    /// The block length that is guaranteed to plugins that require a fixed length, in frames.
    var block = 256
    /// Whether each audio output shares the buffer of the input with the same index.
    var isInPlace = false
  }

  let model: PluginModel
  let setup: Setup
  let plugin: PluginInstance
  /// The fixed block length that was guaranteed to the plugin, in frames; nil if lengths may vary.
  let fixedLength: Int?
  let inputs: [GuardedBuffer], outputs: [GuardedBuffer]
  let worker: PluginWorker?
  let files: PluginFiles
  let log: PluginLog
  var placement = GuardedBuffer.Placement.end
  /// Whether RealtimeSanitizer checks `run`.
  var isWatched = false
  /// Whether outputs are filled with ``unwritten`` before each run, instead of zeros.
  var marksOutputs = false
  /// The frame at which the next block begins.
  private(set) var frame = 0
  /// The blocks of the last run.
  private(set) var inputBlocks: [UnsafeMutableBufferPointer<Float>] = []
  private(set) var played: [UnsafeMutableBufferPointer<Float>] = []
  private var ticks: UInt64 = 0
  private let values: UnsafeMutablePointer<Float>
  private let run: @convention(c) (LV2_Handle?, UInt32) -> Void
  private let watch: AuditWatch
  let events: AuditEvents
  private var connected: (frames: Int, placement: GuardedBuffer.Placement)?

  /// The marker in outputs; no plugin outputs this value.
  static let unwritten = Float(bitPattern: 0x49C0_FFEE)

  /// Creates an instance, which is not active yet.
  ///
  /// - Throws: ``PluginError``.
  init(_ model: PluginModel, in world: PluginWorld, _ setup: Setup, _ watch: AuditWatch) throws(PluginError) {
    let isFixed = model.needsWholeBlocks
    let layout = PluginLayout(
      sampleRate: setup.rate, longestBlock: isFixed ? setup.block : setup.longest,
      period: isFixed ? setup.block : nil, channels: 2)
    let guarantee = try BlockLengthGuarantee(model, layout)
    let reporter = Reporter()
    let faults = PluginFaultCounters(reporter), log = PluginLog(reporter), files = PluginFiles()
    let worker = model.uses(Name.workerSchedule) ? PluginWorker(instanceCount: 1, faults: faults) : nil
    let features = PluginFeatures(
      model, layout, guarantee, worker: worker, number: 0, log: log, files: files,
      sequenceSize: model.ports.map(\.minimumSize).reduce(PluginBody.sequenceSize, max))
    let plugin = try watch.call("instantiate") { () throws(PluginError) in
      try PluginInstance(model, rate: setup.rate, features: features, log: log)
    }
    guard let run = plugin.descriptor.pointee.run else {
      throw .noInstance(model.uri, messages: ["its code lacks run"])
    }
    if let interface = watch.call(
      "extension_data",
      {
        plugin.interface(Name.workerInterface, as: LV2_Worker_Interface.self)
      })
    {
      worker.map { $0.attach(0, plugin.handle, ThreadClasses.shared.watch($0, interface)) }
    }
    func buffers(_ isInput: Bool) -> [GuardedBuffer] {
      model.ports.filter { ($0.kind == .audio || $0.kind == .cv) && $0.isInput == isInput }
        .compactMap { GuardedBuffer($0, byteCount: guarantee.longest * 4) }
    }
    (self.model, self.setup, self.plugin, self.watch) = (model, setup, plugin, watch)
    (self.worker, self.files, self.log, self.run) = (worker, files, log, run)
    fixedLength = guarantee.isFixed ? guarantee.longest : nil
    inputs = buffers(true)
    outputs = buffers(false)
    events = AuditEvents(model)
    values = .allocate(capacity: max(model.ports.count, 1))
    values.initialize(repeating: 0, count: max(model.ports.count, 1))
    connectControls()
  }

  deinit {
    worker?.stop()
    end()
    values.deallocate()
  }

  private func connectControls() {
    resetControls()
    for port in model.ports {
      switch port.kind {
      case .control: plugin.connect(port.index, to: values + port.index)
      case .unsupported: plugin.connect(port.index, to: nil)
      case .audio, .cv: break
      case .atom: plugin.connect(port.index, to: events.memory(of: port))
      }
    }
    connect(fixedLength ?? setup.block)
  }

  /// Sets every control input to its default.
  func resetControls() {
    for port in model.ports where port.kind == .control && port.isInput {
      values[port.index] = port.role == .enabled ? 1 : 0
      if port.isParameter { values[port.index] = port.range(sampleRate: setup.rate).initial }
    }
  }

  /// The value of a control port.
  subscript(port: Int) -> Float {
    get { values[port] }
    set { values[port] = newValue }
  }

  /// The latency that the plugin reports, in frames; nil if it reports none or an invalid one.
  var latency: Int? {
    guard let port = model.ports.first(where: { $0.role == .latency && !$0.isInput }) else { return nil }
    let value = values[port.index]
    return value >= 0 && value < 1e8 ? Int(value) : nil
  }

  /// The duration of the last `run`, in seconds.
  var cost: Double { Double(ticks) / swiftlet_ticks_per_second() }

  func activate() {
    watch.call("activate") { plugin.activate() }
    worker?.start()
  }

  /// Deactivates and cleans up the instance.
  ///
  /// - Returns: False if the plugin does not return.
  @discardableResult func end() -> Bool { plugin.end() }

  /// The allowed block length nearest to `frames`.
  func length(_ frames: Int) -> Int { fixedLength ?? min(max(frames, 1), setup.longest) }

  private func connect(_ frames: Int) {
    inputBlocks = inputs.map { $0.block(frames, at: placement) }
    played = outputs.map { $0.block(frames, at: placement) }
    if setup.isInPlace {
      for index in played.indices where index < inputBlocks.count { played[index] = inputBlocks[index] }
    }
    if let connected, connected == (frames, placement) { return }
    connected = (frames, placement)
    for (buffer, block) in zip(inputs + outputs, inputBlocks + played) {
      plugin.connect(buffer.port.index, to: block.baseAddress)
    }
  }

  /// Runs a block. `frames` must be a result of ``length(_:)``.
  func run(_ frames: Int, _ signal: AuditSignal) {
    connect(frames)
    for block in played { block.update(repeating: marksOutputs ? Self.unwritten : 0) }
    for (channel, block) in inputBlocks.enumerated() {
      let isCV = inputs[channel].port.kind == .cv
      for index in 0..<frames {
        block[index] = isCV ? inputs[channel].port.initial ?? 0 : signal.sample(frame + index, channel)
      }
    }
    if !setup.isInPlace {
      for (buffer, block) in zip(inputs + outputs, inputBlocks + played) { buffer.plant(behind: block) }
    }
    events.begin(frame, frames, rate: setup.rate)
    let mode = rt_float_mode()
    watch.toggle()
    let start = rt_ticks()
    ThreadClasses.shared.isRunning.store(true, ordering: .relaxed)
    rt_begin_run(UnsafeRawPointer(plugin.handle))
    if isWatched { rt_enter() }
    run(plugin.handle, UInt32(frames))
    if isWatched { rt_exit() }
    rt_end_call()
    ThreadClasses.shared.isRunning.store(false, ordering: .releasing)
    ticks = rt_ticks() &- start
    watch.toggle()
    rt_set_float_mode(mode)
    if let worker {
      watch.expect("work")
      watch.toggle()
      worker.endRun(isAlone: true)
      watch.toggle()
      watch.expect("run")
    }
    frame += frames
  }

  /// Runs blocks of one length until at least `frames` frames are played.
  ///
  /// - Returns: The signal of each output.
  func play(_ frames: Int, block preferred: Int = 256, _ signal: AuditSignal) -> [[Float]] {
    let block = length(preferred)
    var sound = outputs.map { _ in [Float]() }
    for channel in sound.indices { sound[channel].reserveCapacity(frames + block) }
    var done = 0
    while done < frames {
      let count = fixedLength ?? min(block, frames - done)
      run(count, signal)
      for (channel, block) in played.enumerated() { sound[channel] += block }
      done += count
    }
    return sound
  }
}
