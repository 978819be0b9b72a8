// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import Foundation
import SwiftletGraph
import SwiftletSignal

@testable import SwiftletLV2
@testable import SwiftletLV2Export

extension FuzzTarget {
  /// The WAV files that exported plugins read.
  static let exportedWave = FuzzTarget(
    name: "exported-wave", format: .chunks(["RIFF", "RF64", "BW64", "WAVE", "fmt ", "data", "ds64"]),
    seeds: { [try FuzzFile.sound("a.wav", "16-bit"), try FuzzFile.sound("a.rf64", "32-float", frames: 50)] },
    feed: { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      defer { memory.deallocate() }
      memory.copyBytes(from: bytes)
      var file = WaveFile(UnsafeRawBufferPointer(memory))
      guard let sound = file.sound() else { return false }
      precondition(sound.channels.allSatisfy { $0.count == sound.frameCount && $0.allSatisfy(\.isFinite) })
      return true
    },
    plantedFault: { bytes in
      // The 64-bit size in an RF64 header, without a check.
      guard bytes.count >= 36, bytes.starts(with: Array("RF64".utf8)) else { return }
      let size = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 28, as: Int64.self) }
      precondition(size + 12 > 0)
    })

  /// The events that a host passes to an exported plugin: sequences, transport positions, `patch:Set`.
  static let atoms = FuzzTarget(
    name: "atoms", format: FuzzFormat(words: (1...30 as ClosedRange<UInt8>).map { [$0, 0, 0, 0] }),
    seeds: {
      [atomSeed(type: FuzzURIDs.number("time#Position")), atomSeed(type: FuzzURIDs.number("patch#Set"))]
    },
    feed: { bytes in
      guard let types = FuzzURIDs.host, bytes.count >= 16 else { return false }
      let patch = FuzzURIDs.patch
      // The host's memory ends where the sequence ends, and reads past it must not occur.
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      defer { memory.deallocate() }
      memory.copyBytes(from: bytes)
      memory.storeBytes(of: UInt32(bytes.count - 8), as: UInt32.self)
      memory.storeBytes(of: types.sequence, toByteOffset: 4, as: UInt32.self)
      guard let base = memory.baseAddress else { return false }
      var reader = SequenceReader(base, sequence: types.sequence)
      var hostTransport = HostTransport(sampleRate: 48_000)
      var count = 0
      while reader.hasEvent {
        hostTransport.take(reader.bytes, size: reader.size, types)
        hostTransport.advance(64)
        precondition(!hostTransport.transport.tempo.isNaN)
        if let message = PatchMessage(reader, patch) {
          precondition(message.pathLength < PatchMessage.longestPath)
        }
        reader.advance()
        count += 1
      }
      precondition(count <= bytes.count / 16)
      return count > 0
    },
    plantedFault: { bytes in
      // The bar of a position as a 32-bit number, although a host may pass any 64-bit number.
      guard
        let place = bytes.firstRange(of: withUnsafeBytes(of: FuzzURIDs.number("time#bar")) { Array($0) })?
          .lowerBound,
        place + 24 <= bytes.count
      else { return }
      let bar = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place + 16, as: Int64.self) }
      precondition(Int32(bar) + 1 > .min)
    })

  /// A sequence with one event: an object of a type with all properties of a position, and a path.
  private static func atomSeed(type: UInt32) -> [UInt8] {
    var object: [UInt8] = []
    func add(_ words: UInt32...) { for word in words { withUnsafeBytes(of: word) { object += $0 } } }
    add(0, type)
    for (key, kind) in [
      ("time#frame", "atom#Long"), ("time#bar", "atom#Long"), ("time#barBeat", "atom#Double"),
      ("time#speed", "atom#Float"), ("time#beatsPerMinute", "atom#Float"), ("patch#property", "atom#URID"),
      ("patch#subject", "atom#URID"), ("patch#value", "atom#Path"),
    ] {
      let value = key == "patch#property" ? FuzzURIDs.patch.file : FuzzURIDs.patch.plugin
      add(FuzzURIDs.number(key), 0, 8, FuzzURIDs.number(kind), value, 0)
    }
    var sequence: [UInt8] = []
    for word in [
      UInt32(24 + object.count), FuzzURIDs.number("atom#Sequence"), 0, 0, 3, 0, UInt32(object.count),
    ] {
      withUnsafeBytes(of: word) { sequence += $0 }
    }
    withUnsafeBytes(of: FuzzURIDs.number("atom#Object")) { sequence += $0 }
    return sequence + object
  }

  /// A bundle's Turtle, read by lilv, which is not instrumented.
  static let turtle = FuzzTarget(
    name: "turtle",
    format: .text(
      [
        "lv2:Plugin", "lv2:port", "lv2:index", "lv2:symbol", "lv2:minimum", "lv2:maximum", "lv2:default",
        "atom:AtomPort",
        "lv2:AudioPort", "lv2:InputPort", "lv2:ControlPort", "rsz:minimumSize", "lv2:scalePoint",
        "lv2:portProperty",
        "lv2:sampleRate", "9223372036854775807", "4294967295", "1e39", "\"\"\"", "<>", "_:b", "@en",
        "pset:Preset", "pset:value", "lv2:appliesTo", "state:state", "atom:Path", "xsd:base64Binary",
        "<urn:fuzz:one>",
        "^^",
      ], brackets: [(open: "[ a ", close: " ]"), (open: "( ", close: ")")]),
    seeds: { [Array(turtleSeed.utf8)] },
    feed: { bytes in
      var isAccepted = false
      withBundle(bytes) { world in
        for listing in (try? world.list()) ?? [] {
          guard let info = try? world.info(uri: listing.uri, sampleRate: 192_000) else { continue }
          isAccepted = isAccepted || listing.refusal == nil
          world.lock.locked {
            guard let lilv = try? world.lilv(), let model = try? world.model(uri: listing.uri) else { return }
            let own = PluginState(of: listing.uri, in: lilv, lock: world.lock)
            let presets = info.presets.map { try? world.states(ofPreset: $0.id, for: model, count: 1).first }
            for state in [own] + presets {
              precondition(state?.values.allSatisfy { $0.value.isFinite } ?? true)
            }
          }
        }
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // The size of an event port's buffer, rounded up without a check.
      withBundle(bytes) { world in
        guard let ports = try? world.model(uri: "urn:fuzz:one").ports else { return }
        for port in ports { precondition((port.minimumSize + 7) & ~7 >= 0) }
      }
    })

  private static let turtleSeed = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix rsz: <http://lv2plug.in/ns/ext/resize-port#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
    <urn:fuzz:one> a lv2:Plugin ; lv2:binary <a.so> ; doap:name "One" ; lv2:port
      [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:InputPort, lv2:ControlPort ; lv2:index 1 ; lv2:symbol "level" ; lv2:name "Level" ; lv2:default 0.5 ;
        lv2:minimum -1 ; lv2:maximum 1e3 ; lv2:portProperty lv2:integer, lv2:sampleRate ;
        lv2:scalePoint [ rdfs:label "off" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 0 ] ] ,
      [ a lv2:OutputPort, atom:AtomPort ; lv2:index 2 ; lv2:symbol "events" ; lv2:name "E" ; rsz:minimumSize 4096 ] .
    <urn:fuzz:loud> a pset:Preset ; lv2:appliesTo <urn:fuzz:one> ; rdfs:label "Loud" ;
      lv2:port [ lv2:symbol "level" ; pset:value 0.75 ] ;
      state:state [ <urn:fuzz:gain> 3 ; <urn:fuzz:file> "a.wav"^^atom:Path ;
        <urn:fuzz:list> [ a atom:Tuple ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> ( 1 2.5 true ) ] ] .
    """

  private static let bundleFolder = FileManager.default.temporaryDirectory.appending(
    path: "swiftlet-fuzz-\(UUID())")

  private static func withBundle(_ bytes: [UInt8], _ body: (PluginWorld) -> Void) {
    let bundle = bundleFolder.appending(path: "a.lv2")
    try? FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: bundleFolder) }
    try? Data(bytes).write(to: bundle.appending(path: "manifest.ttl"))
    body(PluginWorld(path: bundleFolder.path))
  }
}

/// Numbers (URIDs) of URIs, as a host would map them.
enum FuzzURIDs {
  private static let names = [
    "atom#Sequence", "midi#MidiEvent", "atom#Object", "atom#Blank", "atom#Int", "atom#Long", "atom#Float",
    "atom#Double", "time#Position", "time#frame", "time#speed", "time#bar", "time#barBeat", "time#beatUnit",
    "time#beatsPerBar", "time#beatsPerMinute", "atom#URID", "atom#Path", "atom#String", "patch#Set",
    "patch#Get",
    "patch#subject", "patch#property", "patch#value",
  ]
  nonisolated(unsafe) private static let map = LV2_URID_Map(handle: nil) { _, name in
    name.map { FuzzURIDs.number(String(cString: $0).split(separator: "/").last.map(String.init) ?? "") } ?? 0
  }

  /// The number of a name such as `atom#Int`; 25 for any other.
  static func number(_ name: String) -> UInt32 { UInt32((names.firstIndex(of: name) ?? names.count) + 1) }

  static let host = HostTypes(map)
  static let patch = PatchTypes(map, plugin: "plugin", file: "file")
}
