// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension SmallPlugin {
  /// Returns a plugin that schedules work in each `run`; by default the work responds.
  static func working(
    _ name: String, run: String = "s->work->schedule_work(s->work->handle, 4, &n);",
    work: String = "respond(to, size, data);", response: String = "", activate: String = "",
    globals: String = "", members: String = "", start: String = "", cleanup: String = "free(s);"
  ) -> SmallPlugin {
    SmallPlugin(
      name: name, run: run + "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i];",
      globals: """
        \(globals)
        static LV2_Worker_Status do_work(LV2_Handle h, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to,
          uint32_t size, const void *data) { Self *s = h; \(work) return 0; }
        static LV2_Worker_Status do_response(LV2_Handle h, uint32_t size, const void *data) { Self *s = h; \(response) return 0; }
        static const void *extension(const char *uri) {
          static const LV2_Worker_Interface worker = {do_work, do_response, 0};
          return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
        }
        """, members: members, start: start, activate: activate, cleanup: cleanup, extensions: "extension",
      statements: """
        ; lv2:requiredFeature <http://lv2plug.in/ns/ext/worker#schedule> ;
        lv2:extensionData <http://lv2plug.in/ns/ext/worker#interface>
        """)
  }
}

extension FaultyPlugin {
  /// Plugins without faults.
  static let clean = [
    SmallPlugin(name: "good"), .working("worker"),
    // It also schedules work in responses.
    .working(
      "again", response: "if (s->count++ % 2) s->work->schedule_work(s->work->handle, 4, &size);",
      members: "int count;"),
    SmallPlugin(
      name: "honest",
      run: loop
        + " { long at = s->frames++ % 100; float x = s->port[0][i]; s->port[1][i] = s->line[at]; s->line[at] = x; }"
        + "*s->port[2] = 100;", members: "float line[100];",
      ports: latency.replacing("index 3", with: "index 2")),
    SmallPlugin(
      name: "smooth",
      run: loop
        + " { s->level += 0.01f * (*s->port[2] - s->level); s->port[1][i] = s->port[0][i] * s->level; }",
      members: "float level;", start: "s->level = 1;", ports: enabled),
  ]

  /// Calls and writes from the wrong function or thread.
  static let threading = [
    FaultyPlugin(
      "thread-class", "fail", "it calls 'schedule_work' on a thread of its own",
      .working(
        "own-thread", run: "",
        globals: """
          static void *act(void *h) {
            Self *s = h; usleep(20000); s->work->schedule_work(s->work->handle, 4, &s->frames); return 0;
          }
          """, members: "pthread_t thread;", start: "pthread_create(&s->thread, 0, act, s);",
        cleanup: "pthread_join(s->thread, 0); free(s);")),
    FaultyPlugin(
      "thread-class", "fail", "it calls 'schedule_work' in 'activate'",
      .working("early", activate: "s->work->schedule_work(s->work->handle, 4, &s->frames);")),
    FaultyPlugin(
      "thread-class", "fail", "it calls 'respond' in 'run'",
      .working(
        "late-respond",
        run: "if (s->respond) s->respond(s->to, 4, &n); s->work->schedule_work(s->work->handle, 4, &n);",
        work: "s->to = to; s->respond = respond;",
        members: "LV2_Worker_Respond_Function volatile respond; LV2_Worker_Respond_Handle to;")),
    FaultyPlugin(
      "thread-class", "fail", "it writes to its port 'out' in 'work'",
      .working("work-port", work: "s->port[1][3] = 0.5f + s->frames++ % 2;")),
    FaultyPlugin(
      "thread-class", "fail", "it writes to its port 'out' while none of its functions runs",
      SmallPlugin(
        name: "port-thread",
        globals: """
          static void *act(void *h) {
            for (Self *s = h; !s->ends; usleep(2000)) if (s->port[1]) s->port[1][0] = 0.25f;
            return 0;
          }
          """, members: "pthread_t thread; volatile int ends;",
        start: "pthread_create(&s->thread, 0, act, s);",
        cleanup: "s->ends = 1; pthread_join(s->thread, 0); free(s);")),
    FaultyPlugin(
      "thread-class", "fail", "it writes to its port 'out' in 'activate'",
      SmallPlugin(name: "own-run", activate: "run(s, 16);")),
    FaultyPlugin(
      "latency", "warn",
      "with 'gain' at its minimum 0.0 it states a latency of 0 frames, and an impulse comes out 100",
      SmallPlugin(
        name: "turncoat",
        run: loop
          + " { long at = s->frames++ % 100; float x = s->port[0][i]; s->port[1][i] = s->line[at]; s->line[at] = x; }"
          + "*s->port[3] = *s->port[2] > 0 ? 100 : 0;", members: "float line[100];",
        ports: SmallPlugin.control() + latency)),
  ]

  private static let stateFeatures = """
    ; lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map> ;
    lv2:extensionData <http://lv2plug.in/ns/ext/state#interface>
    """
  private static func preset(of name: String, _ content: String) -> String {
    """
    . <urn:test:soft> a <http://lv2plug.in/ns/ext/presets#Preset> ; lv2:appliesTo <urn:test:\(name)> ;
    <http://www.w3.org/2000/01/rdf-schema#label> "Soft" ; \(content)
    """
  }

  /// Presets and states that are not restored correctly.
  static let kept = [
    FaultyPlugin(
      "preset", "warn", "its control inputs have other values with its preset 'Soft'",
      SmallPlugin(
        name: "stubborn", run: copy + "*s->port[2] = 0.75f;", ports: SmallPlugin.control(),
        statements: preset(
          of: "stubborn",
          "lv2:port [ lv2:symbol \"gain\" ; <http://lv2plug.in/ns/ext/presets#value> 0.25 ]"))),
    FaultyPlugin(
      "preset", "warn", "the state that it saves with its preset 'Soft' sounds different",
      SmallPlugin(
        name: "forgetful", run: loop + " s->port[1][i] = s->port[0][i] * (1 - s->cut);",
        globals: """
          static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
            const LV2_Feature *const *f) { return 0; }
          static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from,
            uint32_t flags, const LV2_Feature *const *f) {
            Self *s = h; size_t size; uint32_t type, more;
            const float *cut = retrieve(from, s->map->map(s->map->handle, "urn:test:cut"), &size, &type, &more);
            if (cut) s->cut = *cut;
            return 0;
          }
          static const void *extension(const char *uri) {
            static const LV2_State_Interface state = {save, restore};
            return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
          }
          """, members: "float cut;", extensions: "extension",
        statements: stateFeatures
          + preset(
            of: "forgetful",
            "<http://lv2plug.in/ns/ext/state#state> [ <urn:test:cut> \"0.5\"^^<http://www.w3.org/2001/XMLSchema#float> ]"
          ))),
  ]
}
