// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Faults known from other hosts, which a plugin looks for and does not find.
///
/// Other known faults are tested elsewhere: locks and sockets on the audio thread, and plans that are not exchanged
/// as a whole (RealtimeSanitizer in all tests, `GraphTests`); latency in both directions (`JackTests`); bypass of
/// plugins without `lv2:enabled` (`GraphTests`); a state for each instance of a pair, and `restore` beside `run`
/// (`StateTests`); the handle passed to `end_run` (`WorkTests`); names of unknown nodes (`ManifestTests`).
@Suite struct OtherHostsTests {
  private static let event = "lv2:InputPort, atom:AtomPort", output = "lv2:OutputPort, lv2:ControlPort"

  /// Ports with an event input that has neither `lv2:control` nor a buffer size. The only required feature is
  /// `urid:map`.
  private static let ports =
    FixtureFolder.throughPorts + " , "
    + [
      FixtureFolder.port(
        2, "events", event, "; atom:bufferType atom:Sequence ; atom:supports midi:MidiEvent"),
      FixtureFolder.port(3, "told", "lv2:OutputPort, atom:AtomPort", "; atom:bufferType atom:Sequence"),
      FixtureFolder.port(4, "latency", output, "; lv2:designation lv2:latency"),
      FixtureFolder.port(5, "seen", output), FixtureFolder.port(6, "outside", output),
      FixtureFolder.port(7, "unlike", output),
    ].joined(separator: " , ")

  private static let code = """
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      const LV2_Options_Option *option = feature(features, LV2_OPTIONS__options);
      LV2_URID_Map *map = feature(features, LV2_URID__map);
      if (!map) return 0;
      s->state[4] = map->map(map->handle, LV2_ATOM__Sequence);
      for (; option && option->key; ++option)
        if (option->key == map->map(map->handle, LV2_BUF_SIZE__minBlockLength)) s->state[3] = *(const int *)option->value;
      return s;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      memmove(s->port[1], s->port[0], n * sizeof(float));
      const LV2_Atom_Sequence *in = (const void *)s->port[2];
      LV2_Atom_Sequence *out = (void *)s->port[3];
      if (in) LV2_ATOM_SEQUENCE_FOREACH(in, event) {
        s->state[0]++;
        if (event->time.frames < 0 || event->time.frames >= n) s->state[1]++;
      }
      if (out->atom.size < sizeof(LV2_Atom_Sequence_Body)) s->state[1]++;
      out->atom.type = s->state[4];
      out->atom.size = sizeof(LV2_Atom_Sequence_Body);
      memset(&out->body, 0, sizeof out->body);
      if (s->state[3] && n != s->state[3]) s->state[2]++;
      *s->port[4] = s->state[0] > 2 ? 24 : 8;
      for (int k = 0; k < 3; ++k) *s->port[5 + k] = s->state[k];
    }
    EXPORT(start, 0, run, 0)
    """

