// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import Glibc
internal import SwiftletSignal

/// Numbers for URIs, one table for all plugins of the process, since events pass from one to another.
///
/// `midi:MidiEvent` is ``EventHeader/midi``, so MIDI needs no translation on its way through the graph.
/// Numbers and names live as long as the process: plugins keep pointers to them.
// @unchecked: the table is touched under `lock`; the C structures are never written after init.
final class URIDMap: @unchecked Sendable {
  static let shared = URIDMap()
  /// What gives the numbers in the process of an isolated plugin; nil everywhere else. Set before the first use.
  nonisolated(unsafe) static var host: HostedNames?

  /// What plugins call, as LV2 wants it.
  let map: UnsafeMutablePointer<LV2_URID_Map>
  let unmap: UnsafeMutablePointer<LV2_URID_Unmap>
  private let lock = ControlLock()
  private var numbers: [String: UInt32] = [:]
  private var names: [UInt32: UnsafeMutablePointer<CChar>] = [:]

  private init() {
    map = .allocate(capacity: 1)
    unmap = .allocate(capacity: 1)
    let handle = Unmanaged.passUnretained(self).toOpaque()
    map.initialize(to: LV2_URID_Map(handle: handle, map: mapURI))
    unmap.initialize(to: LV2_URID_Unmap(handle: handle, unmap: unmapURID))
    let first = number(of: Name.midiEvent)
    assert(first == EventHeader.midi, "MIDI has its number")
  }

  /// The number of a URI, 1 or more; the same for ever.
  func number(of uri: String) -> UInt32 {
    lock.locked {
      if let number = numbers[uri] { return number }
      let number = Self.host?.number(of: uri) ?? UInt32(names.count + 1)
      names[number] = strdup(uri)
      numbers[uri] = number
      return number
    }
  }

  /// The URI of a number, for ever at this address; nil for a number nobody was given.
  func name(of number: UInt32) -> UnsafePointer<CChar>? {
    lock.locked {
      if names[number] == nil, let uri = Self.host?.uri(of: number) {
        names[number] = strdup(uri)
        numbers[uri] = number
      }
      return names[number].map { UnsafePointer($0) }
    }
  }

  /// A URI at an address that stays.
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
