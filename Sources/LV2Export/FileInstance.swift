// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2
internal import CSwiftletRealtime
internal import SwiftletSignal

/// An instance of a plugin whose effect is made with a file, which the host sets while the plugin runs.
///
/// The host's worker reads the file and makes an effect with it. When the next run begins, that effect fades in over
/// the previous one, with the current parameter values. Without an effect, the input is passed through. In a host
/// without a worker, only a state can load a file.
@safe class FileInstance: PluginInstance {
  /// The requests of the audio thread to the worker: to load the path that follows, or to free used effects.
  private enum Request {
    static var load: UInt32 { 1 }
    static var collect: UInt32 { 2 }
  }

  let loads = LoadList()
  let types: PatchTypes
  private let schedule: LV2_Worker_Schedule?
  private let content: FileDescription.Content
  private let sampleRate: Double
  private let controlPort: Int, notifyPort: Int
  /// The buffer for an outgoing message.
  private let message: UnsafeMutableRawPointer
  private var writer: SequenceWriter?
  /// The effect that is heard, the one that fades in, and the crossfade.
  private var current: UnsafeMutablePointer<Load>?, next: UnsafeMutablePointer<Load>?
  private var fade = Ramp(1)
  private let fadeFrames: Int
  /// Buffers for a copy of the input, and for the output that fades out.
  private let scratch: UnsafeMutablePointer<Float>
  private var hasRetired = false, hasChanged = false

  /// The operations on the effect's type: make an effect (nil if it refuses), free it, and process with it.
  func make(_ file: EffectFile?) -> UnsafeMutableRawPointer? { nil }
  func free(_ effect: UnsafeMutableRawPointer) {}
  func latency(of effect: UnsafeMutableRawPointer) -> Int { 0 }
  func reset(_ effect: UnsafeMutableRawPointer) {}
  func set(_ effect: UnsafeMutableRawPointer, _ number: Int, to value: Float, over frames: Int) {}
  func process(_ effect: UnsafeMutableRawPointer, _ block: Block) {}

  /// Creates an instance; nil if the host does not map URIDs, or the sample rate is out of range.
  init?(_ plugin: ExportedPlugin, _ file: FileDescription, sampleRate: Double, _ host: HostFeatures) {
    guard let map = unsafe host.map, sampleRate >= 1000, sampleRate <= 1_000_000 else { return nil }
    unsafe types = PatchTypes(map, plugin: plugin.uri, file: plugin.uri(of: file))
    unsafe schedule = host.schedule
    content = file.content
    self.sampleRate = sampleRate
    let ports = plugin.eventPorts
    controlPort = plugin.firstEventPort + (ports.firstIndex { $0.takesFiles } ?? 0)
    notifyPort = plugin.firstEventPort + (ports.firstIndex { $0.notifiesFiles } ?? 0)
    unsafe message = .allocate(byteCount: PatchMessage.longest, alignment: 8)
    fadeFrames = Int(0.01 * sampleRate)
    let count = (plugin.inputCount + plugin.outputCount + 1) * Self.longestBlock
    unsafe scratch = .allocate(capacity: count)
    unsafe scratch.initialize(repeating: 0, count: count)
    super.init(for: plugin, sampleRate: sampleRate, host.types)
    if let effect = unsafe make(nil) { unsafe loads.offer(effect, [0]) }
    unsafe current = loads.take()
    measure(plugin, sampleRate: sampleRate)
  }

  deinit {
    unsafe loads.collect(all: true) { unsafe free($0) }
    unsafe message.deallocate()
    unsafe scratch.deallocate()
  }

  // MARK: Off the audio thread

  /// Makes an effect with the file at a null-terminated path, or without a file if the path is empty.
  ///
  /// - Returns: Whether the effect was made; otherwise nothing is changed.
  func load(_ path: [CChar]) -> Bool {
    unsafe loads.collect { unsafe free($0) }
    guard path.count > 1 else {
      unsafe loads.offer(make(nil), [0])
      return true
    }
    var file: EffectFile?
    switch content {
    case .path: file = .path(path)
    case .sound:
      if let sound = WaveFile.read(path), let sound = RateConversion.convert(sound, to: sampleRate) {
        file = .sound(sound)
      }
    }
    guard let file, let effect = unsafe make(file) else { return false }
    unsafe loads.offer(effect, path)
    return true
  }

  /// Executes a request from a run.
  @unsafe func work(_ size: Int, _ data: UnsafeRawPointer) {
    guard size >= 4 else { return }
    switch unsafe data.loadUnaligned(as: UInt32.self) {
    case Request.load:
      var path: [CChar] = []
      for offset in 4..<size { unsafe path.append(data.load(fromByteOffset: offset, as: CChar.self)) }
      if path.last != 0 { path.append(0) }
      if !load(path) { loads.fail() }
    default: unsafe loads.collect { unsafe free($0) }
    }
  }

  // MARK: Audio thread

  override var latency: Int { unsafe current?.pointee.effect.map { unsafe latency(of: $0) } ?? 0 }

  override func reset() {
    if let fresh = unsafe next { unsafe finish(fresh) }
    if let effect = unsafe current?.pointee.effect { unsafe reset(effect) }
  }

