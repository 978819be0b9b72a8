// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLV2
import Testing

@testable import Swiftlet

/// A folder with plugins for tests of latency and block lengths.
final class LatePluginFolder {
  let path = NSTemporaryDirectory() + "/swiftlet-late-\(UUID().uuidString)"
  let world: PluginWorld

  /// Builds the plugins.
  ///
  /// - `urn:test:late` delays by `delay` frames, which it reports as its latency. In its first 300 frames it reports 0.
  /// - `urn:test:length` plays the length of its blocks in frames, divided by 1024.
  /// - `urn:test:greedy` works on as many frames as its longest block had, even if a block is shorter, and writes 7
  ///   after the end of that.
  init() throws {
    world = PluginWorld(path: path)
    try build(
      "late", presets: ["slow": 777],
      run: """
        long want = (long)*s->port[2];
        for (uint32_t i = 0; i < n; ++i, ++s->frames) {
          s->memory[s->frames & 0x3ffff] = s->port[0][i];
          s->port[1][i] = s->frames >= want ? s->memory[(s->frames - want) & 0x3ffff] : 0;
        }
        *s->port[3] = s->frames > 300 ? want : 0;
        """)
    try build("length", run: "for (uint32_t i = 0; i < n; ++i) s->port[1][i] = n / 1024.0f;")
    try build(
      "greedy",
      run: """
        uint32_t most = s->frames; if (n > most) s->frames = most = n;
        for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i] * *s->port[2];
        for (uint32_t i = n; i < most; ++i) s->port[1][i] = 7;
        """)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func build(_ name: String, presets: [String: Int] = [:], run: String) throws {
    let preset = presets.map { label, value in
      """
      <urn:test:\(name)#\(label)> a <http://lv2plug.in/ns/ext/presets#Preset> ; lv2:appliesTo <urn:test:\(name)> ;
        <http://www.w3.org/2000/01/rdf-schema#label> "\(label)" ;
        lv2:port [ lv2:symbol "delay" ; <http://lv2plug.in/ns/ext/presets#value> \(value).0 ] .
      """
    }.joined(separator: "\n")
    let manifest = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      <urn:test:\(name)> a lv2:Plugin ; lv2:binary <\(name).so> ; <http://usefulinc.com/ns/doap#name> "\(name)" ;
        lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
        [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "delay" ; lv2:name "Delay" ;
          lv2:default 0.0 ; lv2:minimum 0.0 ; lv2:maximum 200000.0 ] ,
        [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 3 ; lv2:symbol "latency" ; lv2:name "Latency" ;
          lv2:designation lv2:latency ] .
      \(preset)
      """
    let code = """
      #include <lv2/core/lv2.h>
      #include <stdlib.h>
      typedef struct { float *port[4]; long frames; float memory[0x40000]; } Self;
      static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
        return calloc(1, sizeof(Self));
      }
      static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
      static void run(LV2_Handle h, uint32_t n) { Self *s = h; \(run) }
      static const LV2_Descriptor descriptor = {"urn:test:\(name)", start, connect, 0, run, 0, free, 0};
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
      """
    try compilePlugin(name, in: path + "/\(name).lv2", manifest: manifest, code: code)
  }

  /// Makes a node with one of the plugins.
  func make(
    _ name: String, for engine: AudioEngine, as node: String = "p", isolated: Bool = false
  ) throws -> NewNode {
    let isolation = isolated ? PluginIsolation() : nil
    return try engine.makePlugin("urn:test:\(name)", channels: 1, isolation: isolation, node, of: world)
  }

  /// Adds one of the plugins to an engine.
  func attach(
    _ name: String, to engine: AudioEngine, as node: String = "p", isolated: Bool = false
  ) throws -> AudioNode {
    try engine.add(make(name, for: engine, as: node, isolated: isolated), isNamed: true)
  }

  /// The folder of ``saveState(delay:)``.
  var state: String { path + "/late.state" }

  /// Saves the state of a plugin `late` with this delay.
  func saveState(delay: Int) throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 64))
    let plugin = try attach("late", to: engine)
    try plugin.set("delay", to: Float(delay))
    try engine.saveState(to: state, title: nil, of: plugin)
  }
}

/// The ways to change the latency of the plugin `late`.
enum LatencyChange: CaseIterable {
  case parameter, preset, state

  /// The new latency in frames.
  var latency: Int {
    switch self {
    case .parameter: 4800
    case .preset: 777
    case .state: 2400
    }
  }

  func apply(to plugin: AudioNode, _ folder: LatePluginFolder) throws {
    switch self {
    case .parameter: try plugin.set("delay", to: Float(latency))
    case .preset: try plugin.load(preset: "slow")
    case .state: try plugin.engine.loadState(from: folder.state, on: plugin)
    }
  }
}
