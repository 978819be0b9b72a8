// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A plugin with one fault, and the finding that `swiftlet audit` must report.
struct FaultyPlugin: Sendable, CustomTestStringConvertible {
  var check: String
  var verdict: String
  var plugin: SmallPlugin
  /// A part of the finding's text.
  var text: String

  init(_ check: String, _ verdict: String, _ text: String, _ plugin: SmallPlugin) {
    (self.check, self.verdict, self.text, self.plugin) = (check, verdict, text, plugin)
  }

  var testDescription: String { "\(plugin.name): \(check)" }

  static let loop = "for (uint32_t i = 0; i < n; ++i)"
  static let copy = loop + " s->port[1][i] = s->port[0][i];"

  private static let delay =
    loop
    + " { long at = s->frames++ % 100; float x = s->port[0][i]; s->port[1][i] = s->line[at]; s->line[at] = x; }"
  /// Turtle of a port that turns the plugin on and off.
  static let enabled = SmallPlugin.control("enabled", "0", "1", "1").replacing(
    "lv2:index 2", with: "lv2:index 2 ; lv2:designation lv2:enabled ; lv2:portProperty lv2:toggled")
  /// Turtle of a port that reports the latency.
  static let latency = """
    , [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
        lv2:designation lv2:latency ; lv2:portProperty lv2:reportsLatency ; lv2:minimum 0 ; lv2:maximum 100 ]
    """

  static let all = described + running + sounding + behaving + threading + kept

  /// Faults in the description, and in loading and ending.
  static let described = [
    FaultyPlugin(
      "symbol", "fail", "more than one port has the symbol 'in'",
      SmallPlugin(
        name: "symbol", ports: SmallPlugin.control("in"))),
    FaultyPlugin(
      "range", "fail", "the minimum 2.0 of its port 'gain' is above the maximum 1.0",
      SmallPlugin(
        name: "range", ports: SmallPlugin.control("gain", "2.0", "1.0", "1.5"))),
    FaultyPlugin(
      "default", "warn", "the default 7.0 of its port 'gain' is outside its range 0.0 to 1.0",
      SmallPlugin(
        name: "default", ports: SmallPlugin.control("gain", "0.0", "1.0", "7.0"))),
    FaultyPlugin(
      "description", "fail", "its description cannot be used",
      SmallPlugin(
        name: "gap",
        ports: ", [ a lv2:ControlPort, lv2:InputPort ; lv2:index 7 ; lv2:symbol \"x\" ; lv2:name \"X\" ]")),
    FaultyPlugin(
      "description", "fail", "its description cannot be used",
      SmallPlugin(
        name: "doubled",
        ports: ", [ a lv2:ControlPort, lv2:InputPort ; lv2:index 1 ; lv2:symbol \"x\" ; lv2:name \"X\" ]")),
    FaultyPlugin(
      "description", "fail", "its description cannot be used",
      SmallPlugin(
        name: "nameless", ports: ", [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:name \"X\" ]")),
    FaultyPlugin(
      "unsupported", "warn", "it requires the feature urn:test:feature",
      SmallPlugin(
        name: "feature", statements: "; lv2:requiredFeature <urn:test:feature>")),
    FaultyPlugin(
      "library", "fail", "its library",
      SmallPlugin(
        name: "unlinked", run: "extern void nowhere(void); nowhere();")),
    FaultyPlugin(
      "start", "fail", "refused to start", SmallPlugin(name: "start", start: "free(s); return 0;")),
    FaultyPlugin("end", "fail", "does not return", SmallPlugin(name: "end", cleanup: "for (;;) pause();")),
  ]

