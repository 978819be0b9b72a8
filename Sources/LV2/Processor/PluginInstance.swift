// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// One instance of a plugin. Created and freed on a control thread, without a lock that other plugins wait for.
final class PluginInstance {
  let handle: LV2_Handle?
  let descriptor: UnsafePointer<LV2_Descriptor>
  /// The instance in lilv's form.
  let instance: UnsafeMutablePointer<LilvInstance>
  /// The code of an instance in this process.
  let code: PluginCode?
  /// Held during all calls of the instance but those of audio threads and workers.
  private let calls = ControlLock()
  // Retained for the instance, which may hold pointers into them.
  let features: PluginFeatures?
  /// The isolated instance that this one represents; nil for one in this process.
  private let isolated: IsolatedInstance?
  /// The instance's identity in crash reports.
  let note: UnsafeMutablePointer<swiftlet_note>?
  private(set) var isActive = false
  private var hasEnded = false

  init(_ model: PluginModel, rate: Double, features: PluginFeatures, log: PluginLog) throws(PluginError) {
    guard let library = model.library else {
      throw .refused(model.uri, because: "its description names no library")
    }
    let note = swiftlet_note_plugin(model.uri, library)
    var isNoted = false
    defer { if !isNoted { swiftlet_remove_note(note) } }
    let code: PluginCode
    do throws(PluginLibrary.Fault) {
      code = try PluginLibrary.code(of: model.uri, in: library, bundle: model.bundle, features, note)
    } catch { throw .library(model.uri, because: error.text) }
    if let missing = PluginLibrary.missingDisplay(of: library) { throw .refused(model.uri, because: missing) }
    let made: LV2_Handle? = code.lock.lock.locked {
      guard let instantiate = code.descriptor.pointee.instantiate else { return nil }
      return withThirdPartyCode(SWIFTLET_INSTANTIATE, note) {
        ZeroedMemory.begin()
        defer { ZeroedMemory.end() }
        return instantiate(code.descriptor, rate, model.bundle, features.list)
      }
    }
    guard let made, let memory = calloc(1, MemoryLayout<LilvInstance>.size) else {
      code.lock.lock.locked { code.end() }
      throw .noInstance(model.uri, messages: log.take().map(\.text))
    }
    (handle, descriptor, self.note, self.code, self.features) = (made, code.descriptor, note, code, features)
    isNoted = true
    swiftlet_set_handle(note, made)
    instance = memory.assumingMemoryBound(to: LilvInstance.self)
    instance.pointee.lv2_descriptor = descriptor
    instance.pointee.lv2_handle = handle
    isolated = nil
    guard descriptor.pointee.run != nil, descriptor.pointee.connect_port != nil else {
      end()
      throw .noInstance(model.uri, messages: ["its code lacks run or connect_port"])
    }
    // As lilv does, so that a port that is used too early is null.
    for port in model.ports.indices { connect(port, to: nil) }
  }

  /// Creates an instance that runs in another process; nil if there is no memory.
  init?(_ isolated: IsolatedInstance) {
    guard let memory = calloc(1, MemoryLayout<LilvInstance>.size) else { return nil }
    instance = memory.assumingMemoryBound(to: LilvInstance.self)
    handle = LV2_Handle(isolated.handle)
    descriptor = UnsafePointer(isolated.descriptor)
    instance.pointee.lv2_descriptor = descriptor
    instance.pointee.lv2_handle = handle
    note = nil
    code = nil
    features = nil
    self.isolated = isolated
  }

  /// Ends the instance unless ``end()`` was called. Only an instance whose ports are not connected may rely on this.
  deinit { end() }

  /// Deactivates, cleans up and frees the instance, once.
  ///
  /// - Returns: False if the plugin does not return, or if another plugin of its library does not. A thread may then
  ///   still be inside the plugin, and everything that it may use must be kept.
  @discardableResult func end() -> Bool {
    guard !hasEnded else { return true }
    hasEnded = true
    guard let library = code?.lock else { return endIsolated() }
    // After one timeout on the library's lock, further instances wait for 10 ms only.
    let isHeld = library.isHeldUp.load(ordering: .relaxed)
    let hasReturned = library.lock.locked(within: isHeld ? 10 : 3000) { endOnOtherThread() }
    library.isHeldUp.store(hasReturned == nil, ordering: .relaxed)
    return hasReturned ?? false
  }

  /// Calls a function that no other control thread may call at the same time: `activate`, `save`, `restore` and others.
  func call<Result>(_ function: swiftlet_function, _ body: () -> Result) -> Result {
    calls.locked { withThirdPartyCode(function, note, body) }
  }

  /// Activates the instance.
  func activate() {
    guard !isActive else { return }
    isActive = true
    call(SWIFTLET_ACTIVATE) { lilv_instance_activate(instance) }
  }

  /// Deactivates and activates the instance, which clears its state of past sound. Call it while neither the instance
  /// nor its worker runs.
  func restart() {
    deactivate()
    activate()
  }

  func deactivate() {
    guard isActive else { return }
    isActive = false
    call(SWIFTLET_DEACTIVATE) { lilv_instance_deactivate(instance) }
  }

  /// Returns an extension interface of the plugin; nil if it has none.
  func interface<Interface>(_ uri: String, as type: Interface.Type) -> UnsafePointer<Interface>? {
    guard let name = URIDMap.shared.pinned(uri), descriptor.pointee.extension_data != nil else { return nil }
    return withThirdPartyCode(SWIFTLET_EXTENSION_DATA, note) {
      lilv_instance_get_extension_data(instance, name).map { UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}

/// Some plugins read memory that they never wrote, so new memory is filled with zeros while any plugin is instantiated.
private enum ZeroedMemory {
  /// The number of plugins that are being instantiated.
  private static let count = Mutex(0)

  static func begin() {
    count.withLock { count in
      if count == 0 { swiftlet_zero_new_memory(1) }
      count += 1
    }
  }

  static func end() {
    count.withLock { count in
      count -= 1
      if count == 0 { swiftlet_zero_new_memory(0) }
    }
  }
}

/// Runs plugin code, and then restores what the code may have changed: the process's numeric locale, and this thread's
/// floating-point mode.
///
/// - Parameters:
///   - function: The called function, for crash reports.
///   - note: The instance's identity; nil for code that belongs to no instance.
func withThirdPartyCode<Result>(
  _ function: swiftlet_function, _ note: UnsafePointer<swiftlet_note>?, _ body: () -> Result
) -> Result {
  let mode = rt_float_mode(), around = swiftlet_enter(note, function.rawValue)
  defer {
    swiftlet_leave(around)
    rt_set_float_mode(mode)
    if let numbers = setlocale(LC_NUMERIC, nil), strcmp(numbers, "C") != 0 { setlocale(LC_NUMERIC, "C") }
  }
  return body()
}
