// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// What a host offers to an instance, as far as plugins here use it.
@safe struct HostFeatures {
  /// Gives numbers to names.
  let map: LV2_URID_Map?
  /// Has work done off the audio thread.
  let schedule: LV2_Worker_Schedule?

  /// The numbers of its events; nil where it has none.
  var types: HostTypes? { unsafe HostTypes(map) }

  @unsafe init(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    let map = unsafe Self.find("urid#map", in: features)
    unsafe self.map = map?.assumingMemoryBound(to: LV2_URID_Map.self).pointee
    let schedule = unsafe Self.find("worker#schedule", in: features)
    unsafe self.schedule = schedule?.assumingMemoryBound(to: LV2_Worker_Schedule.self).pointee
  }

  /// What the host hands over with a feature; nil where it has none of that name.
  @unsafe static func find(
    _ name: String, in features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
  ) -> UnsafeMutableRawPointer? {
    guard var next = unsafe features else { return nil }
    while let feature = unsafe next.pointee {
      if unsafe isNamed(feature.pointee.URI, "http://lv2plug.in/ns/ext/" + name) {
        return unsafe feature.pointee.data
      }
      unsafe next += 1
    }
    return nil
  }
}

/// Whether a C string is this name.
@unsafe func isNamed(_ text: UnsafePointer<CChar>?, _ name: String) -> Bool {
  guard let text = unsafe text else { return false }
  let wanted = Array(name.utf8) + [0]
  for (place, byte) in wanted.enumerated() where unsafe UInt8(bitPattern: text[place]) != byte {
    return false
  }
  return true
}

extension LV2_URID_Map {
  /// The host's number for a name; 0 where it has none.
  func number(_ name: String) -> UInt32 {
    guard let ask = unsafe map else { return 0 }
    return unsafe name.withCString { unsafe ask(handle, $0) }
  }
}
