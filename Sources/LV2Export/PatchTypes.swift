// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// The host's URIDs for messages about files.
struct PatchTypes: BitwiseCopyable {
  let object: UInt32, blank: UInt32, sequence: UInt32
  let urid: UInt32, path: UInt32, string: UInt32
  let set: UInt32, get: UInt32, subject: UInt32, property: UInt32, value: UInt32
  /// The plugin, and its file property.
  let plugin: UInt32, file: UInt32

  init(_ map: LV2_URID_Map, plugin: String, file: String) {
    func number(_ name: String) -> UInt32 { unsafe map.number("http://lv2plug.in/ns/ext/" + name) }
    object = number("atom#Object")
    blank = number("atom#Blank")
    sequence = number("atom#Sequence")
    urid = number("atom#URID")
    path = number("atom#Path")
    string = number("atom#String")
    set = number("patch#Set")
    get = number("patch#Get")
    subject = number("patch#subject")
    property = number("patch#property")
    value = number("patch#value")
    unsafe self.plugin = map.number(plugin)
    unsafe self.file = map.number(file)
  }
}
