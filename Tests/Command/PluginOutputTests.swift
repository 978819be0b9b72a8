// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// `-v` shows the output of plugins that play with the name of the node.
@Suite(.timeLimit(.minutes(5))) struct PluginOutputTests {
  /// Plugins that pass sound on and print once: with C's functions in `run`, with a call of the system in `run`, or in
  /// `work`.
  private static let code = #"""
    #include <lv2/core/lv2.h>
    #include <lv2/worker/worker.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    typedef struct { const char *how; float *port[2]; int count; const LV2_Worker_Schedule *schedule; } Self;
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      Self *s = calloc(1, sizeof(Self));
      s->how = strrchr(d->URI, ':') + 1;
      for (; *f; ++f) if (!strcmp((*f)->URI, LV2_WORKER__schedule)) s->schedule = (*f)->data;
      return s;
    }
    static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
    static LV2_Worker_Status work(LV2_Handle h, LV2_Worker_Respond_Function f, LV2_Worker_Respond_Handle r,
      uint32_t size, const void *data) { printf("printed in work\n"); return 0; }
    static LV2_Worker_Status response(LV2_Handle h, uint32_t size, const void *data) { return 0; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      if (s->count++ == 2) {
        if (!strcmp(s->how, "stdio")) { printf("a line\nand half"); fprintf(stderr, "an error\n"); printf(" a line\n"); }
        if (!strcmp(s->how, "raw")) write(2, "written in run\n", 15);
        if (!strcmp(s->how, "work")) s->schedule->schedule_work(s->schedule->handle, 4, "abc");
      }
      memmove(s->port[1], s->port[0], n * sizeof(float));
    }
    static void cleanup(LV2_Handle h) { free(h); }
    static const void *extension(const char *uri) {
      static const LV2_Worker_Interface worker = {work, response, 0};
      return strcmp(uri, LV2_WORKER__interface) ? 0 : &worker;
    }
    #define IS(how) {"urn:test:" how, start, connect, 0, run, 0, cleanup, extension}
    static const LV2_Descriptor all[] = {IS("stdio"), IS("raw"), IS("work")};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i < 3 ? all + i : 0; }
    """#

  private let scratch: Scratch
  private let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    let description = """
      a lv2:Plugin ; lv2:binary <loud.so> ; <http://usefulinc.com/ns/doap#name> "Loud" ;
        lv2:optionalFeature work:schedule ; lv2:extensionData work:interface ;
        lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
      """
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/loud.lv2", withIntermediateDirectories: true)
    try scratch.write(
      "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n@prefix work: <http://lv2plug.in/ns/ext/worker#> .\n"
        + ["stdio", "raw", "work"].map { "<urn:test:\($0)> \(description)\n" }.joined(),
      to: "loud.lv2/manifest.ttl")
    try scratch.write(Self.code, to: "loud.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o loud.lv2/loud.so loud.c")
    try #require(built.status == 0, "\(built.messages)")
  }

  /// Plays plugins in a row, each mono, and returns the messages. The first node is named `one`.
  private func messages(_ plugins: [String], _ words: [String]) throws -> String {
    let names = ["one", "two", "three"].prefix(plugins.count)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: { capture: mono, connect: none }
      \(zip(names, plugins).map { "  \($0): { lv2: \"urn:test:\($1)\" }" }.joined(separator: "\n"))
        desk: { playback: mono, connect: none }
      wires: [ mic -> \(names.joined(separator: " -> ")) -> desk ]
      """, to: "loud.yaml")
    let outcome = try swiftlet.run(
      program: Command.path, [words[0], "loud.yaml", "-v"] + words.dropFirst(), limit: 60)
    #expect(outcome.status == 0, "\(outcome)")
    return outcome.messages
  }

  @Test(arguments: [
    ["run", "--dummy", "--for", "0.5"], ["render", "--for", "0.1", "-o", "out.wav", "--overwrite"],
  ])
  func `output of run and of work has the name of the node`(words: [String]) throws {
    let shown = try messages(["stdio", "work", "raw"], words)
    for line in ["one': a line", "one': and half a line", "one': an error", "two': printed in work"] {
      #expect(shown.contains("output of the plugin '\(line)\n"), "\(line): \(shown)")
    }
    // Several nodes have plugins, and nothing tells which one has called the system.
    #expect(shown.contains("output of a plugin or library: written in run\n"), "\(shown)")
    // The only node that can have printed.
    let alone = try messages(["raw"], words)
    #expect(alone.contains("output of the plugin 'one': written in run\n"), "\(alone)")
  }
}
