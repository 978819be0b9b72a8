// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A bundle of plugins that pass sound on, and fail in one of their functions: `urn:test:HOW:WHERE`.
///
/// A plugin fails once the file named by the variable `HOSTILE` exists, or at once without that variable; in `run`
/// only after the number of frames of its parameter `after`.
enum HostilePlugin {
  /// The kinds of failure, and the functions in which they happen.
  static let failures = [
    "null", "bus", "divide", "trap", "abort", "free", "exit", "deep", "copy", "thread", "loop",
  ]
  static let functions = [
    "instantiate", "activate", "run", "work", "work_response", "save", "restore", "deactivate", "cleanup",
  ]

  private static let code = #"""
    #define _GNU_SOURCE
    #include <lv2/core/lv2.h>
    #include <lv2/state/state.h>
    #include <lv2/worker/worker.h>
    #include <lv2/urid/urid.h>
    #include <signal.h>
    #include <pthread.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <unistd.h>
    typedef struct { const char *uri; float *port[4]; long frames; const LV2_Worker_Schedule *schedule; LV2_URID_Map *map; } Self;
    /* Does what the URI says: urn:test:HOW:WHERE. */
    static volatile int zero, *null;
    static int deep(volatile char *p) { volatile char more[4096]; more[0] = *p; return deep(more) + more[0]; }
    static void *crash(void *unused) { *null = 1; return 0; }
    static void act(const char *uri, const char *where) {
      const char *how = uri + strlen("urn:test:"), *place = strchr(how, ':') + 1;
      const char *flag = getenv("HOSTILE");
      if (strcmp(place, where) || (flag && access(flag, F_OK))) return;
    #define IS(word) !strncmp(how, word ":", sizeof word)
      if (IS("null")) *null = 1;
      /* A page of a file that has no bytes. */
      if (IS("bus")) *(volatile int *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memfd_create("empty", 0), 0) = 1;
      if (IS("divide")) zero = 100 / zero;
      if (IS("trap")) __builtin_trap();
      if (IS("abort")) abort();
      if (IS("free")) free((char *)malloc(100) + 8);
      if (IS("exit")) exit(7);
      if (IS("deep")) { char c = 1; deep(&c); }
      /* Elsewhere than in run a loop takes no time from the other tests. */
      if (IS("loop")) for (int waits = strcmp(where, "run"); ; zero = 0) if (waits) pause();
      if (IS("copy")) memcpy((void *)null, uri, 100 + zero);
      if (IS("thread")) { pthread_t t; pthread_create(&t, 0, crash, 0); pthread_join(t, 0); }
    }
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      act(d->URI, "instantiate");
      Self *s = calloc(1, sizeof(Self));
      s->uri = d->URI;
      for (; *f; ++f) {
        if (!strcmp((*f)->URI, LV2_WORKER__schedule)) s->schedule = (*f)->data;
        if (!strcmp((*f)->URI, LV2_URID__map)) s->map = (*f)->data;
      }
      return s;
    }
    static void connect_port(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
    static void activate(LV2_Handle h) { act(((Self *)h)->uri, "activate"); }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      memmove(s->port[1], s->port[0], n * sizeof(float));
      if (s->port[3]) *s->port[3] = 0;
      s->frames += n;
      if (s->schedule && s->frames % 16384 == 0) s->schedule->schedule_work(s->schedule->handle, 4, &s->frames);
      if (s->frames > *s->port[2]) act(s->uri, "run");
    }
    static void deactivate(LV2_Handle h) { act(((Self *)h)->uri, "deactivate"); }
    static void cleanup(LV2_Handle h) { act(((Self *)h)->uri, "cleanup"); free(h); }
    static LV2_Worker_Status work(
      LV2_Handle h, LV2_Worker_Respond_Function r, LV2_Worker_Respond_Handle rh, uint32_t n, const void *d) {
      act(((Self *)h)->uri, "work"); r(rh, n, d); return 0;
    }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t n, const void *d) {
      act(((Self *)h)->uri, "work_response"); return 0;
    }
    static LV2_State_Status save(
      LV2_Handle h, LV2_State_Store_Function store, LV2_State_Handle to, uint32_t flags,
      const LV2_Feature *const *features) {
      Self *s = h;
      act(s->uri, "save");
      int value = 7;
      LV2_URID key = s->map->map(s->map->handle, "urn:test:key");
      LV2_URID type = s->map->map(s->map->handle, "http://lv2plug.in/ns/ext/atom#Int");
      store(to, key, &value, 4, type, LV2_STATE_IS_POD);
      return 0;
    }
    static LV2_State_Status restore(
      LV2_Handle h, LV2_State_Retrieve_Function retrieve, LV2_State_Handle from, uint32_t flags,
      const LV2_Feature *const *features) {
      act(((Self *)h)->uri, "restore"); return 0;
    }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, 0};
      static const LV2_State_Interface state = {save, restore};
      if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
      if (!strcmp(uri, LV2_STATE__interface)) return &state;
      return 0;
    }
    $DESCRIPTORS
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i < sizeof descriptors / sizeof *descriptors ? descriptors + i : 0; }
    """#

  /// Turtle of a plugin. With a fixed block length it needs a new instance for another period.
  private static let description = """
    a lv2:Plugin ; lv2:binary <hostile.so> ; <http://usefulinc.com/ns/doap#name> "Hostile" ;
      lv2:requiredFeature <http://lv2plug.in/ns/ext/urid#map> ;
      lv2:optionalFeature <http://lv2plug.in/ns/ext/worker#schedule> ,
        <http://lv2plug.in/ns/ext/buf-size#fixedBlockLength> ;
      lv2:extensionData <http://lv2plug.in/ns/ext/worker#interface> ,
        <http://lv2plug.in/ns/ext/state#interface> ;
      lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
      [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "after" ; lv2:name "After" ;
        lv2:default 48000.0 ; lv2:minimum 0.0 ; lv2:maximum 1000000.0 ] ,
      [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
        lv2:designation lv2:latency ; lv2:minimum 0 ; lv2:maximum 100 ] .

    """

  /// Makes a folder with the bundle, a song of 6 s, and a tool that finds no other plugins.
  static func scratch() throws -> (scratch: Scratch, swiftlet: Command) {
    let scratch = try Scratch()
    let swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/hostile.lv2", withIntermediateDirectories: true)
    let uris = failures.flatMap { failure in functions.map { "urn:test:\(failure):\($0)" } }
    let descriptors = uris.map {
      "{\"\($0)\", start, connect_port, activate, run, deactivate, cleanup, extension}"
    }
    let table = "static LV2_Descriptor descriptors[] = {\(descriptors.joined(separator: ",\n"))};"
    try scratch.write(code.replacing("$DESCRIPTORS", with: table), to: "hostile.c")
    try scratch.write(
      "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
        + uris.map { "<\($0)> \(description)" }.joined(), to: "hostile.lv2/manifest.ttl")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o hostile.lv2/hostile.so hostile.c")
    try #require(built.status == 0, "\(built.messages)")
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 6)
    return (scratch, swiftlet)
  }

  /// Writes a manifest with one of the plugins, recorded before and after it.
  //   song ──► bad ──► desk        (a tap after each of the first two)
  static func write(_ failure: String, in function: String, to scratch: Scratch, isolated: String = "") throws
  {
    try scratch.write(
      """
      swiftlet: 1
      name: hostile
      nodes:
        song: { player: song.wav }
        bad:  { lv2: "urn:test:\(failure):\(function)"\(isolated) }
        desk: { playback: mono, connect: none }
      wires: [ song -> bad -> desk ]
      taps:
        plain: { after: song, record: { file: "{tap}.wav", format: 32-float } }
        wet: { after: bad, record: { file: "{tap}.wav", format: 32-float } }
      """, to: "hostile.yaml")
  }
}

extension Scratch {
  /// Requires that both takes equal the song up to the failure, bit by bit. When JACK's period changes it skips at
  /// least one cycle, which is silent in the take; the player continues after it, and the new instance fades in.
  func expectTakes(_ swiftlet: Command, atLeast shortest: Int, withGap: Bool = false) throws {
    #expect(self.takes == ["plain.wav", "wet.wav"])
    // The song is followed by silence.
    let song = try samples("song.wav", swiftlet) + [Float](repeating: 0, count: 48_000 * 20)
    for take in takes {
      let kept = try samples("takes/\(take)", swiftlet)
      #expect(kept.count >= shortest, "\(take): \(kept.count) frames")
      let sound = withGap ? HostilePlugin.withoutGap(kept, song) : kept
      let tolerance: Float = withGap && take == "wet.wav" ? 1e-6 : 0
      let first = zip(sound, song).enumerated().first { abs($1.0 - $1.1) > tolerance }?.offset
      #expect(first == nil, "\(take) of \(kept.count) frames differs from the song")
    }
  }

  /// Returns the samples of a sound file, as read by sox.
  func samples(_ name: String, _ swiftlet: Command) throws -> [Float] {
    let raw = try swiftlet.shell("sox '\(name)' -t raw -e floating-point -b 32 -L out.raw")
    try #require(raw.status == 0, "\(raw.messages)")
    let bytes = try #require(self.bytes("out.raw"))
    return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The names of the files in the takes folder.
  var takes: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/takes")) ?? []).sorted()
  }
}