  /// Faults in `run`.
  static let running = [
    FaultyPlugin(
      "allocation", "warn", "calls 'malloc'",
      SmallPlugin(
        name: "malloc", run: "s->keep = malloc(100); free(s->keep);" + copy, members: "void *volatile keep;")),
    FaultyPlugin(
      "allocation", "fail", "calls 'calloc'",
      SmallPlugin(
        name: "calloc", run: "s->keep = calloc(1, 100); free(s->keep);" + copy,
        members: "void *volatile keep;",
        statements: "; lv2:optionalFeature lv2:hardRTCapable")),
    FaultyPlugin(
      "lock", "warn", "calls 'pthread_mutex_lock'",
      SmallPlugin(
        name: "lock", run: "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);" + copy,
        globals: "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;")),
    FaultyPlugin(
      "system-call", "warn", "calls 'usleep'", SmallPlugin(name: "sleep", run: "usleep(10);" + copy)),
    FaultyPlugin(
      "bounds", "fail", "past the end of the buffer of its port 'out'",
      SmallPlugin(
        name: "over", run: copy + "s->port[1][n] = 0;")),
    FaultyPlugin(
      "bounds", "fail", "past the beginning of the buffer of its port 'in'",
      SmallPlugin(
        name: "under", run: copy + "s->port[1][0] += s->port[0][-1] * 1e-9f;")),
    FaultyPlugin(
      "crash", "fail", "signal 11",
      SmallPlugin(
        name: "crash", run: copy + "if (*s->port[2] >= 1) *null = 1;", globals: "static volatile int *null;",
        ports: SmallPlugin.control())),
    FaultyPlugin("crash", "fail", "signal 6", SmallPlugin(name: "abort", run: "abort();")),
    FaultyPlugin("exit", "fail", "with exit status 7", SmallPlugin(name: "exit", run: "exit(7);")),
    FaultyPlugin(
      "hang", "fail", "a call of 'run' has used 4 s of CPU",
      SmallPlugin(
        name: "hang", run: copy + "if (n == 333) for (;;) s->frames++;", members: "volatile long frames_;")),
    FaultyPlugin(
      "unwritten", "fail", "writes only a part of its output 'out'",
      SmallPlugin(
        name: "part", run: "for (uint32_t i = 0; i + 1 < n; ++i) s->port[1][i] = s->port[0][i];")),
    FaultyPlugin(
      "events", "fail", "not in the order of their times",
      SmallPlugin(
        name: "events",
        run: copy + """
          LV2_Atom_Sequence *q = (LV2_Atom_Sequence *)s->port[2];
          q->atom.type = s->map->map(s->map->handle, LV2_ATOM__Sequence); q->body.unit = q->body.pad = 0;
          LV2_Atom_Event *e = (LV2_Atom_Event *)(q + 1);
          for (int i = 0; i < 2; ++i, ++e) { e->time.frames = 1 - i; e->body.size = 0; e->body.type = 1; }
          q->atom.size = 8 + 2 * sizeof *e;
          """,
        ports: events, statements: "; lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map>")),
    FaultyPlugin(
      "events", "fail", "an event without a time stamp",
      SmallPlugin(
        name: "unstamped",
        run: copy + """
          LV2_Atom_Sequence *q = (LV2_Atom_Sequence *)s->port[2]; uint64_t *words = (uint64_t *)(q + 1);
          q->atom.type = s->map->map(s->map->handle, LV2_ATOM__Sequence); q->body.unit = q->body.pad = 0;
          uint64_t object = (uint64_t)s->map->map(s->map->handle, LV2_ATOM__Object) << 32 | 8;
          for (int i = 0; i < 5; ++i) words[i] = i % 2 ? object : 0;
          q->atom.size = 8 + 5 * sizeof *words;
          """,
        ports: events, statements: "; lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map>")),
    FaultyPlugin(
      "events", "fail", "the sequence of its events is longer than the buffer",
      SmallPlugin(
        name: "torrent",
        run: copy + """
          LV2_Atom_Sequence *q = (LV2_Atom_Sequence *)s->port[2];
          q->atom.type = s->map->map(s->map->handle, LV2_ATOM__Sequence); q->body.unit = q->body.pad = 0;
          q->atom.size = 1 << 20;
          """,
        ports: events, statements: "; lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map>")),
  ]

  private static let events = """
    , [ a <http://lv2plug.in/ns/ext/atom#AtomPort>, lv2:OutputPort ; lv2:index 2 ; lv2:symbol "q" ; lv2:name "Q" ;
        <http://lv2plug.in/ns/ext/atom#bufferType> <http://lv2plug.in/ns/ext/atom#Sequence> ]
    """

  /// Faults in the output.
  static let sounding = [
    FaultyPlugin(
      "not-finite", "fail", "its output 'out' has samples that are not finite",
      SmallPlugin(
        name: "nan", run: copy + "s->port[1][0] = NAN;")),
    FaultyPlugin(
      "not-finite", "fail", "with 'gain' at its maximum 1.0 its output 'out' is not finite",
      SmallPlugin(
        name: "pole", run: loop + " s->port[1][i] = s->port[0][i] / (1 - *s->port[2]);",
        ports: SmallPlugin.control())),
    FaultyPlugin(
      "recovery", "note", "still not finite",
      SmallPlugin(
        name: "recovery", run: loop + " s->port[1][i] = s->y += 0.1f * (s->port[0][i] - s->y);",
        members: "float y;")),
    FaultyPlugin(
      "runaway", "warn", "rises above 40 dBFS",
      SmallPlugin(
        name: "loud", run: loop + " s->port[1][i] = 1000 * s->port[0][i];")),
    FaultyPlugin(
      "dc-offset", "warn", "has a DC offset of -20 dBFS",
      SmallPlugin(
        name: "offset", run: loop + " s->port[1][i] = s->port[0][i] + 0.1f;")),
    FaultyPlugin(
      "denormals", "note", "decays into denormal numbers",
      SmallPlugin(
        name: "denormals", run: loop + " s->port[1][i] = s->y = 0.99f * s->y + 0.01f * s->port[0][i];",
        members: "float y;")),
  ]

