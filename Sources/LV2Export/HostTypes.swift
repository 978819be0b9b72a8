// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// The host's URIDs of the types in event ports.
struct HostTypes: BitwiseCopyable {
  let sequence: UInt32, midi: UInt32
  /// The type of objects: the current one, and that of older hosts.
  let object: UInt32, blank: UInt32
  let int: UInt32, long: UInt32, float: UInt32, double: UInt32
  let position: UInt32, frame: UInt32, speed: UInt32, bar: UInt32, barBeat: UInt32
  let beatUnit: UInt32, beatsPerBar: UInt32, beatsPerMinute: UInt32

  /// Maps the URIs; nil if the host does not map URIDs and so has no event ports either.
  init?(_ map: LV2_URID_Map?) {
    guard let map = unsafe map else { return nil }
    func number(_ name: String) -> UInt32 { unsafe map.number("http://lv2plug.in/ns/ext/" + name) }
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
  }
}
