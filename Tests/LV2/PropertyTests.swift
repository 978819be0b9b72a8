// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Plugin parameters without a port: set by messages or with the state, and read back.
@Suite struct PropertyTests {
  private static let params = "http://lv2plug.in/plugins/eg-params"

  /// One value of each type in LV2's example plugin.
  private static let values: [(symbol: String, value: PropertyValue)] = [
    ("int", .int(-2_147_483_647)), ("long", .long(1 << 60 + 1)), ("float", .float(0.1)),
    ("double", .double(0.1)), ("bool", .bool(true)), ("string", .text("größer \"so\"\n")),
    ("path", .path("/tmp/ä b.wav")),
  ]

  private func property(_ symbol: String, of info: ProcessorInfo) throws -> ProcessorInfo.Property {
    try #require(info.property(symbol))
  }

  /// Returns the value of a property that the plugin's first instance saves.
  private func saved(_ property: ProcessorInfo.Property, _ processor: PluginProcessor) -> PropertyValue? {
    let body = processor.body
    let state = StateSnapshot(savedBy: body.instances[0], paths: PathFeatures(body.files))
    return state?[URIDMap.shared.number(of: property.uri)].flatMap {
      PropertyValue(type: $0.type, body: UnsafeRawBufferPointer($0.bytes))
    }
  }

