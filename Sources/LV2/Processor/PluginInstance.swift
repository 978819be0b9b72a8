// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import Synchronization

/// One instance of a plugin. Created and freed under the world's lock, on a control thread.
final class PluginInstance {
  let handle: LV2_Handle?
  let descriptor: UnsafePointer<LV2_Descriptor>
  let instance: UnsafeMutablePointer<LilvInstance>
  private let world: PluginWorld
  // Retained for the instance, which may hold pointers into them.
  let features: PluginFeatures?
  /// The isolated instance that this one represents; nil for one in this process.
  private let isolated: IsolatedInstance?
  /// The instance's identity in crash reports.
  let note: UnsafeMutablePointer<swiftlet_note>?
  private(set) var isActive = false
  private var hasEnded = false

  init(_ model: PluginModel, in world: PluginWorld, rate: Double, features: PluginFeatures, log: PluginLog)
    throws(PluginError)
  {
    let plugin = try world.plugin(uri: model.uri)
    guard let library = model.library else {
      throw .refused(model.uri, because: "its description names no library")
    }
    let note = swiftlet_note_plugin(model.uri, library)
    var isNoted = false
    defer { if !isNoted { swiftlet_forget_note(note) } }
    if let fault = PluginLibrary.fault(of: model.uri, in: library, note) {
      throw .library(model.uri, because: fault)
    }
    if let missing = PluginLibrary.missingDisplay(of: library) { throw .refused(model.uri, because: missing) }
    let made = withForeignCode(SWIFTLET_INSTANTIATE, note) {
      swiftlet_zero_new_memory(1)
      defer { swiftlet_zero_new_memory(0) }
      return lilv_plugin_instantiate(plugin, rate, features.list)
    }
    guard let made else { throw .noInstance(model.uri, messages: log.take().map(\.text)) }
    guard let descriptor = made.pointee.lv2_descriptor, descriptor.pointee.run != nil,
      descriptor.pointee.connect_port != nil
    else {
      withForeignCode(SWIFTLET_CLEANUP, note) { lilv_instance_free(made) }
      throw .noInstance(model.uri, messages: ["its code lacks run or connect_port"])
    }
    instance = made
    self.descriptor = descriptor
    handle = made.pointee.lv2_handle
    swiftlet_set_handle(note, handle)
    self.note = note
    isNoted = true
    self.world = world
    self.features = features
    isolated = nil
  }

  /// Creates an instance that runs in another process; nil if there is no memory.
  init?(_ isolated: IsolatedInstance, in world: PluginWorld) {
    guard let memory = calloc(1, MemoryLayout<LilvInstance>.size) else { return nil }
    instance = memory.assumingMemoryBound(to: LilvInstance.self)
    handle = LV2_Handle(isolated.handle)
    descriptor = UnsafePointer(isolated.descriptor)
    instance.pointee.lv2_descriptor = descriptor
    instance.pointee.lv2_handle = handle
    note = nil
    self.world = world
    features = nil
    self.isolated = isolated
  }

  /// Ends the instance unless ``end()`` was called. Only an instance whose ports are not connected may rely on this.
  deinit { end() }

  /// Deactivates, cleans up and frees the instance, once.
  ///
  /// - Returns: False if the plugin does not return, or if another plugin holds the world's lock for too long. A
  ///   thread may then still be inside the plugin, and everything that it may use must be kept.
  @discardableResult func end() -> Bool {
    guard !hasEnded else { return true }
    hasEnded = true
    if isolated != nil { return endIsolated() }
    // After one timeout on the world's lock, further instances wait for 10 ms only.
    let isHeld = world.isHeldUp.load(ordering: .relaxed)
    let hasReturned = world.lock.locked(within: isHeld ? 10 : 3000) { endOnOtherThread() }
    world.isHeldUp.store(hasReturned == nil, ordering: .relaxed)
    return hasReturned ?? false
  }

  /// Activates the instance.
  func activate() {
    guard !isActive else { return }
    isActive = true
    withForeignCode(SWIFTLET_ACTIVATE, note) { lilv_instance_activate(instance) }
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
    withForeignCode(SWIFTLET_DEACTIVATE, note) { lilv_instance_deactivate(instance) }
  }

  /// Returns an extension interface of the plugin; nil if it has none.
  func interface<Interface>(_ uri: String, as type: Interface.Type) -> UnsafePointer<Interface>? {
    guard let name = URIDMap.shared.pinned(uri), descriptor.pointee.extension_data != nil else { return nil }
    return withForeignCode(SWIFTLET_EXTENSION_DATA, note) {
      lilv_instance_get_extension_data(instance, name).map { UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}

/// Runs plugin code, and then restores what the code may have changed: the process's numeric locale, and this thread's
/// floating-point mode.
///
/// - Parameters:
///   - function: The called function, for crash reports.
///   - note: The instance's identity; nil for code that belongs to no instance.
func withForeignCode<Result>(
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
