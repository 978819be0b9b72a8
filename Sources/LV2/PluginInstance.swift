// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// One instance of a plugin's code. Made and freed under the world's lock, on a control thread.
final class PluginInstance {
  let handle: LV2_Handle?
  let descriptor: UnsafePointer<LV2_Descriptor>
  let instance: UnsafeMutablePointer<LilvInstance>
  private let world: PluginWorld
  // Kept for the instance, which may hold pointers into them.
  private let features: PluginFeatures
  private var isActive = false

  init(_ model: PluginModel, in world: PluginWorld, rate: Double, features: PluginFeatures, log: PluginLog)
    throws(PluginError)
  {
    let plugin = try world.plugin(uri: model.uri)
    guard let library = model.library else {
      throw .refused(model.uri, because: "its description names no library")
    }
    if let fault = PluginLibrary.fault(of: model.uri, in: library) {
      throw .library(model.uri, because: fault)
    }
    let made = withForeignCode {
      swiftlet_zero_new_memory(1)
      defer { swiftlet_zero_new_memory(0) }
      return lilv_plugin_instantiate(plugin, rate, features.list)
    }
    guard let made else { throw .noInstance(model.uri, messages: log.take().map(\.text)) }
    guard let descriptor = made.pointee.lv2_descriptor, descriptor.pointee.run != nil,
      descriptor.pointee.connect_port != nil
    else {
      withForeignCode { lilv_instance_free(made) }
      throw .noInstance(model.uri, messages: ["its code lacks run or connect_port"])
    }
    instance = made
    self.descriptor = descriptor
    handle = made.pointee.lv2_handle
    self.world = world
    self.features = features
  }

  deinit {
    world.lock.locked {
      deactivate()
      withForeignCode { lilv_instance_free(instance) }
    }
  }

  /// Makes the instance ready to run.
  func activate() {
    guard !isActive else { return }
    isActive = true
    withForeignCode { lilv_instance_activate(instance) }
  }

  /// Makes the instance forget what it has heard. While it neither runs nor works.
  func restart() {
    deactivate()
    activate()
  }

  private func deactivate() {
    guard isActive else { return }
    isActive = false
    withForeignCode { lilv_instance_deactivate(instance) }
  }

  /// An interface that the plugin has beyond the core; nil where it has none.
  func interface<Interface>(_ uri: String, as type: Interface.Type) -> UnsafePointer<Interface>? {
    guard let name = URIDMap.shared.pinned(uri), descriptor.pointee.extension_data != nil else { return nil }
    return withForeignCode {
      lilv_instance_get_extension_data(instance, name).map { UnsafePointer($0.assumingMemoryBound(to: type)) }
    }
  }
}

/// Runs code of a plugin, and sets right what it may have changed: how numbers are written, for the whole
/// process, and how this thread computes with them.
func withForeignCode<Result>(_ body: () -> Result) -> Result {
  let mode = rt_float_mode()
  defer {
    rt_set_float_mode(mode)
    if let numbers = setlocale(LC_NUMERIC, nil), strcmp(numbers, "C") != 0 { setlocale(LC_NUMERIC, "C") }
  }
  return body()
}
