// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2

/// Services of the host that isolated plugins have, too.
@Suite(.timeLimit(.minutes(5))) struct IsolatedFeatureTests {
  private static let output = "lv2:OutputPort, lv2:ControlPort"
  private let folder: FixtureFolder

  init() throws { folder = try FixtureFolder() }

  private func layout(isolated: Bool, longest: Int = 256, period: Int? = nil) -> PluginLayout {
    PluginLayout(
      sampleRate: 48_000, longestBlock: longest, period: period, channels: 1,
      isolation: isolated ? PluginIsolation(deadline: 5) : nil)
  }

  @Test(arguments: [false, true]) func `a plugin receives the transport position`(isolated: Bool) throws {
    let uri = try folder.addMetronome()
    let (_, rig) = try folder.world.rig(uri, layout(isolated: isolated, longest: 512))
    func received() -> [Float] { (0..<5).map(rig.meter) }
    rig.play([], frames: 512, blocks: [64])
    #expect(received() == [1, 0, 0, 0, 0])
    rig.transport = Transport(isRolling: true, position: 1000, tempo: 120, bar: 2, beat: 1.5)
    rig.play([], frames: 512, blocks: [64])
    #expect(received() == [2, 1000, 120, 1, 1.5])
    rig.play([], frames: 512, blocks: [128, 64])
    #expect(received()[0] == 2)
    rig.transport.position = 9
    rig.play([], frames: 512, blocks: [64])
    #expect(received()[0] == 3 && received()[1] == 9)
    rig.transport.tempo = 90
    rig.play([], frames: 512, blocks: [64])
    #expect(received()[0] == 4 && received()[2] == 90)
    rig.transport.isRolling = false
    rig.play([], frames: 512, blocks: [64])
    #expect(received()[0] == 5 && received()[3] == 0)
  }

  @Test(arguments: [false, true])
  func `the host follows a latency that changes with a parameter`(isolated: Bool) throws {
    let uri = try folder.add(
      "late",
      ports: FixtureFolder.throughPorts + " , "
        + [
          FixtureFolder.port(
            2, "delay", "lv2:InputPort, lv2:ControlPort",
            "; lv2:default 7.0 ; lv2:minimum 0.0 ; lv2:maximum 5000.0"),
          FixtureFolder.port(3, "latency", Self.output, "; lv2:designation lv2:latency"),
        ].joined(separator: " , "),
      code: """
        INSTANTIATE(start) { return make(rate, features); }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; memcpy(s->port[1], s->port[0], n * sizeof(float)); *s->port[3] = *s->port[2];
        }
        EXPORT(start, 0, run, 0)
        """)
    let delay = try #require(try folder.world.info(uri: uri).parameters.first { $0.symbol == "delay" })
    let (processor, rig) = try folder.world.rig(uri, layout(isolated: isolated), values: ["delay": 12])
    #expect(processor.latency.load(ordering: .relaxed) == 12)
    for value in [4800, 1, 333] {
      processor.set(delay.number, to: Float(value), over: 0)
      rig.play([noise(512)])
      #expect(processor.latency.load(ordering: .relaxed) == value)
    }
  }

  @Test(arguments: [false, true])
  func `a plugin that requires all supported features and options gets each once`(isolated: Bool) throws {
    let features = PluginModel.supportedFeatures.sorted(), options = PluginModel.providedOptions.sorted()
    #expect(features.count == 19 && options.count == 5)
    let required = features.map { "<\($0)>" }.joined(separator: ", ")
    let uri = try folder.add(
      "demanding",
      ports: FixtureFolder.throughPorts + " , "
        + ["restored", "worked", "unlike"].enumerated().map {
          FixtureFolder.port($0 + 2, $1, Self.output)
        }.joined(separator: " , "),
      more: """
        ; lv2:requiredFeature \(required) ; opts:requiredOption \(options.map { "<\($0)>" }.joined(separator: ", ")) ;
        lv2:extensionData work:interface , state:interface ; state:state [ <urn:key> 5 ]
        """,
      code: Self.demanding.replacing("$FEATURES", with: features.map { "\"\($0)\"" }.joined(separator: ", ")))
    let layout = layout(isolated: isolated, period: 256).offline
    let (processor, rig) = try folder.world.rig(uri, layout)
    let sound = noise(256 * 8)
    #expect((rig.play([sound])[0] == sound) as Bool)
    // The default state, a reply to the work of each block except the last, and no block of another length.
    #expect((0..<3).map(rig.meter) == [5, 7, 0])
    #expect(processor.takeFaults().isEmpty)
  }

  /// Refuses to start if a feature is missing, comes twice or lacks its data, or if an option has another value.
  private static let demanding = #"""
    #include <lv2/parameters/parameters.h>
    #include <stdio.h>
    #include <unistd.h>
    static const char *required[] = {$FEATURES};
    #define NEED(what) if (!(what)) { log->printf(log->handle, 0, "not so: %s", #what); return 0; }
    INSTANTIATE(start) {
      Self *s = make(rate, features);
      LV2_Log_Log *log = feature(features, LV2_LOG__log);
      if (!log) return 0;
      for (int k = 0; k < sizeof required / sizeof *required; k++) {
        int count = 0;
        for (const LV2_Feature *const *f = features; *f; ++f) if (!strcmp((*f)->URI, required[k])) count++;
        if (count != 1) { log->printf(log->handle, 0, "%s comes %d times", required[k], count); return 0; }
      }
      LV2_URID_Map *map = feature(features, LV2_URID__map);
      LV2_URID_Unmap *unmap = feature(features, LV2_URID__unmap);
      LV2_State_Map_Path *paths = feature(features, LV2_STATE__mapPath);
      LV2_State_Make_Path *make_path = feature(features, LV2_STATE__makePath);
      LV2_State_Free_Path *free_path = feature(features, LV2_STATE__freePath);
      LV2_Worker_Schedule *work = feature(features, LV2_WORKER__schedule);
      LV2_URID number = map->map(map->handle, LV2_ATOM__Int), real = map->map(map->handle, LV2_ATOM__Float);
      NEED(number && real && number != real && !strcmp(unmap->unmap(unmap->handle, number), LV2_ATOM__Int))
      NEED(work->schedule_work)
      char *same = paths->absolute_path(paths->handle, "/tmp/x");
      NEED(same && !strcmp(same, "/tmp/x"))
      free_path->free_path(free_path->handle, same);
      char *own = make_path->path(make_path->handle, "deep/file");
      NEED(own && own[0] == '/')
      FILE *file = fopen(own, "w");
      NEED(file)
      fclose(file);
      free_path->free_path(free_path->handle, own);
      NEED(!make_path->path(make_path->handle, "/etc/x") && !make_path->path(make_path->handle, "../x"))
      const LV2_Options_Option *option = feature(features, LV2_OPTIONS__options);
      int seen = 0;
      for (; option->key; ++option) {
        const char *name = unmap->unmap(unmap->handle, option->key);
        NEED(option->size == 4 && option->context == LV2_OPTIONS_INSTANCE && option->subject == 0)
        if (!strcmp(name, LV2_PARAMETERS__sampleRate)) {
          NEED(option->type == real && *(const float *)option->value == rate)
          seen |= 1;
          continue;
        }
        NEED(option->type == number)
        int value = *(const int *)option->value;
        if (!strcmp(name, LV2_BUF_SIZE__minBlockLength)) { NEED(value == 256) seen |= 2; }
        if (!strcmp(name, LV2_BUF_SIZE__maxBlockLength)) { NEED(value == 256) seen |= 4; }
        if (!strcmp(name, LV2_BUF_SIZE__nominalBlockLength)) { NEED(value == 256) seen |= 8; }
        if (!strcmp(name, LV2_BUF_SIZE__sequenceSize)) { NEED(value >= 8192) seen |= 16; }
      }
      NEED(seen == 31)
      return s;
    }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
      uint32_t size, const void *data) { return respond(to, size, data); }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) {
      ((Self *)h)->state[1]++; return 0;
    }
    static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle r, uint32_t flags,
      const LV2_Feature *const *f) { return 0; }
    static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle r,
      uint32_t flags, const LV2_Feature *const *f) {
      Self *s = h; size_t size; uint32_t type, kind;
      LV2_URID_Map *map = feature(s->features, LV2_URID__map);
      const int32_t *value = retrieve(r, map->map(map->handle, "urn:key"), &size, &type, &kind);
      if (value && size == 4) s->state[0] = *value;
      return 0;
    }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h; LV2_Worker_Schedule *w = feature(s->features, LV2_WORKER__schedule);
      memcpy(s->port[1], s->port[0], n * sizeof(float));
      if (n != 256) s->state[2]++;
      for (int k = 0; k < 3; k++) *s->port[2 + k] = s->state[k];
      w->schedule_work(w->handle, 4, &n);
    }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, 0};
      static const LV2_State_Interface state = {save, restore};
      return strcmp(uri, LV2_STATE__interface) ? strcmp(uri, LV2_WORKER__interface) ? 0 : &worker : &state;
    }
    EXPORT(start, 0, run, extension)
    """#

  /// Whether this process has neither a display nor a platform for Qt, which children would inherit.
  private static let isHeadless = ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"].allSatisfy {
    ProcessInfo.processInfo.environment[$0] == nil
  }

  @Test(.enabled(if: isHeadless))
  func
    `without a display, Qt is offscreen in plugin processes, and the library's own environment is unchanged`()
    throws
  {
    let uri = try folder.add(
      "qt", ports: FixtureFolder.throughPorts,
      code: """
        INSTANTIATE(start) {
          Self *s = make(rate, features);
          const char *platform = getenv("QT_QPA_PLATFORM");
          s->state[0] = platform ? strcmp(platform, "offscreen") ? 2 : 1 : 0;
          return s;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h; for (uint32_t k = 0; k < n; ++k) s->port[1][k] = s->state[0];
        }
        EXPORT(start, 0, run, 0)
        """)
    let platforms = try [true, false].map {
      try folder.world.rig(uri, layout(isolated: $0)).1.play([[0]])[0][0]
    }
    #expect(platforms == [1, 0])
  }
}

extension FixtureFolder {
  /// Adds a plugin that shows the last `time:Position`: how many it has received, frame, tempo, speed and beat.
  func addMetronome() throws -> String {
    let meters = ["received", "frame", "tempo", "speed", "beat"].enumerated().map {
      FixtureFolder.port($0 + 1, $1, "lv2:OutputPort, lv2:ControlPort")
    }
    return try add(
      "metronome",
      ports: ([
        FixtureFolder.port(0, "control", "lv2:InputPort, atom:AtomPort", "; atom:supports time:Position")
      ]
        + meters).joined(separator: " , "),
      code: """
        #include <lv2/time/time.h>
        INSTANTIATE(start) {
          Self *s = make(rate, features);
          LV2_URID_Map *map = feature(features, LV2_URID__map);
          const char *keys[] = {LV2_ATOM__Object, LV2_TIME__Position, LV2_TIME__frame, LV2_TIME__beatsPerMinute,
            LV2_TIME__speed, LV2_TIME__barBeat};
          for (int k = 0; k < 6; ++k) s->state[10 + k] = map->map(map->handle, keys[k]);
          return s;
        }
        static void run(LV2_Handle h, uint32_t n) {
          Self *s = h;
          LV2_ATOM_SEQUENCE_FOREACH((LV2_Atom_Sequence *)s->port[0], e) {
            const LV2_Atom_Object *o = (const LV2_Atom_Object *)&e->body;
            if (o->atom.type != s->state[10] || o->body.otype != s->state[11]) continue;
            *s->port[1] += 1;
            LV2_Atom *frame = 0, *tempo = 0, *speed = 0, *beat = 0;
            lv2_atom_object_get(o, s->state[12], &frame, s->state[13], &tempo, s->state[14], &speed,
              s->state[15], &beat, 0);
            *s->port[2] = ((LV2_Atom_Long *)frame)->body;
            *s->port[4] = ((LV2_Atom_Float *)speed)->body;
            *s->port[3] = tempo ? ((LV2_Atom_Float *)tempo)->body : 0;
            *s->port[5] = beat ? ((LV2_Atom_Float *)beat)->body : 0;
          }
        }
        EXPORT(start, 0, run, 0)
        """)
  }
}