  @Test func `values of every type reach an idle plugin before its first block`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let (processor, _) = try PluginWorld.shared.rig(Self.params)
    for (symbol, value) in Self.values {
      let property = try property(symbol, of: info)
      try processor.set(property: property.number, to: value, isPlaying: { false })
      #expect(saved(property, processor) == value)
      #expect(processor.value(ofProperty: property.number) == value)
    }
  }

  @Test func `a plugin without a state is queried for a property, and answers in its next block`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "asked",
      ports: [
        FixtureFolder.port(
          0, "control", "lv2:InputPort, atom:AtomPort",
          "; lv2:designation lv2:control ; atom:bufferType atom:Sequence ; atom:supports patch:Message"),
        FixtureFolder.port(
          1, "notify", "lv2:OutputPort, atom:AtomPort",
          "; lv2:designation lv2:control ; atom:bufferType atom:Sequence ; atom:supports patch:Message"),
      ].joined(separator: " , "),
      more:
        "; lv2:requiredFeature urid:map ; patch:writable <urn:asked#level> . "
        + "<urn:asked#level> a lv2:Parameter ; rdfs:label \"level\" ; rdfs:range atom:Float", code: Self.asked
    )
    let info = try folder.world.info(uri: uri)
    let (processor, rig) = try folder.world.rig(uri)
    let level = try property("level", of: info)
    #expect(processor.value(ofProperty: level.number) == nil)
    rig.play([], frames: 64, blocks: [64])
    #expect(processor.value(ofProperty: level.number) == .float(0.625))
  }

  /// A plugin that answers a `patch:Get` with a `patch:Set`.
  private static let asked = """
    #include <lv2/atom/forge.h>
    #include <lv2/patch/patch.h>
    INSTANTIATE(start) { return make(rate, features); }
    static LV2_URID urid(Self *s, const char *uri) {
      LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; LV2_Atom_Forge f; LV2_Atom_Forge_Frame all, set;
      const LV2_Atom_Sequence *in = (const LV2_Atom_Sequence *)s->port[0];
      LV2_Atom *out = (LV2_Atom *)s->port[1];
      lv2_atom_forge_init(&f, feature(s->features, LV2_URID__map));
      lv2_atom_forge_set_buffer(&f, (uint8_t *)out, out->size + 8);
      lv2_atom_forge_sequence_head(&f, &all, 0);
      LV2_ATOM_SEQUENCE_FOREACH(in, event) {
        const LV2_Atom_Object *o = (const LV2_Atom_Object *)&event->body; const LV2_Atom_URID *key = 0;
        if (o->body.otype != urid(s, LV2_PATCH__Get)) continue;
        lv2_atom_object_get(o, urid(s, LV2_PATCH__property), &key, 0);
        if (!key || key->body != urid(s, "urn:asked#level")) continue;
        lv2_atom_forge_frame_time(&f, 0);
        lv2_atom_forge_object(&f, &set, 0, urid(s, LV2_PATCH__Set));
        lv2_atom_forge_key(&f, urid(s, LV2_PATCH__property)); lv2_atom_forge_urid(&f, key->body);
        lv2_atom_forge_key(&f, urid(s, LV2_PATCH__value)); lv2_atom_forge_float(&f, 0.625f);
        lv2_atom_forge_pop(&f, &set);
      }
      lv2_atom_forge_pop(&f, &all);
    }
    EXPORT(start, 0, run, 0)
    """

  @Test func `values of every type reach a playing plugin as messages in its next block`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let (processor, rig) = try PluginWorld.shared.rig(Self.params)
    rig.play([], frames: 64, blocks: [64])
    for (symbol, value) in Self.values {
      let property = try property(symbol, of: info)
      try processor.set(property: property.number, to: value, isPlaying: { true })
      #expect(saved(property, processor) != value, "\(symbol): only the audio thread brings it")
    }
    rig.play([], frames: 64, blocks: [64])
    for (symbol, value) in Self.values {
      #expect(saved(try property(symbol, of: info), processor) == value, "\(symbol)")
    }
  }

  @Test func `a numeric property is set by its parameter number, and glides`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let (processor, rig) = try PluginWorld.shared.rig(Self.params)
    let float = try property("float", of: info), bool = try property("bool", of: info)
    #expect(info.parameters.map(\.symbol).sorted() == ["bool", "double", "float", "int", "long", "spring"])
    processor.set(float.number, to: 2.5, over: 0)
    processor.set(bool.number, to: 1, over: 0)
    rig.play([], frames: 16, blocks: [16])
    #expect(saved(float, processor) == .float(2.5) && saved(bool, processor) == .bool(true))
    processor.set(float.number, to: 4.5, over: 64)
    var seen: [PropertyValue?] = []
    for _ in 0..<5 {
      rig.play([], frames: 16, blocks: [16])
      seen.append(saved(float, processor))
    }
    #expect(seen == [.float(3), .float(3.5), .float(4), .float(4.5), .float(4.5)])
  }

  @Test func `property values that a plugin reports are read back`() throws {
    let info = try PluginWorld.shared.info(uri: Self.params)
    let (processor, rig) = try PluginWorld.shared.rig(Self.params)
    let spring = try property("spring", of: info)
    try processor.set(property: spring.number, to: .float(1), isPlaying: { true })
    rig.play([], frames: 4800, blocks: [480])
    // The spring falls back by itself, and the plugin reports its value.
    guard case .float(let now)? = processor.value(ofProperty: spring.number) else {
      Issue.record("nothing was reported")
      return
    }
    #expect(0 < now && now < 1)
    #expect(saved(spring, processor) == .float(now))
  }

  @Test func `property values survive the replacement of an instance`() throws {
    let folder = try FixtureFolder()
    // A plugin that depends on the block length and saves no state: the host must send the value again.
    let uri = try folder.add(
      "forgetful", ports: Self.ports,
      more: "; lv2:requiredFeature bufsz:fixedBlockLength, urid:map ; patch:writable <urn:test#level>",
      code: Self.keeper)
    try folder.write(
      FixtureFolder.prefixes + "<urn:test#level> a lv2:Parameter ; rdfs:range atom:Float .",
      to: "forgetful.lv2/level.ttl")
    var text = try String(contentsOfFile: folder.path + "/forgetful.lv2/manifest.ttl", encoding: .utf8)
    text = text.replacing("<forgetful.ttl>", with: "<forgetful.ttl>, <level.ttl>")
    try folder.write(text, to: "forgetful.lv2/manifest.ttl")
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256, period: 64, channels: 1)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let info = try folder.world.info(uri: uri)
    let level = try property("level", of: info)
    try processor.set(property: level.number, to: .float(0.25), isPlaying: { false })
    let one = [Float](repeating: 1, count: 64)
    #expect((rig.play([one], blocks: [64])[0] == one.map { $0 * 0.25 }) as Bool)
    guard case .made = try processor.refit(to: 128, isPlaying: { true }) else {
      Issue.record("the plugin was not made anew")
      return
    }
    let late = [Float](repeating: 1, count: 128 * 40)
    let sound = rig.play([late], blocks: [128])[0]
    #expect(processor.finishRefit(isPlaying: { true }))
    #expect((sound.suffix(128).allSatisfy { $0 == 0.25 }) as Bool)
  }

  @Test func `port symbols take precedence over properties of the same name`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "clash", ports: Self.ports,
      more: "; patch:writable <urn:test#in>, <urn:other/in>, <urn:test#other>")
    let info = try folder.world.info(uri: uri)
    #expect(info.properties.map(\.symbol) == ["in_2", "in_3", "other"])
    #expect(info.properties.map(\.number) == [3, 4, 5])
    #expect(info.property("urn:other/in")?.symbol == "in_2")
  }

  private static let ports =
    FixtureFolder.throughPorts + " , "
    + FixtureFolder.port(
      2, "control", "lv2:InputPort, atom:AtomPort",
      "; atom:bufferType atom:Sequence ; atom:supports patch:Message ; lv2:designation lv2:control")

  /// A plugin that multiplies by the value of the last `patch:Set`.
  private static let keeper = """
    #include <lv2/patch/patch.h>
    INSTANTIATE(start) { Self *self = make(rate, features); *(float *)&self->state[0] = 1; return self; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      const LV2_Atom_Sequence *in = (const LV2_Atom_Sequence *)s->port[2];
      LV2_URID_Map *map = feature(s->features, LV2_URID__map);
      LV2_ATOM_SEQUENCE_FOREACH(in, event) {
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
        if (object->body.otype != map->map(map->handle, LV2_PATCH__Set)) continue;
        const LV2_Atom *value = 0;
        lv2_atom_object_get(object, map->map(map->handle, LV2_PATCH__value), &value, 0);
        if (value) *(float *)&s->state[0] = ((const LV2_Atom_Float *)value)->body;
      }
      for (uint32_t k = 0; k < n; ++k) s->port[1][k] = s->port[0][k] * *(float *)&s->state[0];
    }
    EXPORT(start, 0, run, 0)
    """

  @Test(arguments: [false, true])
  func `a vector reaches the plugin with its state or by a message, and is read back`(isolated: Bool) throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "curved", ports: Self.ports,
      more: """
        ; lv2:requiredFeature urid:map ; lv2:extensionData state:interface ; patch:writable <urn:test#curve> .
        <urn:test#curve> a lv2:Parameter ; rdfs:label "curve" ; rdfs:range atom:Vector
        """, code: Self.curved)
    let layout = PluginLayout(
      sampleRate: 48_000, longestBlock: 64, channels: 1,
      isolation: isolated ? PluginIsolation(deadline: 5) : nil)
    let curve = try property("curve", of: folder.world.info(uri: uri))
    #expect(curve.kind == .vector)
    let (processor, rig) = try folder.world.rig(uri, layout)
    let floats = try curve.value(of: "[0.5, -2, 3.25]"), ints = try curve.value(of: "1 -2 3 4")
    try processor.set(property: curve.number, to: floats, isPlaying: { false })
    #expect(saved(curve, processor) == floats && processor.value(ofProperty: curve.number) == floats)
    let silence = [[Float](repeating: 0, count: 5)]
    #expect(rig.play(silence) == [[0.5, -2, 3.25, 0, 0]])
    try processor.set(property: curve.number, to: ints, isPlaying: { true })
    #expect(saved(curve, processor) == floats)
    #expect(rig.play(silence) == [[1, -2, 3, 4, 0]])
    #expect(saved(curve, processor) == ints && processor.value(ofProperty: curve.number) == ints)
    try processor.save(stateTo: folder.path + "/curve.state", isPlaying: { false })
    let (other, otherRig) = try folder.world.rig(uri, layout)
    try other.load(stateFrom: folder.path + "/curve.state", isPlaying: { false })
    #expect(saved(curve, other) == ints && otherRig.play(silence) == [[1, -2, 3, 4, 0]])
  }

  /// A plugin that outputs the elements of its vector in the first frames of each block.
  private static let curved = """
    #include <lv2/patch/patch.h>
    typedef struct { uint32_t size; struct { LV2_Atom_Vector_Body head; uint32_t items[16]; } body; } Curve;
    INSTANTIATE(start) { Self *s = make(rate, features); s->state[0] = (long)calloc(1, sizeof(Curve)); return s; }
    static LV2_URID urid(Self *s, const char *uri) {
      LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
    }
    static void keep(Self *s, const void *body, uint32_t size) {
      Curve *curve = (Curve *)s->state[0];
      if (size > sizeof curve->body) return;
      memcpy(&curve->body, body, curve->size = size);
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; Curve *curve = (Curve *)s->state[0];
      LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)s->port[2], event) {
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body; const LV2_Atom *value = 0;
        if (object->body.otype != urid(s, LV2_PATCH__Set)) continue;
        lv2_atom_object_get(object, urid(s, LV2_PATCH__value), &value, 0);
        if (value && value->type == urid(s, LV2_ATOM__Vector)) keep(s, value + 1, value->size);
      }
      memset(s->port[1], 0, n * sizeof(float));
      int count = curve->size < 8 ? 0 : (curve->size - 8) / 4;
      for (int k = 0; k < count && k < n; ++k) {
        float real; memcpy(&real, curve->body.items + k, 4);
        s->port[1][k] = curve->body.head.child_type == urid(s, LV2_ATOM__Int) ? (int32_t)curve->body.items[k] : real;
      }
    }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r, uint32_t flags,
      const LV2_Feature *const *f) {
      Self *s = h; Curve *curve = (Curve *)s->state[0];
      return store(r, urid(s, "urn:test#curve"), &curve->body, curve->size < 8 ? 8 : curve->size,
        urid(s, LV2_ATOM__Vector), LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
    }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *f) {
      Self *s = h; size_t size; uint32_t type, kind;
      const void *body = retrieve(r, urid(s, "urn:test#curve"), &size, &type, &kind);
      if (body) keep(s, body, size);
      return 0;
    }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    EXPORT(start, 0, run, extension)
    """
}
