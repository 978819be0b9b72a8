// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc
internal import SwiftletSignal

/// The URIDs (numbers for URIs): one table for all plugins of the process, since events pass from one plugin to
/// another.
///
/// `midi:MidiEvent` is ``EventHeader/midi``, so MIDI events pass through the graph without translation. URIDs and URIs
/// stay valid until the process ends, since plugins keep pointers to them.
// @unchecked: the table is accessed under `lock`; the C structures are never written after init.
final class URIDMap: @unchecked Sendable {
  static let shared = URIDMap()
  /// The host's URIDs, in a process of isolated plugins; nil in all others. Set before the first use.
  nonisolated(unsafe) static var host: HostedNames?

  /// LV2's URID features and the older `uri-map`, which plugins call.
  let map: UnsafeMutablePointer<LV2_URID_Map>
  let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
  let uriMap: UnsafeMutablePointer<swiftlet_uri_map>
  private let lock = ControlLock()
  private var numbers: [String: UInt32] = [:]
  private var names: [UInt32: UnsafeMutablePointer<CChar>] = [:]

  private init() {
    map = .allocate(capacity: 1)
    unmap = .allocate(capacity: 1)
    uriMap = .allocate(capacity: 1)
    let handle = Unmanaged.passUnretained(self).toOpaque()
    map.initialize(to: LV2_URID_Map(handle: handle, map: mapURI))
    unmap.initialize(to: LV2_URID_Unmap(handle: handle, unmap: unmapURID))
    // The context, such as the URI of the old event extension, restricts numbers to 65,535, which no process exceeds.
    uriMap.initialize(to: swiftlet_uri_map(map: handle, uri_to_id: { map, _, uri in mapURI(map, uri) }))
    let first = number(of: Name.midiEvent)
    assert(first == EventHeader.midi, "MIDI has its number")
  }

  /// Returns the URID of a URI, 1 or more, which never changes.
  func number(of uri: String) -> UInt32 {
    lock.locked {
      if let number = numbers[uri] { return number }
      let number = Self.host?.number(of: uri) ?? UInt32(names.count + 1)
      names[number] = strdup(uri)
      numbers[uri] = number
      return number
    }
  }

  /// Returns the URI of a URID, at an address that stays valid; nil for an unused URID.
  func name(of number: UInt32) -> UnsafePointer<CChar>? {
    lock.locked {
      if names[number] == nil, let uri = Self.host?.uri(of: number) {
        names[number] = strdup(uri)
        numbers[uri] = number
      }
      return names[number].map { UnsafePointer($0) }
    }
  }

  /// Returns a URI at an address that stays valid.
  func pinned(_ uri: String) -> UnsafePointer<CChar>? { name(of: number(of: uri)) }
}

private func mapURI(_ handle: LV2_URID_Map_Handle?, _ uri: UnsafePointer<CChar>?) -> LV2_URID {
  guard let handle, let uri else { return 0 }
  return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue().number(of: String(cString: uri))
}

private func unmapURID(_ handle: LV2_URID_Unmap_Handle?, _ number: LV2_URID) -> UnsafePointer<CChar>? {
  guard let handle else { return nil }
  return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue().name(of: number)
}
