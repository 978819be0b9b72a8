// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A plugin that crashes in the tool's process ends the tool, but recorded takes are kept.
@Suite struct CrashTests {
  /// A plugin that passes its input on, and crashes after the number of frames of `after`.
  private static let code = """
    #include <lv2/core/lv2.h>
    #include <signal.h>
    #include <stdlib.h>
    typedef struct { float *port[3]; long frames; } Self;
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      return calloc(1, sizeof(Self));
    }
    static void connect(LV2_Handle h, uint32_t i, void *p) { ((Self *)h)->port[i] = p; }
    static void run(LV2_Handle h, uint32_t n) {
      Self *s = h;
      for (uint32_t i = 0; i < n; ++i) s->port[1][i] = s->port[0][i];
      if ((s->frames += n) > *s->port[2]) *(volatile int *)0 = 1;
    }
    static void cleanup(LV2_Handle h) { free(h); }
    static const LV2_Descriptor descriptor = {"urn:test:crasher", start, connect, 0, run, 0, cleanup, 0};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
    """
  private static let description = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    <urn:test:crasher> a lv2:Plugin ; lv2:binary <crasher.so> ; <http://usefulinc.com/ns/doap#name> "Crasher" ;
      lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
      [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
      [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "after" ; lv2:name "After" ;
        lv2:default 96000.0 ; lv2:minimum 0.0 ; lv2:maximum 1000000.0 ] .
    """

  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    let bundle = scratch.path + "/crasher.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try scratch.write(Self.description, to: "crasher.lv2/manifest.ttl")
    try scratch.write(Self.code, to: "crasher.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o crasher.lv2/crasher.so crasher.c")
    try #require(built.status == 0, "\(built.messages)")
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 6)
    try scratch.write(
      """
      swiftlet: 1
      name: crash
      nodes:
        song: { player: song.wav }
        bad:  { lv2: "urn:test:crasher" }
        desk: { playback: mono, connect: none }
      wires:
        - song -> bad -> desk
      taps:
        plain: { after: song, record: "{tap}.wav" }
        coded: { after: song, record: "{tap}.flac" }
        apple: { after: song, record: { file: "{tap}.m4a", format: alac } }
        aac:   { after: song, record: { file: "{tap}.m4a", bit-rate: 96000 } }
        small: { after: song, record: { file: "{tap}.caf", format: ima4, rate: 22050 } }
        loud:  { after: song, record: { file: "{tap}.mp3", quality: 0.5 } }
      """, to: "crash.yaml")
  }

  //   song ──► crasher ──► desk        (six taps after the song)
  @Test func `a crashing plugin loses no sound of any take, in any format`() throws {
    let crash = try swiftlet.run(
      "run", "crash.yaml", "--dummy", "--takes", "takes", "--set", "bad.after=96000", limit: 100)
    #expect(crash.status == 3, "\(crash.messages)")
    #expect(
      crash.messages.contains(
        "the plugin of 'bad' <urn:test:crasher> crashed in run: SIGSEGV for the address 0x0"),
      "\(crash.messages)")
    // Encoding may take longer than the two seconds after a crash.
    let outcome = try swiftlet.run("recover", "takes")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let takes = ["aac.m4a", "apple.m4a", "coded.flac", "loud.mp3", "plain.wav", "small.caf"]
    #expect(scratch.takes == takes)
    for take in takes {
      let shown = try swiftlet.shell(
        "ffprobe -v error -show_entries stream=duration,sample_rate -of csv=p=0 takes/\(take)")
      let parts = shown.output.split { $0 == "," || $0 == "\n" }.compactMap { Double($0) }
      try #require(parts.count == 2, "\(take): \(shown.output) \(shown.messages)")
      #expect(parts[0] == (take == "small.caf" ? 22_050 : 48_000), "\(take)")
      #expect(1.98...2.25 ~= parts[1], "\(take): \(parts[1]) s")
    }
    // The cycle of 1024 frames in which the plugin crashed may be lost.
    let song = try samples("song.wav")
    for take in ["plain.wav", "coded.flac"] {
      let kept = try samples("takes/\(take)")
      #expect(95_232...96_256 ~= kept.count, "\(take): \(kept.count) frames")
      // FLAC keeps 24 bits.
      #expect(zip(kept, song).allSatisfy { abs($0 - $1) < 1e-6 }, "\(take) is not the song from its start")
    }
  }

  private func samples(_ name: String) throws -> [Float] { try scratch.samples(name, swiftlet) }
}
