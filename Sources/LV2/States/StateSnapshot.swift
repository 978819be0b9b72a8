// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

/// The properties that an instance has saved or will restore, in the form of LV2's state interface.
///
/// One thread at a time.
final class StateSnapshot {
  /// A property; its bytes belong to the snapshot.
  struct Property {
    var key: UInt32, type: UInt32, flags: UInt32
    var bytes: UnsafeMutableRawBufferPointer
  }

  private(set) var properties: [Property] = []

  /// Creates a snapshot without properties.
  init() {}

  /// Saves an instance's state without port values; nil if the instance has no state interface or reports a failure.
  /// The instance may run at the same time, which LV2 requires plugins to support.
  init?(savedBy instance: PluginInstance, paths: PathFeatures) {
    guard
      let interface = instance.interface(Name.stateInterface, as: LV2_State_Interface.self),
      let save = interface.pointee.save
    else { return nil }
    let handle = Unmanaged.passUnretained(self).toOpaque()
    let flags = LV2_STATE_IS_POD.rawValue | LV2_STATE_IS_PORTABLE.rawValue
    let status = paths.withList { list in
      instance.call(SWIFTLET_SAVE) { save(instance.handle, store, handle, flags, list) }
    }
    guard status == LV2_STATE_SUCCESS else { return nil }
  }

  deinit { for property in properties { property.bytes.deallocate() } }

  subscript(key: UInt32) -> Property? { properties.first { $0.key == key } }

  /// Adds a property, or replaces the one with the same key.
  func set(_ key: UInt32, type: UInt32, flags: UInt32, _ bytes: UnsafeRawBufferPointer) {
    // At least one byte, so that an empty value has an address.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    copy.copyMemory(from: bytes)
    let property = Property(
      key: key, type: type, flags: flags, bytes: UnsafeMutableRawBufferPointer(rebasing: copy[..<bytes.count])
    )
    guard let index = properties.firstIndex(where: { $0.key == key }) else {
      return properties.append(property)
    }
    properties[index].bytes.deallocate()
    properties[index] = property
  }

  /// Restores an instance from the properties.
  ///
  /// - Parameter schedule: The worker feature, which executes at once the work that the instance schedules.
  func restore(
    into instance: PluginInstance, paths: PathFeatures, schedule: UnsafeMutablePointer<LV2_Worker_Schedule>?
  ) {
    guard
      let interface = instance.interface(Name.stateInterface, as: LV2_State_Interface.self),
      let restore = interface.pointee.restore
    else { return }
    let handle = Unmanaged.passUnretained(self).toOpaque()
    paths.withList(schedule) { list in
      instance.call(SWIFTLET_RESTORE) {
        _ = restore(instance.handle, retrieve, handle, 0, list)
      }
    }
  }
}

private func store(
  _ handle: LV2_State_Handle?, _ key: UInt32, _ value: UnsafeRawPointer?, _ size: Int, _ type: UInt32,
  _ flags: UInt32
) -> LV2_State_Status {
  guard let handle, key != 0, value != nil || size == 0 else { return LV2_STATE_ERR_UNKNOWN }
  let isPath = type == URIDMap.shared.number(of: Name.atomPath)
  guard isPath || flags & LV2_STATE_IS_POD.rawValue != 0 else { return LV2_STATE_ERR_BAD_FLAGS }
  Unmanaged<StateSnapshot>.fromOpaque(handle).takeUnretainedValue()
    .set(key, type: type, flags: flags, UnsafeRawBufferPointer(start: value, count: size))
  return LV2_STATE_SUCCESS
}

private func retrieve(
  _ handle: LV2_State_Handle?, _ key: UInt32, _ size: UnsafeMutablePointer<Int>?,
  _ type: UnsafeMutablePointer<UInt32>?, _ flags: UnsafeMutablePointer<UInt32>?
) -> UnsafeRawPointer? {
  guard let handle, let property = Unmanaged<StateSnapshot>.fromOpaque(handle).takeUnretainedValue()[key]
  else { return nil }
  size?.pointee = property.bytes.count
  type?.pointee = property.type
  flags?.pointee = property.flags
  return UnsafeRawPointer(property.bytes.baseAddress)
}
