// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// Features of older plugins: `uri-map`, `resize-port`, and the event ports before atoms.
@Suite struct OldExtensionTests {
  private static let control = "lv2:OutputPort, lv2:ControlPort"

  @Test func `uri-map returns the numbers of urid`() throws {
    let folder = try FixtureFolder()
    let ports =
      FixtureFolder.throughPorts + " , " + FixtureFolder.port(2, "midi", Self.control) + " , "
      + FixtureFolder.port(3, "same", Self.control)
    let uri = try folder.add(
      "mapped", ports: ports, more: "; lv2:requiredFeature <http://lv2plug.in/ns/ext/uri-map>, urid:map",
      code: """
        #include <lv2/uri-map/uri-map.h>
        #include <lv2/midi/midi.h>
        INSTANTIATE(start) {
          Self *s = make(rate, features);
          LV2_URI_Map_Feature *old = feature(features, LV2_URI_MAP_URI);
          LV2_URID_Map *map = feature(features, LV2_URID__map);
          const char *own = "urn:swiftlet:test:mapped#own";
          s->state[0] = old->uri_to_id(old->callback_data, "http://lv2plug.in/ns/ext/event", LV2_MIDI__MidiEvent);
          const uint32_t number = old->uri_to_id(old->callback_data, 0, own);
          s->state[1] = number && number == map->map(map->handle, own);
          return s;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; *s->port[2] = s->state[0]; *s->port[3] = s->state[1];
        }
        EXPORT(start, 0, run, 0)
        """)
    let (_, rig) = try folder.world.rig(uri)
    rig.play([[0]])
    #expect(rig.meter(0) == Float(EventHeader.midi) && rig.meter(1) == 1)
  }

  @Test func `resize-port enlarges an event buffer in instantiate, and states later what the buffers have`()
    throws
  {
    let folder = try FixtureFolder()
    let ports =
      FixtureFolder.throughPorts + " , "
      + FixtureFolder.port(2, "events", "lv2:OutputPort, atom:AtomPort", "; atom:bufferType atom:Sequence")
      + " , "
      + FixtureFolder.port(3, "early", Self.control) + " , " + FixtureFolder.port(4, "late", Self.control)
      + " , " + FixtureFolder.port(5, "room", Self.control)
    // Each digit is a status: 0 for success, 1 for an unknown port, 2 for too little space.
    let uri = try folder.add(
      "grown", ports: ports, more: "; lv2:requiredFeature rsz:resize",
      code: """
        #include <lv2/resize-port/resize-port.h>
        static int ask(Self *s, uint32_t port, size_t size) {
          LV2_Resize_Port_Resize *f = feature(s->features, LV2_RESIZE_PORT__resize);
          return f->resize(f->data, port, size);
        }
        INSTANTIATE(start) {
          Self *s = make(rate, features);
          const int sizes[] = {
            ask(s, 2, 100000), ask(s, 2, 50000), ask(s, 2, 1 << 25), ask(s, 0, 256), ask(s, 0, 257), ask(s, 3, 5), ask(s, 6, 1)};
          for (int i = 0; i < 7; ++i) s->state[0] = s->state[0] * 10 + sizes[i];
          return s;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; const LV2_Atom *events = (LV2_Atom *)s->port[2];
          *s->port[5] = events->size + sizeof *events;
          *s->port[3] = s->state[0];
          *s->port[4] = ask(s, 2, 100000) * 10 + ask(s, 2, 100001);
          ((LV2_Atom *)s->port[2])->size = 8;
        }
        EXPORT(start, 0, run, 0)
        """)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 1)
    let (_, rig) = try folder.world.rig(uri, layout)
    rig.play([[0]])
    #expect(rig.meter(0) == 2_0221 && rig.meter(1) == 2 && rig.meter(2) == 100_000)
  }

  @Test func `a plugin with an event port of the time before atoms is refused by the port's name and kind`()
    throws
  {
    let folder = try FixtureFolder()
    let port = FixtureFolder.port(2, "midi", "lv2:InputPort, <http://lv2plug.in/ns/ext/event#EventPort>")
    let uri = try folder.add("early", ports: FixtureFolder.throughPorts + " , " + port)
    #expect(
      try folder.world.info(uri: uri).refusal
        == "its port 'midi' is of a kind that Swiftlet does not support: http://lv2plug.in/ns/ext/event#EventPort"
    )
  }
}
