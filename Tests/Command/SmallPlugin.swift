// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A small plugin `urn:test:NAME`, compiled for a test: `in` is port 0, `out` is port 1.
struct SmallPlugin: Sendable {
  var name: String
  /// The C code of `run`, with the instance `s` and the block's frame count `n`.
  var run = "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i];"
  /// C code before the functions, and members of the instance.
  var globals = "", members = ""
  /// C code at the end of `instantiate`, in `activate`, and in `cleanup`.
  var start = "", activate = "", cleanup = "free(s);"
  /// The function that returns extension data.
  var extensions = "0"
  /// Turtle of further ports, each preceded by a comma, and further statements about the plugin, each preceded by a
  /// semicolon.
  var ports = "", statements = ""

  /// Returns the Turtle of a control input `NAME` from `low` to `high` as port 2.
  static func control(
    _ name: String = "gain", _ low: String = "0.0", _ high: String = "1.0", _ initial: String = "0.5"
  )
    -> String
  {
    """
    , [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "\(name)" ; lv2:name "\(name)" ;
        lv2:default \(initial) ; lv2:minimum \(low) ; lv2:maximum \(high) ]
    """
  }

  var manifest: String {
    """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; <http://usefulinc.com/ns/doap#name> "\(name)" ;
      lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] \(ports) \(statements) .
    """
  }

  private var code: String {
    """
    #include <lv2/core/lv2.h>
    #include <lv2/atom/atom.h>
    #include <lv2/state/state.h>
    #include <lv2/urid/urid.h>
    #include <lv2/worker/worker.h>
    #include <pthread.h>
    #include <math.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    typedef struct { float *port[8]; long frames; LV2_URID_Map *map; LV2_Worker_Schedule *work; \(members) } Self;
    \(globals)
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      Self *s = calloc(1, sizeof(Self));
      for (; *f; ++f) {
        if (!strcmp((*f)->URI, LV2_URID__map)) s->map = (*f)->data;
        if (!strcmp((*f)->URI, LV2_WORKER__schedule)) s->work = (*f)->data;
      }
      \(start)
      return s;
    }
    static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
    static void run(LV2_Handle h, uint32_t n) { Self *s = h; \(run) }
    static void activate(LV2_Handle h) { Self *s = h; \(activate) }
    static void cleanup(LV2_Handle h) { Self *s = h; \(cleanup) }
    static const LV2_Descriptor descriptor = {"urn:test:\(name)", start, connect, activate, run, 0, cleanup, \(extensions)};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
    """
  }

  /// Compiles the plugin into the bundle `NAME.lv2` of the folder.
  func build(in scratch: Scratch, _ swiftlet: Command) throws {
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/\(name).lv2", withIntermediateDirectories: true)
    try scratch.write(manifest, to: "\(name).lv2/manifest.ttl")
    try scratch.write(code, to: "\(name).c")
    let built = try swiftlet.shell("cc -g -O1 -shared -fPIC -w -o \(name).lv2/\(name).so \(name).c -lm")
    try #require(built.status == 0, "\(built.messages)")
  }
}
