// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc

/// Reads properties of a lilv state. lilv passes them only to an instance that restores them, so this acts as an
/// instance without a plugin.
final class StateReading {
  private let keys: [UInt32]
  private let snapshot = StateSnapshot()

  /// - Parameter keys: the URIDs of the properties to read.
  init(_ keys: [UInt32]) { self.keys = keys }

  /// The properties in the state, by key. They belong to this object.
  var found: [UInt32: StateSnapshot.Property] {
    Dictionary(snapshot.properties.map { ($0.key, $0) }) { $1 }
  }

  /// Reads the properties of a state.
  func read(_ state: OpaquePointer) {
    guard let uri = URIDMap.shared.pinned(Name.stateInterface) else { return }
    var descriptor = LV2_Descriptor()
    descriptor.URI = uri
    descriptor.extension_data = { _ in UnsafeRawPointer(readingInterface.interface) }
    withUnsafePointer(to: &descriptor) { descriptor in
      var instance = LilvInstance(
        lv2_descriptor: descriptor, lv2_handle: Unmanaged.passUnretained(self).toOpaque(), pimpl: nil)
      lilv_state_restore(state, &instance, nil, nil, 0, nil)
    }
  }

  fileprivate func restore(
    _ retrieve: LV2_State_Retrieve_Function, _ handle: LV2_State_Handle?,
    _ map: UnsafeMutablePointer<LV2_State_Map_Path>?
  ) {
    let path = URIDMap.shared.number(of: Name.atomPath)
    for key in keys {
      var size = 0, type: UInt32 = 0, flags: UInt32 = 0
      guard let value = retrieve(handle, key, &size, &type, &flags) else { continue }
      if type == path, let map, let absolute = map.pointee.absolute_path,
        let text = absolute(map.pointee.handle, value.assumingMemoryBound(to: CChar.self))
      {
        snapshot.set(
          key, type: type, flags: flags, UnsafeRawBufferPointer(start: text, count: strlen(text) + 1))
        lilv_free(text)
      } else {
        snapshot.set(key, type: type, flags: flags, UnsafeRawBufferPointer(start: value, count: size))
      }
    }
  }
}

/// The interface that lilv calls, at a fixed address.
private struct ReadingInterface: @unchecked Sendable {
  // @unchecked: never written after init.
  let interface: UnsafeMutablePointer<LV2_State_Interface>

  init() {
    interface = .allocate(capacity: 1)
    interface.initialize(to: LV2_State_Interface(save: nil, restore: restoreIntoReading))
  }
}

private let readingInterface = ReadingInterface()

private func restoreIntoReading(
  _ reading: LV2_Handle?, _ retrieve: LV2_State_Retrieve_Function?, _ handle: LV2_State_Handle?,
  _ flags: UInt32, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
) -> LV2_State_Status {
  guard let reading, let retrieve else { return LV2_STATE_ERR_UNKNOWN }
  var map: UnsafeMutablePointer<LV2_State_Map_Path>?
  var next = features
  while let feature = next?.pointee {
    if strcmp(feature.pointee.URI, Name.mapPath) == 0 {
      map = feature.pointee.data?.assumingMemoryBound(to: LV2_State_Map_Path.self)
    }
    next = next.map { $0 + 1 }
  }
  Unmanaged<StateReading>.fromOpaque(reading).takeUnretainedValue().restore(retrieve, handle, map)
  return LV2_STATE_SUCCESS
}