  /// Faults in behaviour, such as latency, state and presets.
  static let behaving = [
    FaultyPlugin(
      "determinism", "note", "two instances with the same input",
      SmallPlugin(
        name: "different", run: loop + " s->port[1][i] = s->port[0][i] / s->number;",
        globals: "static int count;",
        members: "int number;", start: "s->number = 1 + ++count % 7;")),
    FaultyPlugin(
      "block-size", "note", "depends on the length of blocks",
      SmallPlugin(
        name: "length", run: loop + " s->port[1][i] = s->port[0][i] * n / 4096;")),
    FaultyPlugin(
      "in-place", "fail", "sounds different when an output has the buffer of an input",
      SmallPlugin(
        name: "place",
        run: "memset(s->port[1], 0, n * 4); for (uint32_t i = 0; i < n; ++i) s->port[1][i] += s->port[0][i];")
    ),
    FaultyPlugin(
      "latency", "note", "it states no latency, and an impulse comes out 100 frames late",
      SmallPlugin(name: "late", run: delay, members: "float line[100];")),
    FaultyPlugin(
      "latency", "warn", "it states a latency of 50 frames, and an impulse comes out 100 frames late",
      SmallPlugin(
        name: "liar", run: delay + "*s->port[2] = 50;", members: "float line[100];",
        ports: latency.replacing("index 3", with: "index 2"))),
    FaultyPlugin(
      "latency-change", "note", "its latency changes with its parameters",
      SmallPlugin(
        name: "lookahead", run: copy + "*s->port[3] = 100 * *s->port[2];",
        ports: SmallPlugin.control() + latency)),
    FaultyPlugin(
      "state", "warn", "after its state was restored",
      SmallPlugin(
        name: "state",
        globals: """
          static int count;
          static LV2_State_Status save(LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
            const LV2_Feature *const *f) {
            LV2_URID_Map *m = ((Self *)h)->map; ++count;
            return store(to, m->map(m->handle, "urn:test:count"), &count, 4, m->map(m->handle, LV2_ATOM__Int), LV2_STATE_IS_POD);
          }
          static LV2_State_Status restore(LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from,
            uint32_t flags, const LV2_Feature *const *f) { return 0; }
          static const void *extension(const char *uri) {
            static const LV2_State_Interface state = {save, restore};
            return strcmp(uri, LV2_STATE__interface) ? 0 : &state;
          }
          """, extensions: "extension",
        statements: """
          ; lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map> ;
          lv2:extensionData <http://lv2plug.in/ns/ext/state#interface>
          """)),
    FaultyPlugin(
      "preset", "warn", "its preset 'Odd' has a value for 'nowhere', which is no port",
      SmallPlugin(
        name: "preset", ports: SmallPlugin.control(),
        statements: """
          . <urn:test:odd> a <http://lv2plug.in/ns/ext/presets#Preset> ; lv2:appliesTo <urn:test:preset> ;
          <http://www.w3.org/2000/01/rdf-schema#label> "Odd" ;
          lv2:port [ lv2:symbol "nowhere" ; <http://lv2plug.in/ns/ext/presets#value> 1.0 ]
          """)),
    FaultyPlugin(
      "click", "note", "it clicks when a parameter changes",
      SmallPlugin(
        name: "click", run: loop + " s->port[1][i] = s->port[0][i] * *s->port[2];",
        ports: SmallPlugin.control())),
    FaultyPlugin(
      "click", "note", "it clicks when it is turned off by its port 'enabled'",
      SmallPlugin(
        name: "switch", run: loop + " s->port[1][i] = s->port[0][i] * *s->port[2];", ports: enabled)),
    FaultyPlugin(
      "skipped", "note", "the CPU time of the audit",
      SmallPlugin(
        name: "slow",
        run: copy + "struct timespec t; long end = 0; for (;;) { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); "
          + "long now = t.tv_sec * 1000 + t.tv_nsec / 1000000; if (!end) end = now + 900; if (now >= end) break; }",
        globals: "#include <time.h>\n")),
  ]
}
