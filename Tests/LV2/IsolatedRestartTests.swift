// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletLV2

extension FixtureFolder {
  /// Adds a plugin that passes sound on, and aborts in a block that begins with 0.25. After that it is not made again
  /// before the file `again` exists.
  func addFragile() throws -> String {
    try add(
      "fragile", ports: FixtureFolder.throughPorts,
      code: """
        #include <fcntl.h>
        #include <unistd.h>
        INSTANTIATE(start) {
          while (!access("\(path)/failed", F_OK) && access("\(path)/again", F_OK)) usleep(1000);
          return make(rate, features);
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *self = h;
          if (self->port[0][0] == 0.25f) {
            close(open("\(path)/failed", O_CREAT | O_WRONLY, 0600));
            abort();
          }
          memcpy(self->port[1], self->port[0], n * sizeof(float));
        }
        EXPORT(start, 0, run, 0)
        """)
  }
}

/// Isolated plugins that fail while they play, and are restarted.
@Suite(.timeLimit(.minutes(5))) struct IsolatedRestartTests {
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  /// A layout without added latency, with a deadline that is long enough for a processor with other work.
  private func layout(_ failure: PluginIsolation.Failure = .mute) -> PluginLayout {
    PluginLayout(
      sampleRate: 48_000, longestBlock: 256, channels: 1,
      isolation: PluginIsolation(onFailure: failure, deadline: 5))
  }

  /// Plays quiet blocks until the process has reported an event, for ten seconds at most. Returns all events until
  /// then.
  private func play(
    _ rig: ProcessorRig, _ processor: PluginProcessor, until isLast: (PluginProcessEvent) -> Bool
  ) -> [PluginProcessEvent] {
    let end = ContinuousClock.now + .seconds(20)
    var events = processor.takeProcessEvents()
    while !events.contains(where: isLast), .now < end {
      rig.play([[Float](repeating: 0.125, count: 256)])
      usleep(1000)
      events += processor.takeProcessEvents()
    }
    return events
  }

  @Test(arguments: [PluginIsolation.Failure.mute, .bypass])
  func `the block in which a plugin fails ramps to silence or to the input`(
    _ failure: PluginIsolation.Failure
  )
    throws
  {
    let (processor, rig) = try folder.world.rig(folder.addFragile(), layout(failure))
    // Blocks of 256, 64 and 192 frames; it fails in one of 192.
    let fatal = 3 * 512 + 320, length = 192
    var sound = noise(8 * 512)
    sound[fatal] = 0.25
    let output = rig.play([sound], blocks: [256, 64, 192])[0]
    #expect((output[..<fatal].elementsEqual(sound[..<fatal])) as Bool)
    let last = sound[fatal - 1], isBypassed = failure == .bypass
    for frame in 0..<length {
      let share = Float(frame + 1) / Float(length)
      let due = last * (1 - share) + (isBypassed ? sound[fatal + frame] * share : 0)
      #expect(abs(output[fatal + frame] - due) < 1e-6, "frame \(frame)")
    }
    let rest = sound[(fatal + length)...].map { isBypassed ? $0 : 0 }
    #expect((output[(fatal + length)...].elementsEqual(rest)) as Bool)
    try folder.write("", to: "again")
    let events = play(rig, processor) { $0 == .restarted }
    #expect(events.count == 2 && events.last == .restarted, "\(events)")
    // After the crossfade the plugin is heard alone, in the same cycle.
    rig.play([[Float](repeating: 0.125, count: 100 * 256)])
    let again = noise(1024, seed: 9)
    #expect((rig.play([again])[0] == again) as Bool)
  }

  /// Adds a plugin that outputs `input * gain * level + shift`: a port, its state, and a property. In a block that
  /// begins with 0.25 it prints two lines and aborts.
  private func addKeeper() throws -> String {
    try folder.add(
      "keeper",
      ports: FixtureFolder.throughPorts + " , "
        + [
          FixtureFolder.port(
            2, "gain", "lv2:InputPort, lv2:ControlPort",
            "; lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 4.0"),
          FixtureFolder.port(
            3, "control", "lv2:InputPort, atom:AtomPort",
            "; atom:bufferType atom:Sequence ; atom:supports patch:Message ; lv2:designation lv2:control"),
        ].joined(separator: " , "),
      more: """
        ; lv2:requiredFeature urid:map ; lv2:extensionData state:interface ; patch:writable <urn:keeper#shift> .
        <urn:keeper#shift> a lv2:Parameter ; rdfs:label "shift" ; rdfs:range atom:Float
        """, code: Self.keeper)
  }

  private static let keeper = """
    #include <lv2/patch/patch.h>
    #include <stdio.h>
    static LV2_URID urid(Self *s, const char *uri) {
      LV2_URID_Map *map = feature(s->features, LV2_URID__map); return map->map(map->handle, uri);
    }
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      s->state[2] = urid(s, LV2_PATCH__Set); s->state[3] = urid(s, LV2_PATCH__value);
      *(float *)&s->state[0] = 1;
      return s;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; float *level = (float *)&s->state[0], *shift = (float *)&s->state[1];
      LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)s->port[3], event) {
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body; const LV2_Atom *value = 0;
        if (object->body.otype == s->state[2]) lv2_atom_object_get(object, (LV2_URID)s->state[3], &value, 0);
        if (value) *shift = ((const LV2_Atom_Float *)value)->body;
      }
      if (s->port[0][0] == 0.25f) { fprintf(stderr, "no licence\\ngoing away\\n"); abort(); }
      for (uint32_t k = 0; k < n; ++k) s->port[1][k] = s->port[0][k] * *s->port[2] * *level + *shift;
    }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r, uint32_t flags,
      const LV2_Feature *const *f) { return 0; }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *f) {
      Self *s = h; size_t size; uint32_t type, kind;
      const float *level = retrieve(r, urid(s, "urn:keeper#level"), &size, &type, &kind);
      if (level) *(float *)&s->state[0] = *level;
      return 0;
    }
    static const void *extension(const char *uri) {
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
    }
    EXPORT(start, 0, run, extension)
    """

  /// Lets the plugin fail, and returns the events up to its restart.
  private func fail(_ rig: ProcessorRig, _ processor: PluginProcessor) -> [PluginProcessEvent] {
    rig.play([[0.25] + [Float](repeating: 0, count: 255)])
    let events = play(rig, processor) { $0 == .restarted }
    // Until the crossfade has ended.
    rig.play([[Float](repeating: 0.125, count: 100 * 256)])
    return events
  }

  @Test func `a restarted plugin has its last state, parameters and properties`() throws {
    let uri = try addKeeper()
    try folder.write(
      """
      \(FixtureFolder.prefixes)<> a pset:Preset ; lv2:appliesTo <\(uri)> ;
        state:state [ <urn:keeper#level> "3.0"^^<http://www.w3.org/2001/XMLSchema#float> ] .
      """, to: "three.state/state.ttl")
    let info = try folder.world.info(uri: uri)
    let gain = try #require(info.parameters.first { $0.symbol == "gain" }),
      shift = try #require(info.property("shift"))
    let (processor, rig) = try folder.world.rig(uri, layout())
    try processor.load(stateFrom: folder.path + "/three.state", isPlaying: { false })
    rig.play([[0, 0]])
    processor.set(gain.number, to: 0.5, over: 0)
    try processor.set(property: shift.number, to: .float(0.0625), isPlaying: { true })
    let sound = noise(512, seed: 4), due = sound.map { $0 * 0.5 * 3 + 0.0625 }
    let before = rig.play([sound])[0]
    #expect(zip(before, due).allSatisfy { abs($0 - $1) < 1e-6 })
    let events = fail(rig, processor)
    #expect(events.count == 2 && events.last == .restarted, "\(events)")
    #expect((rig.play([sound])[0] == before) as Bool)
  }

  @Test func `the event of a failure has the signal and the last output of the plugin`() throws {
    let (processor, rig) = try folder.world.rig(addKeeper(), layout())
    rig.play([[0, 0]])
    guard case .failed(let reason)? = fail(rig, processor).first else {
      Issue.record("no failure was reported")
      return
    }
    #expect(
      reason == "signal 6 (Aborted) ended it; its last output: no licence / going away", "\(reason)")
  }

  @Test func `after three failures the wait before each further restart doubles`() throws {
    let (processor, rig) = try folder.world.rig(addKeeper(), layout())
    rig.play([[0, 0]])
    for shortest in [0, 0, 0, 1, 2] {
      let start = ContinuousClock.now
      let events = fail(rig, processor)
      #expect(events.last == .restarted, "\(events)")
      #expect(.now - start >= .seconds(shortest))
    }
  }
}
