// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLilv
import Foundation
import SwiftletGraph
import Testing

@testable import SwiftletLV2

/// Numbers and atoms of every type in states: saved as text, and read bit by bit.
@Suite struct StateAtomTests {
  private static let params = "http://lv2plug.in/plugins/eg-params"
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

  @Test func `lilv and the C library read each saved double bit by bit`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let double = try #require(info.property("double"))
    let (first, _) = try PluginWorld.shared.rig(Self.params)
    let (second, _) = try PluginWorld.shared.rig(Self.params)
    let edges = [0, 0.1, 1 / 3, .pi, 1e15 + 0.3, -5e-7, 123_456_789.123_456_789, 4_503_599_627_370_497.5]
    for round in 0..<200 {
      let value =
        round < edges.count ? edges[round] : Double.random(in: -1...1) * pow(10, Double(round % 50 - 25))
      try first.set(property: double.number, to: .double(value), isPlaying: { false })
      try first.save(stateTo: folder.path + "/double.state", isPlaying: { false })
      try second.load(stateFrom: folder.path + "/double.state", isPlaying: { false })
      let key = URIDMap.shared.number(of: double.uri)
      let read = saved(second)[key]?.withUnsafeBytes { $0.loadUnaligned(as: Double.self) }
      #expect(read?.bitPattern == value.bitPattern, "\(value)")
      let text = try String(contentsOfFile: folder.path + "/double.state/state.ttl", encoding: .utf8)
      let written = try #require(text.firstMatch(of: #/"([^"]*)"\^\^xsd:double/#)?.1)
      #expect(strtod(String(written), nil).bitPattern == value.bitPattern, "\(written)")
    }
  }

  @Test func `every number has a text that serd reads bit by bit`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite, (1e-290...1e290).contains(value.magnitude) else { continue }
      #expect(serd_strtod(SerdDecimal.text(of: value), nil) == value, "\(value)")
    }
    for _ in 0..<5000 {
      let value = Float(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(Float(serd_strtod(SerdDecimal.text(of: value), nil)) == value, "\(value)")
    }
  }

  @Test func `objects, tuples, sequences, vectors, chunks and URIDs are restored bit by bit`() throws {
    let uri = try folder.add(
      "atoms", ports: FixtureFolder.throughPorts,
      more: "; lv2:requiredFeature urid:map ; lv2:extensionData state:interface", code: Self.atoms)
    let (first, _) = try folder.world.rig(uri)
    let (second, _) = try folder.world.rig(uri)
    try first.save(stateTo: folder.path + "/atoms.state", isPlaying: { false })
    try second.load(stateFrom: folder.path + "/atoms.state", isPlaying: { false })
    let (kept, read) = (saved(first), saved(second))
    #expect(kept.count == 8)
    for (key, bytes) in kept {
      let name = URIDMap.shared.name(of: key).map { String(cString: $0) } ?? ""
      #expect(read[key] == bytes, "\(name)")
    }
  }

  /// A plugin that saves an atom of each type, or the atoms that it was restored with.
  private static let atoms = """
    #include <lv2/atom/forge.h>
    #include <lv2/midi/midi.h>
    INSTANTIATE(start) { return make(rate, features); }
    static void run(LV2_Handle h, uint32_t n) {}
    typedef struct { uint32_t key, type; size_t size; uint8_t bytes[512]; } Kept;
    static LV2_URID urid(Self *s, const char *uri) {
      LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
    }
    static const char *keys[] = {"urn:k#object", "urn:k#tuple", "urn:k#frames", "urn:k#beats", "urn:k#vector",
      "urn:k#chunk", "urn:k#name", "urn:k#empty"};
    static void build(Self *s, LV2_Atom_Forge *f, int which) {
      LV2_Atom_Forge_Frame frame, inner; uint8_t note[] = {0x90, 60, 100}; double d = 0.1234567890123456;
      float floats[] = {0.1f, -3.25f, 1e-20f};
      switch (which) {
      case 0:
        lv2_atom_forge_object(f, &frame, 0, urid(s, "urn:k#Thing"));
        lv2_atom_forge_key(f, urid(s, "urn:k#a")); lv2_atom_forge_int(f, -7);
        lv2_atom_forge_key(f, urid(s, "urn:k#b"));
        lv2_atom_forge_object(f, &inner, 0, urid(s, "urn:k#Part"));
        lv2_atom_forge_key(f, urid(s, "urn:k#c")); lv2_atom_forge_double(f, d);
        lv2_atom_forge_pop(f, &inner);
        lv2_atom_forge_pop(f, &frame); break;
      case 1:
        lv2_atom_forge_tuple(f, &frame);
        lv2_atom_forge_string(f, "a \\"word\\"", 8); lv2_atom_forge_long(f, 1L << 60); lv2_atom_forge_bool(f, 1);
        lv2_atom_forge_urid(f, urid(s, "urn:k#d")); lv2_atom_forge_float(f, 0.7f);
        lv2_atom_forge_pop(f, &frame); break;
      case 2: case 3:
        lv2_atom_forge_sequence_head(f, &frame, which == 2 ? 0 : urid(s, LV2_ATOM__beatTime));
        if (which == 2) lv2_atom_forge_frame_time(f, 480); else lv2_atom_forge_beat_time(f, d);
        lv2_atom_forge_atom(f, 3, urid(s, LV2_MIDI__MidiEvent)); lv2_atom_forge_write(f, note, 3);
        if (which == 2) lv2_atom_forge_frame_time(f, 960); else lv2_atom_forge_beat_time(f, 2.5);
        lv2_atom_forge_int(f, 5);
        lv2_atom_forge_pop(f, &frame); break;
      case 4: lv2_atom_forge_vector(f, 4, f->Float, 3, floats); break;
      case 5: lv2_atom_forge_atom(f, 3, f->Chunk); lv2_atom_forge_write(f, note, 3); break;
      case 6: lv2_atom_forge_urid(f, urid(s, "urn:k#e")); break;
      case 7: lv2_atom_forge_string(f, "", 0); break;
      }
    }
    static Kept *kept(Self *s) { return (Kept *)s->state[0]; }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *features) {
      Self *s = h;
      for (int k = 0; k < 8; ++k) {
        uint8_t bytes[512] = {0}; LV2_Atom *atom = (LV2_Atom *)bytes; LV2_Atom_Forge f;
        if (kept(s)) {
          Kept *one = kept(s) + k;
          if (one->key) store(r, one->key, one->bytes, one->size, one->type, LV2_STATE_IS_POD);
          continue;
        }
        lv2_atom_forge_init(&f, feature(s->features, LV2_URID__map));
        lv2_atom_forge_set_buffer(&f, bytes, sizeof bytes);
        build(s, &f, k);
        store(r, urid(s, keys[k]), atom + 1, atom->size, atom->type, LV2_STATE_IS_POD);
      }
      return 0;
    }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *features) {
      Self *s = h; s->state[0] = (long)calloc(8, sizeof(Kept));
      for (int k = 0; k < 8; ++k) {
        size_t size = 0; uint32_t type = 0, kind; const void *value = retrieve(r, urid(s, keys[k]), &size, &type, &kind);
        if (!value || size > 512) continue;
        kept(s)[k] = (Kept){urid(s, keys[k]), type, size}; memcpy(kept(s)[k].bytes, value, size);
      }
      return 0;
    }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    EXPORT(start, 0, run, extension)
    """
}
