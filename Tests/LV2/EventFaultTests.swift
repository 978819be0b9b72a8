// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletLV2

/// Corrections of the events that plugins send.
@Suite struct EventFaultTests {
  @Test func `events out of order or outside the block are moved, and reported once`() throws {
    let folder = try FixtureFolder()
    let ports = FixtureFolder.port(
      0, "out", "lv2:OutputPort, atom:AtomPort", "; atom:supports midi:MidiEvent")
    let uri = try folder.add(
      "jumbled", ports: ports,
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          static const int64_t frames[] = {3, 20, 10, -5, 40, 64, 1000};
          Self *s = h; LV2_URID_Map *map = feature(s->features, LV2_URID__map);
          LV2_Atom_Sequence *out = (void *)s->port[0];
          out->atom.type = map->map(map->handle, LV2_ATOM__Sequence);
          out->atom.size = sizeof(LV2_Atom_Sequence_Body) + 7 * 24 + 8;
          LV2_Atom_Event *event = (LV2_Atom_Event *)(out + 1);
          for (int k = 0; k < 7; ++k) {
            event->time.frames = frames[k];
            event->body.type = map->map(map->handle, "http://lv2plug.in/ns/ext/midi#MidiEvent");
            event->body.size = 3;
            unsigned char *bytes = (unsigned char *)(event + 1);
            bytes[0] = 0x90; bytes[1] = k; bytes[2] = 1;
            event = (LV2_Atom_Event *)((char *)event + 24);
          }
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri)
    rig.play([], frames: 64, blocks: [64])
    #expect(rig.sent.map(\.frame) == [3, 20, 20, 20, 40, 63, 63])
    #expect(rig.sent.map { $0.bytes[1] } == [0, 1, 2, 3, 4, 5, 6])
    #expect(
      processor.takeEventFaults() == [
        "sent events out of order or outside of their block; they were moved to the nearest frame that is allowed"
      ])
    // Not reported again for every block.
    rig.play([], frames: 64, blocks: [64])
    #expect(processor.takeEventFaults().isEmpty && processor.takeFaults().isEmpty)
  }

  @Test func `an event without a time stamp gets the time of the one before it`() throws {
    let folder = try FixtureFolder()
    let ports = FixtureFolder.port(0, "out", "lv2:OutputPort, atom:AtomPort")
    let uri = try folder.add(
      "unstamped", ports: ports,
      code: """
        #include <lv2/atom/forge.h>
        INSTANTIATE(start) { return make(rate, features); }
        static void object(LV2_Atom_Forge *forge, int value) {
          LV2_Atom_Forge_Frame frame;
          lv2_atom_forge_object(forge, &frame, 0, 7);
          lv2_atom_forge_key(forge, 8);
          lv2_atom_forge_int(forge, value);
          lv2_atom_forge_pop(forge, &frame);
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_Atom_Forge forge; LV2_Atom_Forge_Frame frame;
          lv2_atom_forge_init(&forge, feature(s->features, LV2_URID__map));
          lv2_atom_forge_set_buffer(&forge, (void *)s->port[0], ((LV2_Atom *)s->port[0])->size);
          lv2_atom_forge_sequence_head(&forge, &frame, 0);
          lv2_atom_forge_frame_time(&forge, 3);
          object(&forge, 1);
          object(&forge, 2);
          lv2_atom_forge_frame_time(&forge, 10);
          object(&forge, 3);
          object(&forge, 4);
          if (s->state[0]++) ((LV2_Atom *)s->port[0])->size -= 8;
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(uri)
    rig.play([], frames: 64, blocks: [64])
    let object = URIDMap.shared.number(of: "http://lv2plug.in/ns/ext/atom#Object")
    #expect(rig.sent.map(\.frame) == [3, 3, 10, 10])
    #expect(rig.sent.map(\.type) == [object, object, object, object])
    // The value is behind the headers of object and key.
    #expect(rig.sent.map { $0.bytes[24] } == [1, 2, 3, 4])
    #expect(
      processor.takeEventFaults() == [
        "sent an event without a time stamp; it got the time of the event before it"
      ])
    // The last event of the second block is incomplete.
    rig.play([], frames: 64, blocks: [64])
    #expect(
      processor.takeEventFaults() == [
        "sent more events than the buffer holds, or an incomplete one; the rest was dropped"
      ])
  }

  @Test(arguments: [false, true])
  func `a sequence that states more bytes than its buffer has is read up to the buffer's end`(isolated: Bool)
    throws
  {
    let folder = try FixtureFolder()
    let uri = try folder.add(
      "overflowing",
      ports: FixtureFolder.port(0, "out", "lv2:OutputPort, atom:AtomPort", "; atom:supports midi:MidiEvent"),
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; LV2_URID_Map *map = feature(s->features, LV2_URID__map);
          LV2_Atom_Sequence *out = (void *)s->port[0];
          char *event = (char *)(out + 1), *end = (char *)(&out->atom + 1) + out->atom.size;
          for (int k = 0; event + 24 <= end; ++k, event += 24) {
            *(LV2_Atom_Event *)event = (LV2_Atom_Event){
              {.frames = 5}, {3, map->map(map->handle, "http://lv2plug.in/ns/ext/midi#MidiEvent")}};
            memcpy(event + 16, (unsigned char[]){0x90, k & 127, 1, 0, 0, 0, 0, 0}, 8);
          }
          out->atom.type = map->map(map->handle, LV2_ATOM__Sequence);
          memset(&out->body, 0, sizeof out->body);
          out->atom.size = s->state[0]++ ? 0xFFFFFFF0u : 1 << 20;
        }
        EXPORT(start, 0, run, 0)
        """)
    let (processor, rig) = try folder.world.rig(
      uri,
      PluginLayout(
        sampleRate: 48_000, longestBlock: 64, channels: 1, isOffline: true,
        isolation: isolated ? PluginIsolation() : nil))
    rig.play([], frames: 128, blocks: [64])
    // A buffer of 16,384 bytes with a header of 16 holds 682 events of 24.
    #expect(rig.sent.count == 2 * 682 && rig.sent.allSatisfy { $0.bytes.count == 3 })
    #expect(rig.sent.map(\.frame) == Array(repeating: 5, count: 682) + Array(repeating: 69, count: 682))
    // The size that another process states is corrected when it is copied.
    #expect(processor.takeEventFaults().count == (isolated ? 0 : 1))
    #expect(processor.takeFaults().isEmpty)
  }
}
