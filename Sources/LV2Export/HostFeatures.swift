// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// The host features that plugins here use.
@safe struct HostFeatures {
  /// The mapping of URIs to URIDs.
  let map: LV2_URID_Map?
  /// Schedules work off the audio thread.
  let schedule: LV2_Worker_Schedule?

  /// The URIDs for events; nil if the host does not map URIDs.
  var types: HostTypes? { unsafe HostTypes(map) }

  @unsafe init(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    let map = unsafe Self.find("urid#map", in: features)
    unsafe self.map = map?.assumingMemoryBound(to: LV2_URID_Map.self).pointee
    let schedule = unsafe Self.find("worker#schedule", in: features)
    unsafe self.schedule = schedule?.assumingMemoryBound(to: LV2_Worker_Schedule.self).pointee
  }

  /// Returns the data of a host feature; nil if the host does not have it.
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

/// Returns whether a C string equals a name.
@unsafe func isNamed(_ text: UnsafePointer<CChar>?, _ name: String) -> Bool {
  guard let text = unsafe text else { return false }
  let wanted = Array(name.utf8) + [0]
  for (index, byte) in wanted.enumerated() where unsafe UInt8(bitPattern: text[index]) != byte {
    return false
  }
  return true
}

extension LV2_URID_Map {
  /// Returns the host's URID for a URI; 0 if it has none.
  func number(_ name: String) -> UInt32 {
    guard let mapURI = unsafe map else { return 0 }
    return unsafe name.withCString { unsafe mapURI(handle, $0) }
  }
}
