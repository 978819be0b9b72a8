// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLilv
import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// States in folders: saved, moved, loaded, and read by lilv, as jalv does.
@Suite struct StateTests {
  private static let params = "http://lv2plug.in/plugins/eg-params"
  private static let sampler = "http://lv2plug.in/plugins/eg-sampler"
  private let folder: FixtureFolder

  init() throws {
    folder = try FixtureFolder()
    try folder.write("", to: "kept")
  }

  /// Returns what an instance saves, by key, except paths, which point to the state's folder after loading.
  private func saved(_ processor: PluginProcessor, instance: Int = 0) -> [UInt32: [UInt8]] {
    let body = processor.body
    let state = StateSnapshot(savedBy: body.instances[instance], paths: PathFeatures(body.files))
    let path = URIDMap.shared.number(of: Name.atomPath)
    let properties = (state?.properties ?? []).filter { $0.type != path }
    return Dictionary(uniqueKeysWithValues: properties.map { ($0.key, Array($0.bytes)) })
  }

  @Test func `a state is restored bit by bit`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let (first, _) = try PluginWorld.shared.rig(Self.params)
    let (second, _) = try PluginWorld.shared.rig(Self.params)
    let (third, _) = try PluginWorld.shared.rig(Self.params)
    var random = SystemRandomNumberGenerator()
    for round in 0..<50 {
      let values: [String: PropertyValue] = [
        "float": .float(Float.random(in: -1...1, using: &random) * pow(10, Float(round - 25))),
        "long": .long(.random(in: .min...(.max), using: &random)), "int": .int(.random(in: .min...(.max))),
        "string": .text("é \"\\\n\t <\(round)>"), "bool": .bool(round % 2 == 0),
      ]
      for (symbol, value) in values {
        let property = try #require(info.property(symbol))
        try first.set(property: property.number, to: value, isPlaying: { false })
      }
      try first.save(stateTo: folder.path + "/bits.state", isPlaying: { false })
      try second.load(stateFrom: folder.path + "/bits.state", isPlaying: { false })
      #expect(saved(first) == saved(second), "\(values)")
      // A state that has been restored and has not played yet is saved as it is.
      try second.save(stateTo: folder.path + "/again.state", isPlaying: { false })
      try third.load(stateFrom: folder.path + "/again.state", isPlaying: { false })
      #expect(saved(first) == saved(third), "\(values)")
    }
  }

  @Test func `a state contains its files, so that its folder can be moved`() throws {
    let hit = noise(500, seed: 5)
    try WaveFile.write([hit], rate: 48_000, to: folder.path + "/a hit.wav")
    let info = try PluginWorld.shared.info(uri: Self.sampler)
    let property = try #require(info.property("sample"))
    let (first, _) = try PluginWorld.shared.rig(Self.sampler)
    try first.set(property: property.number, to: .path(folder.path + "/a hit.wav"), isPlaying: { false })
    for _ in 0..<2 { try first.save(stateTo: folder.path + "/before", isPlaying: { false }) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/before")
    #expect(files.sorted() == ["a hit.wav", "manifest.ttl", "state.ttl"])
    try FileManager.default.moveItem(atPath: folder.path + "/before", toPath: folder.path + "/after")
    try FileManager.default.removeItem(atPath: folder.path + "/a hit.wav")
    let (second, rig) = try PluginWorld.shared.rig(Self.sampler)
    try second.load(stateFrom: folder.path + "/after", isPlaying: { false })
    let sound = rig.play([], frames: 1000, notes: [.init(frame: 256, bytes: [0x90, 60, 100])])[0]
    #expect((sound[256..<755].elementsEqual(hit[..<499])) as Bool)
  }

  @Test func `saving does not change the sound`() throws {
    let uri = try keeper("quiet", threadSafe: true)
    let sounds = try [false, true].map { saves in
      let (processor, rig) = try folder.world.rig(uri)
      return rig.play([noise(4096)], blocks: [64]) { _ in
        if saves {
          #expect(throws: Never.self) {
            try processor.save(stateTo: folder.path + "/quiet.state", isPlaying: { true })
          }
        }
      }
    }
    #expect((sounds[0] == sounds[1]) as Bool)
  }

  @Test func `each instance of a mono plugin keeps its own state`() throws {
    let uri = try keeper("pair", threadSafe: true)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 2)
    let (first, firstRig) = try folder.world.rig(uri, layout)
    let ones = [Float](repeating: 1, count: 64)
    // The state of each instance is its first sample.
    firstRig.play([ones.map { $0 * 0.5 }, ones.map { $0 * 0.25 }], blocks: [64])
    try first.save(stateTo: folder.path + "/pair.state", isPlaying: { false })
    let (second, rig) = try folder.world.rig(uri, layout)
    try second.load(stateFrom: folder.path + "/pair.state", isPlaying: { false })
    #expect(rig.play([ones, ones], blocks: [64]).map(\.[0]) == [0.5, 0.25])
  }

  @Test func `a plugin that must not be restored while it runs is crossfaded to a new instance`() throws {
    let uri = try keeper("swapped", threadSafe: false)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let ones = [Float](repeating: 1, count: 64)
    let (first, firstRig) = try folder.world.rig(uri, layout)
    firstRig.play([ones.map { $0 * 0.5 }], blocks: [64])
    try first.save(stateTo: folder.path + "/swapped.state", isPlaying: { false })
    let (second, rig) = try folder.world.rig(uri, layout)
    rig.play([ones], blocks: [64])
    let flag = Flag(), path = folder.path + "/swapped.state"
    let thread = Thread {
      _ = try? second.load(stateFrom: path, isPlaying: { true })
      flag.isSet.store(true, ordering: .releasing)
    }
    thread.start()
    var sound: [Float] = []
    for _ in 0..<2000 where !flag.isSet.load(ordering: .acquiring) {
      sound += rig.play([ones], blocks: [64])[0]
      usleep(1000)
    }
    let isDone = flag.isSet.load(ordering: .acquiring)
    #expect(isDone)
    #expect(sound.first == 1 && sound.last == 0.5)
    // A crossfade of 5 ms at 48 kHz: no step is larger than the fade's, and there is no gap.
    let steps = zip(sound, sound.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.5 / 240 * 1.1 && (sound.min() ?? 0) >= 0.5)
  }

  @Test func `lilv reads a saved state as jalv does`() throws {
    let uri = Self.params
    let info = try PluginWorld.shared.info(uri: uri)
    let float = try #require(info.property("float"))
    let (first, _) = try PluginWorld.shared.rig(uri)
    try first.set(property: float.number, to: .float(0.625), isPlaying: { false })
    try first.save(stateTo: folder.path + "/ours.state", isPlaying: { false })
    let world = PluginWorld.shared
    try world.lock.locked { () throws in try restore(first, float, in: world.lilv()) }
  }

  /// Restores a saved state with lilv.
  private func restore(
    _ first: PluginProcessor, _ float: ProcessorInfo.Property, in lilv: Lilv
  ) throws {
    let uri = Self.params, map = URIDMap.shared
    // As jalv does with -l.
    let read = try #require(
      lilv_state_new_from_file(lilv.world, map.map, nil, folder.path + "/ours.state/state.ttl"))
    #expect(Lilv.text(lilv_state_get_plugin_uri(read)) == uri)
    let (second, _) = try PluginWorld.shared.rig(uri)
    lilv_state_restore(read, second.body.instances[0].instance, nil, nil, 0, nil)
    #expect(saved(first)[map.number(of: float.uri)] == saved(second)[map.number(of: float.uri)])
    lilv_state_free(read)
  }

  @Test func `a folder without a state, or with that of another plugin, is refused`() throws {
    let (first, _) = try PluginWorld.shared.rig(Self.params)
    try first.save(stateTo: folder.path + "/params.state", isPlaying: { false })
    let (second, _) = try PluginWorld.shared.rig(Self.sampler)
    #expect {
      try second.load(stateFrom: folder.path + "/params.state", isPlaying: { false })
    } throws: { "\($0)".contains("it is a state of the plugin <\(Self.params)>") }
    #expect {
      try second.load(stateFrom: folder.path + "/nothing.state", isPlaying: { false })
    } throws: { "\($0)".contains("it has no file state.ttl") }
    try folder.write("<> a [", to: "torn.state/state.ttl")
    #expect {
      try second.load(stateFrom: folder.path + "/torn.state", isPlaying: { false })
    } throws: { "\($0)".contains("is not Turtle in line") }
  }

  /// A plugin that multiplies by its first input sample, which is its state.
  private func keeper(_ name: String, threadSafe: Bool) throws -> String {
    try folder.add(
      name,
      ports: FixtureFolder.throughPorts + " , "
        + FixtureFolder.port(2, "control", "lv2:InputPort, atom:AtomPort"),
      more: "; lv2:requiredFeature urid:map ; lv2:extensionData state:interface"
        + (threadSafe ? " ; lv2:optionalFeature state:threadSafeRestore" : ""),
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static LV2_URID urid(Self *s, const char *uri) {
          LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; float *level = (float *)&s->state[0];
          if (!s->state[1]) { s->state[1] = 1; *level = s->port[0][0]; }
          for (uint32_t k = 0; k < n; ++k) s->port[1][k] = s->port[0][k] * *level;
        }
        static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r,
          uint32_t flags, const LV2_Feature *const *f) {
          Self *s = h;
          return store(r, urid(s, "urn:test#level"), &s->state[0], 4, urid(s, LV2_ATOM__Float),
            LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
        }
        static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
          uint32_t flags, const LV2_Feature *const *f) {
          Self *s = h; size_t size; uint32_t type, kind;
          const float *level = retrieve(r, urid(s, "urn:test#level"), &size, &type, &kind);
          if (level) { *(float *)&s->state[0] = *level; s->state[1] = 1; }
          return 0;
        }
        static const void *extension(const char *uri) {
          static const LV2_State_Interface state = {save, restore};
          return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
        }
        EXPORT(start, 0, run, extension)
        """)
  }
}

/// Whether a thread has finished.
private final class Flag: Sendable {
  let isSet = Atomic(false)
}
