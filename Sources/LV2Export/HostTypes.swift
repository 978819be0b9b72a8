// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// The numbers that a host gives to the types in its event ports.
struct HostTypes: BitwiseCopyable {
  let sequence: UInt32, midi: UInt32
  /// An object, in today's word and in that of older hosts.
  let object: UInt32, blank: UInt32
  let int: UInt32, long: UInt32, float: UInt32, double: UInt32
  let position: UInt32, frame: UInt32, speed: UInt32, bar: UInt32, barBeat: UInt32
  let beatUnit: UInt32, beatsPerBar: UInt32, beatsPerMinute: UInt32

  /// Asks the host by its `urid:map`; nil where it has none, and so no event ports either.
  @unsafe init?(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    guard var next = unsafe features else { return nil }
    while let feature = unsafe next.pointee {
      if unsafe Self.isMap(feature.pointee.URI), let data = unsafe feature.pointee.data {
        let map = unsafe data.assumingMemoryBound(to: LV2_URID_Map.self).pointee
        guard let ask = unsafe map.map else { return nil }
        let handle = unsafe map.handle, extensions = "http://lv2plug.in/ns/ext/"
        func number(_ name: String) -> UInt32 {
          unsafe (extensions + name).withCString { unsafe ask(handle, $0) }
        }
        sequence = number("atom#Sequence")
        midi = number("midi#MidiEvent")
        object = number("atom#Object")
        blank = number("atom#Blank")
        int = number("atom#Int")
        long = number("atom#Long")
        float = number("atom#Float")
        double = number("atom#Double")
        position = number("time#Position")
        frame = number("time#frame")
        speed = number("time#speed")
        bar = number("time#bar")
        barBeat = number("time#barBeat")
        beatUnit = number("time#beatUnit")
        beatsPerBar = number("time#beatsPerBar")
        beatsPerMinute = number("time#beatsPerMinute")
        return
      }
      unsafe next += 1
    }
    return nil
  }

  @unsafe private static func isMap(_ name: UnsafePointer<CChar>?) -> Bool {
    guard let name = unsafe name else { return false }
    let wanted = Array("http://lv2plug.in/ns/ext/urid#map".utf8) + [0]
    for (place, byte) in wanted.enumerated() where unsafe UInt8(bitPattern: name[place]) != byte {
      return false
    }
    return true
  }
}