  override func set(_ number: Int, to value: Float, over frames: Int) {
    if let effect = unsafe current?.pointee.effect { unsafe set(effect, number, to: value, over: frames) }
    if let effect = unsafe next?.pointee.effect { unsafe set(effect, number, to: value, over: frames) }
  }

  override func run(_ frameCount: Int) {
    writer = nil
    if let port = unsafe buses.ports[notifyPort] {
      writer = unsafe SequenceWriter(port, sequence: types.sequence)
    }
    takeMessages()
    super.run(frameCount)
    if loads.takeFailure() { hasChanged = true }
    if hasChanged { notifyHost() }
    if hasRetired, request(Request.collect, count: 4) { hasRetired = false }
  }

  override func prepare(isFresh: Bool) {
    guard unsafe next == nil, let fresh = unsafe loads.take() else { return }
    if let effect = unsafe fresh.pointee.effect {
      for number in 0..<parameterCount { unsafe set(effect, number, to: value(number), over: 0) }
    }
    hasChanged = true
    if isFresh { return unsafe finish(fresh) }
    unsafe next = fresh
    fade = Ramp(0)
    fade.glide(to: 1, over: -fadeFrames)
  }

  override func process(_ block: Block) {
    guard let fresh = unsafe next, block.inputCount > 0, block.outputCount > 0 else {
      return unsafe play(current, block)
    }
    let input = block.input(), output = block.output(), frames = block.frameCount
    let old = unsafe scratch + input.channelCount * Self.longestBlock
    for channel in 0..<input.channelCount {
      unsafe rt_copy_floats(scratch + channel * Self.longestBlock, input[channel].unsafeBase, frames)
    }
    unsafe play(current, block)
    for channel in 0..<output.channelCount {
      let base = unsafe output[channel].unsafeBase
      unsafe rt_copy_floats(old + channel * Self.longestBlock, base, frames)
      // If this output shares the input's buffer, the input was overwritten and is restored.
      if channel < input.channelCount, unsafe input[channel].unsafeBase == UnsafePointer(base) {
        unsafe rt_copy_floats(base, scratch + channel * Self.longestBlock, frames)
      }
    }
    unsafe play(fresh, block)
    for channel in 0..<output.channelCount {
      let base = unsafe output[channel].unsafeBase, last = unsafe old + channel * Self.longestBlock
      for frame in 0..<frames {
        unsafe base[frame] = last[frame] + (base[frame] - last[frame]) * fade.value(after: frame + 1)
      }
    }
    fade.skip(frames)
    if !fade.isMoving { unsafe finish(fresh) }
  }

  private func play(_ load: UnsafeMutablePointer<Load>?, _ block: Block) {
    if let effect = unsafe load?.pointee.effect { return unsafe process(effect, block) }
    for bus in 0..<block.outputCount {
      let output = block.output(bus: bus), sources = block.inputCount > 0 ? block.input().channelCount : 0
      for channel in 0..<output.channelCount {
        if bus == 0, sources > 0 {
          let source = block.input()[min(channel, sources - 1)]
          unsafe rt_copy_floats(output[channel].unsafeBase, source.unsafeBase, block.frameCount)
        } else {
          unsafe rt_clear_floats(output[channel].unsafeBase, block.frameCount)
        }
      }
    }
  }

  /// Completes the crossfade.
  private func finish(_ fresh: UnsafeMutablePointer<Load>) {
    if let last = unsafe current {
      unsafe loads.retire(last)
      hasRetired = true
    }
    unsafe current = fresh
    unsafe next = nil
  }

  /// Reads the host's messages that set or request a file.
  private func takeMessages() {
    guard let port = unsafe buses.ports[controlPort] else { return }
    var reader = unsafe SequenceReader(port, sequence: types.sequence)
    while reader.hasEvent {
      if let patch = unsafe PatchMessage(reader, types) {
        if let path = unsafe patch.path {
          unsafe rt_copy_bytes(message + 4, path, patch.pathLength)
          unsafe (message + 4 + patch.pathLength).storeBytes(of: 0, as: UInt8.self)
          // If the host has no space for the request, it receives the old path.
          if !request(Request.load, count: 5 + patch.pathLength) { hasChanged = true }
        } else {
          hasChanged = true
        }
      }
      reader.advance()
    }
  }

  private func request(_ request: UInt32, count: Int) -> Bool {
    guard let schedule = unsafe schedule, let send = unsafe schedule.schedule_work else { return false }
    unsafe message.storeBytes(of: request, as: UInt32.self)
    return unsafe send(schedule.handle, UInt32(count), message) == LV2_WORKER_SUCCESS
  }

  /// Notifies the host of the file that is in use.
  private func notifyHost() {
    hasChanged = false
    guard writer != nil else { return }
    var none: CChar = 0
    let count = unsafe withUnsafePointer(to: &none) { none in
      let load = unsafe next ?? current
      return unsafe PatchMessage.write(
        path: load?.pointee.path ?? UnsafeMutablePointer(mutating: none), to: message, types: types)
    }
    unsafe writer?.append(frame: 0, type: types.object, message, size: count)
  }
}
