// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Programs that only a plugin's code knows: listed by `show`, selected by MIDI and by a manifest.
@Suite(.timeLimit(.minutes(5))) struct PluginProgramTests {
  let scratch: Scratch
  let swiftlet: Command

  /// Outputs its parameter `level`, which its programs set to 0.25 and 0.75.
  init() throws {
    scratch = try Scratch()
    swiftlet = .withPlugins(in: scratch)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/levels.lv2", withIntermediateDirectories: true)
    try scratch.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
      <urn:test:levels> a lv2:Plugin ; lv2:binary <levels.so> ; <http://usefulinc.com/ns/doap#name> "Levels" ;
        lv2:extensionData <http://kxstudio.sf.net/ns/lv2ext/programs#Interface> ;
        lv2:port [ a lv2:InputPort, atom:AtomPort ; lv2:index 0 ; lv2:symbol "keys" ; lv2:name "Keys" ;
          atom:bufferType atom:Sequence ; atom:supports <http://lv2plug.in/ns/ext/midi#MidiEvent> ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
        [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "level" ; lv2:name "Level" ;
          lv2:default 0.5 ; lv2:minimum 0.0 ; lv2:maximum 1.0 ] .
      """, to: "levels.lv2/manifest.ttl")
    try scratch.write(
      """
      #include <lv2/core/lv2.h>
      #include <stdlib.h>
      #include <string.h>
      typedef struct { uint32_t bank, program; const char *name; } Program;
      typedef struct {
        const Program *(*get)(LV2_Handle, uint32_t); void (*select)(LV2_Handle, uint32_t, uint32_t);
      } Programs;
      static const Program all[] = {{0, 3, "Quiet"}, {2, 7, "Loud"}};
      static const Program *get(LV2_Handle h, uint32_t i) { return i < 2 ? all + i : 0; }
      static void choose(LV2_Handle h, uint32_t bank, uint32_t program) { *((float **)h)[2] = bank ? 0.75 : 0.25; }
      static LV2_Handle start(const LV2_Descriptor *d, double r, const char *b, const LV2_Feature *const *f) {
        return calloc(3, sizeof(float *));
      }
      static void connect(LV2_Handle h, uint32_t i, void *p) { ((float **)h)[i] = p; }
      static void run(LV2_Handle h, uint32_t n) {
        float **port = h; for (uint32_t i = 0; i < n; ++i) port[1][i] = *port[2];
      }
      static const void *extension(const char *uri) {
        static const Programs programs = {get, choose};
        return strcmp(uri, "http://kxstudio.sf.net/ns/lv2ext/programs#Interface") ? 0 : &programs;
      }
      static const LV2_Descriptor descriptor = {"urn:test:levels", start, connect, 0, run, 0, free, extension};
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
      """, to: "levels.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o levels.lv2/levels.so levels.c")
    try #require(built.status == 0, "\(built.messages)")
  }

  //  keys ──► levels ──► desk
  private func write(_ keys: String) throws {
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        keys: { midi-in: , connect: none }
        levels: { lv2: "urn:test:levels"\(keys) }
        desk: { playback: 1, connect: none }
      wires: [ keys -> levels -> desk ]
      taps: { wet: { after: levels, record: { file: wet.wav, format: 32-float } } }
      """, to: "levels.yaml")
  }

  /// Renders three seconds with a program change at 1 s, and returns the levels at the start and at the end.
  private func levels(bank: UInt8 = 0, program: UInt8) throws -> (first: Float, last: Float, messages: String)
  {
    let second: [UInt8] = [0x8F, 0x50]
    let track: [UInt8] =
      second + [0xB0, 32, bank, 0, 0xC0, program] + second + [0xB0, 1, 1] + second + [
        0xB0, 1, 2, 0, 0xFF, 0x2F, 0,
      ]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0x03, 0xE8]
    try Data(Array("MThd".utf8) + head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
      .write(to: URL(filePath: "\(scratch.path)/song.mid"))
    let outcome = try swiftlet.run(
      "render", "levels.yaml", "--no-record", "-o", "wet.wav", "--overwrite", "--input", "keys=song.mid",
      limit: 60)
    let heard = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/wet.wav"), "\(outcome.messages)")
    return (heard[1000], try #require(heard.last), outcome.messages)
  }

  @Test func `show lists the programs`() throws {
    let shown = try swiftlet.run("show", "urn:test:levels")
    #expect(shown.status == 0 && shown.output.contains("programs"), "\(shown.output)")
    #expect(shown.output.contains(/1\/4 +Quiet/) && shown.output.contains(/3\/8 +Loud/), "\(shown.output)")
    let json = try swiftlet.run("show", "urn:test:levels", "--json").output.filter { !$0.isWhitespace }
    #expect(
      json.contains(
        #""programs":[{"bank":1,"program":4,"name":"Quiet"},{"bank":3,"program":8,"name":"Loud"}]"#),
      "\(json)"
    )
  }

  @Test(arguments: ["", ", isolate: true, deadline: 100 ms"])
  func `a program change without a preset selects the program of that bank and number`(isolated: String)
    throws
  {
    try write(", program-change: preset\(isolated)")
    let checked = try swiftlet.run("check", "levels.yaml")
    #expect(checked.status == 0 && !checked.messages.contains("no effect"), "\(checked.messages)")
    let loud = try levels(bank: 2, program: 7)
    #expect(loud.first == 0.5 && loud.last == 0.75, "\(loud.messages)")
    let none = try levels(bank: 1, program: 7)
    #expect(none.first == 0.5 && none.last == 0.5)
    #expect(none.messages.contains("'levels' has no preset for program 8 of bank 2"), "\(none.messages)")
  }

  @Test(arguments: ["Quiet", "1/4"]) func `a manifest's preset may be a program`(name: String) throws {
    try write(", preset: '\(name)'")
    let levels = try levels(program: 1)
    #expect(levels.first == 0.25 && levels.last == 0.25, "\(levels.messages)")
  }

  @Test func `a preset that is no program either is an error when the node is made`() throws {
    try write(", preset: Nothing")
    let outcome = try swiftlet.run("render", "levels.yaml", "--no-record", "-o", "wet.wav")
    #expect(outcome.status != 0 && outcome.messages.contains("Nothing"), "\(outcome.messages)")
  }
}