  @Test func `events are inside their block, and meters and a changed latency are read after it`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "looker", ports: Self.ports, more: "; lv2:requiredFeature urid:map", code: Self.code)
    let (processor, rig) = try folder.world.rig(
      uri, PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1))
    #expect(processor.latency.load(ordering: .relaxed) == 8)
    // The first and the last frame of blocks, and one in each part of a block that is split.
    let frames: [Int64] = [0, 63, 64, 127, 130, 150, 191, 255, 640]
    rig.play(
      [noise(1024)], blocks: [64], notes: frames.map { ProcessorRig.Note(frame: $0, bytes: [0x90, 60, 1]) })
    #expect((0..<2).map(rig.meter) == [Float(frames.count), 0])
    #expect(processor.latency.load(ordering: .relaxed) == 24)
  }

  @Test func `a guaranteed block length is kept`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "strictlooker", ports: Self.ports,
      more:
        "; lv2:requiredFeature urid:map , opts:options , bufsz:fixedBlockLength ; opts:requiredOption bufsz:minBlockLength",
      code: Self.code)
    let (_, rig) = try folder.world.rig(
      uri, PluginLayout(sampleRate: 48_000, longestBlock: 256, period: 128, channels: 1))
    rig.play(
      [noise(2048)], blocks: [128, 256], notes: [ProcessorRig.Note(frame: 70, bytes: [0x90, 60, 1])])
    #expect((0..<3).map(rig.meter) == [1, 0, 0])
  }

  @Test(arguments: [false, true])
  func `messages about properties have frames inside their block, in order`(isolated: Bool) throws {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "messagelooker",
      ports: FixtureFolder.throughPorts + " , "
        + [
          FixtureFolder.port(
            2, "control", Self.event,
            "; atom:bufferType atom:Sequence ; atom:supports patch:Message , midi:MidiEvent ; lv2:designation lv2:control"
          ),
          FixtureFolder.port(3, "outside", Self.output), FixtureFolder.port(4, "unordered", Self.output),
          FixtureFolder.port(5, "texts", Self.output), FixtureFolder.port(6, "heard", Self.output),
        ].joined(separator: " , "),
      more: """
        ; lv2:requiredFeature urid:map ; patch:writable <urn:looker#text> , <urn:looker#level> .
        <urn:looker#text> a lv2:Parameter ; rdfs:label "text" ; rdfs:range atom:String .
        <urn:looker#level> a lv2:Parameter ; rdfs:label "level" ; rdfs:range atom:Float
        """, code: Self.messageLooker)
    let info = try folder.world.info(uri: uri)
    let text = try #require(info.property("text")), level = try #require(info.property("level"))
    let (processor, rig) = try folder.world.rig(
      uri,
      PluginLayout(
        sampleRate: 48_000, longestBlock: 64, channels: 1,
        isolation: isolated ? PluginIsolation(deadline: 5) : nil))
    let notes = (0..<200).map { ProcessorRig.Note(frame: $0 * 5, bytes: [0x90, 60, 1]) }
    var blocks: Float = 0
    rig.play([noise(1024)], blocks: [64, 36, 1, 27], notes: notes) { _ in
      blocks += 1
      #expect(throws: Never.self) {
        try processor.set(property: text.number, to: .text("block"), isPlaying: { true })
      }
      // A glide splits blocks.
      processor.set(level.number, to: blocks, over: 50)
    }
    rig.play([noise(64)])
    #expect((0..<4).map(rig.meter) == [0, 0, blocks, blocks])
  }

  private static let messageLooker = """
    #include <lv2/patch/patch.h>
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      LV2_URID_Map *map = feature(features, LV2_URID__map);
      const char *keys[] = {LV2_PATCH__Set, LV2_PATCH__property, LV2_PATCH__value, "urn:looker#text", "urn:looker#level"};
      for (int k = 0; k < 5; ++k) s->state[10 + k] = map->map(map->handle, keys[k]);
      return s;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; int64_t last = 0;
      memmove(s->port[1], s->port[0], n * sizeof(float));
      LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)s->port[2], event) {
        if (event->time.frames < 0 || event->time.frames >= n) s->state[0]++;
        if (event->time.frames < last) s->state[1]++;
        last = event->time.frames;
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
        const LV2_Atom_URID *key = 0; const LV2_Atom *value = 0;
        if (object->body.otype != s->state[10]) continue;
        lv2_atom_object_get(object, (LV2_URID)s->state[11], &key, (LV2_URID)s->state[12], &value, 0);
        if (!key || !value) continue;
        if (key->body == s->state[13]) s->state[2]++;
        if (key->body == s->state[14]) s->state[3] = ((const LV2_Atom_Float *)value)->body;
      }
      for (int k = 0; k < 4; ++k) *s->port[3 + k] = s->state[k];
    }
    EXPORT(start, 0, run, 0)
    """
}
