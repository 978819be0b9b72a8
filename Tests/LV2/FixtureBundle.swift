// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletLV2

/// A folder of LV2 bundles that a test writes.
///
/// It is removed when the process ends, since worlds read it lazily and libraries stay loaded.
final class FixtureFolder: Sendable {
  let path: String

  private static let root: String = {
    let root = NSTemporaryDirectory() + "/swiftlet-lv2-\(UUID().uuidString)"
    atexit { try? FileManager.default.removeItem(atPath: FixtureFolder.root) }
    return root
  }()

  init() throws {
    path = Self.root + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A world with the plugins of this folder alone, and LV2's own specifications, which name the classes.
  var world: PluginWorld { PluginWorld(path: path) }

  /// Writes a file of a bundle.
  func write(_ text: String, to file: String) throws {
    let path = "\(path)/\(file)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Writes a bundle with one plugin.
  ///
  /// - Parameters:
  ///   - ports: Turtle of the ports, `[ … ] , [ … ]`.
  ///   - more: Turtle after the ports.
  ///   - code: C source of the plugin, in which `PLUGIN` is its URI; without it the bundle has no library.
  @discardableResult func add(_ name: String, ports: String, more: String = "", code: String? = nil) throws
    -> String
  {
    let uri = "urn:swiftlet:test:\(name)"
    let folder = path + "/\(name).lv2"
    try write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      <\(uri)> a lv2:Plugin ; lv2:binary <\(name).so> ; rdfs:seeAlso <\(name).ttl> .
      """, to: "\(name).lv2/manifest.ttl")
    try write(
      Self.prefixes + "<\(uri)> a lv2:Plugin ; doap:name \"\(name)\" ; lv2:port \(ports) \(more) .\n",
      to: "\(name).lv2/\(name).ttl")
    if let code {
      try write(Self.preamble.replacing("$URI", with: uri) + code, to: "\(name).lv2/\(name).c")
      let compiler = Process()
      compiler.executableURL = URL(filePath: "/usr/bin/env")
      compiler.arguments = [
        "cc", "-shared", "-fPIC", "-O1", "-w", "-o", "\(folder)/\(name).so", "\(folder)/\(name).c", "-lm",
      ]
      try compiler.run()
      compiler.waitUntilExit()
      try #require(compiler.terminationStatus == 0, "the fixture's C does not compile")
    }
    return uri
  }

  /// Returns the Turtle of one port.
  static func port(_ index: Int, _ symbol: String, _ kinds: String, _ more: String = "") -> String {
    "[ a \(kinds) ; lv2:index \(index) ; lv2:symbol \"\(symbol)\" ; lv2:name \"\(symbol)\" \(more) ]"
  }

  /// Turtle of one audio input and one audio output.
  static let throughPorts = [
    port(0, "in", "lv2:InputPort, lv2:AudioPort"), port(1, "out", "lv2:OutputPort, lv2:AudioPort"),
  ].joined(separator: " , ")

  static let prefixes = """
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix bufsz: <http://lv2plug.in/ns/ext/buf-size#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix midi: <http://lv2plug.in/ns/ext/midi#> .
    @prefix patch: <http://lv2plug.in/ns/ext/patch#> .
    @prefix opts: <http://lv2plug.in/ns/ext/options#> .
    @prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
    @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix rsz: <http://lv2plug.in/ns/ext/resize-port#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    @prefix time: <http://lv2plug.in/ns/ext/time#> .
    @prefix units: <http://lv2plug.in/ns/extensions/units#> .
    @prefix urid: <http://lv2plug.in/ns/ext/urid#> .
    @prefix work: <http://lv2plug.in/ns/ext/worker#> .

    """

  /// C source at the start of every fixture: an instance with its ports, and functions that most fixtures share.
  static let preamble = """
    #include <lv2/atom/atom.h>
    #include <lv2/atom/util.h>
    #include <lv2/buf-size/buf-size.h>
    #include <lv2/core/lv2.h>
    #include <lv2/log/log.h>
    #include <lv2/options/options.h>
    #include <lv2/state/state.h>
    #include <lv2/urid/urid.h>
    #include <lv2/worker/worker.h>
    #include <locale.h>
    #include <math.h>
    #include <stdlib.h>
    #include <string.h>
    #define PLUGIN "$URI"
    typedef struct { float *port[32]; long state[32]; double rate; const LV2_Feature *const *features; } Self;
    static void connect_port(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = (float *)p; }
    static void *feature(const LV2_Feature *const *f, const char *uri) {
      for (; *f; ++f) if (!strcmp((*f)->URI, uri)) return (*f)->data ? (*f)->data : (void *)1;
      return 0;
    }
    static LV2_Handle make(double rate, const LV2_Feature *const *features) {
      Self *self = (Self *)calloc(1, sizeof(Self)); self->rate = rate; self->features = features; return self;
    }
    static void cleanup(LV2_Handle h) { free(h); }
    #define EXPORT(instantiate, activate, run, extension_data) \\
      static const LV2_Descriptor descriptor = \\
        {PLUGIN, instantiate, connect_port, activate, run, 0, cleanup, extension_data}; \\
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i == 0 ? &descriptor : 0; }
    #define INSTANTIATE(name) static LV2_Handle name( \\
      const LV2_Descriptor *d, double rate, const char *bundle, const LV2_Feature *const *features)

    """
}
