// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Renders that cannot read or write a file, or are interrupted.
extension RenderTests {
  @Test func `an unreadable input ends with status 1 and one line, and writes no file`() throws {
    try scratch.write("", to: "empty.wav")
    try scratch.write("this is no sound", to: "text.wav")
    let whole = try Data(contentsOf: URL(filePath: "\(scratch.path)/voice.wav"))
    try whole.prefix(2000).write(to: URL(filePath: "\(scratch.path)/cut.wav"))
    let before = scratch.names
    for file in ["missing.wav", "empty.wav", "text.wav", "cut.wav", "."] {
      let outcome = try swiftlet.run(
        "render", "plain.yaml", "--input", "mic=\(file)", "--output", "desk=out.wav")
      #expect(outcome.status == 1)
      #expect(outcome.messages.hasPrefix("swiftlet: error: '\(file)' "), "\(outcome.messages)")
      #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
    }
    #expect(scratch.names == before)
  }

  @Test func `existing files are overwritten only on request`() throws {
    try scratch.write("precious", to: "out.wav")
    let line = ["render", "plain.yaml", "--input", "mic=voice.wav", "--output", "desk=out.wav"]
    let refused = try swiftlet.run(program: Command.path, line, limit: 20)
    #expect(refused.status == 1)
    #expect(scratch.text("out.wav") == "precious")
    #expect(try swiftlet.run(program: Command.path, line + ["--overwrite"], limit: 20).status == 0)
    #expect(try VoiceFixture.stat("\(scratch.path)/out.wav", "Length") == 2)
  }

  @Test func `a file size limit ends with status 1 and leaves no partial file`() throws {
    // The limit is 100 blocks of 512 bytes. SIGXFSZ is ignored, since a full disk sends no signal.
    let outcome = try swiftlet.shell(
      "trap '' XFSZ; ulimit -f 100; swiftlet render plain.yaml --input mic=voice.wav --output desk=out.wav")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("'out.wav' "), "\(outcome.messages)")
    #expect(!scratch.names.contains("out.wav"))
  }

  @Test func `takes that a file size limit truncates end with status 4`() throws {
    let full = try swiftlet.shell("ulimit -f 200; swiftlet render voice.yaml --input mic=voice.wav")
    #expect(full.status == 4)
    #expect(full.messages.contains("'dry-001.wav' ended early: "), "\(full.messages)")
  }

  /// Builds a plugin with 2.2 s of latency, and writes the manifest `late.yaml` with it in place of the delay.
  private func writeLate() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/late.lv2", withIntermediateDirectories: true)
    try scratch.write(
      """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      <urn:test:late> a lv2:Plugin ; lv2:binary <late.so> ; <http://usefulinc.com/ns/doap#name> "Late" ;
        lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
        [ a lv2:ControlPort, lv2:OutputPort ; lv2:index 2 ; lv2:symbol "latency" ; lv2:name "Latency" ;
          lv2:designation lv2:latency ] .
      """, to: "late.lv2/manifest.ttl")
    try scratch.write(
      """
      #include <lv2/core/lv2.h>
      #include <stdlib.h>
      enum { LATENCY = 105600 };
      typedef struct { float *port[3]; long frames; float memory[LATENCY]; } Self;
      static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
        return calloc(1, sizeof(Self));
      }
      static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
      static void run(LV2_Handle h, uint32_t n) {
        Self *s = h;
        for (uint32_t i = 0; i < n; ++i) {
          float *at = s->memory + s->frames++ % LATENCY, in = s->port[0][i];
          s->port[1][i] = *at; *at = in;
        }
        *s->port[2] = LATENCY;
      }
      static const LV2_Descriptor descriptor = {"urn:test:late", start, connect, 0, run, 0, free, 0};
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
      """, to: "late.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o late.lv2/late.so late.c")
    try #require(built.status == 0, "\(built.messages)")
    let echo = "effect: delay, set: { time: 250 ms, mix: 25 % }"
    try scratch.write(
      VoiceFixture.manifest.replacing(echo, with: "lv2: \"urn:test:late\""), to: "late.yaml")
  }

  @Test(arguments: ["INT", "TERM"], ["voice", "late"])
  func `a signal ends a render with status 130 and leaves takes only, also behind 2.2 s of latency`(
    signal: String, manifest: String
  ) throws {
    try writeLate()
    let before = scratch.names
    let ended = try swiftlet.shell(
      """
      export LV2_PATH=$PWD
      swiftlet render \(manifest).yaml --for 100000 -o out.flac -o out.wav -o out.m4a 2> words & first=$!
      # Until they hold some sound: a take that ends with its first frame has recorded nothing, and leaves nothing.
      for n in $(seq 600); do [ "$(cat dry-001.wav 2> /dev/null | wc -c)" -gt 1000000 ] && break; sleep 0.1; done
      ls -A > begun; kill -\(signal) $first; wait $first
      """, limit: 150)
    #expect(ended.status == 130)
    #expect(scratch.text("words").contains("interrupted at "), "\(scratch.text("words"))")
    #expect(scratch.text("words").contains("no file was written"))
    #expect(scratch.text("begun").contains(".out.flac.swiftlet-"), "the control: they had begun")
    #expect(
      scratch.names == (before + ["begun", "dry-001.wav", "wet-001.flac", "words"]).sorted(),
      "\(scratch.names)")
    #expect(ended.output.hasPrefix("dry-001.wav  "))
  }
}
