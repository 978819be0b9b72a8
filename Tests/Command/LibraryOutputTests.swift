// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Output of libraries and plugins does not mix with results and messages, and is shown if it explains a crash.
@Suite(.timeLimit(.minutes(5))) struct LibraryOutputTests {
  /// A plugin that passes sound on. `instantiate` prints to both streams, and then does what the plugin's URI names.
  private static let code = #"""
    #include <lv2/core/lv2.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    static float *ports[2];
    static LV2_Handle start(const LV2_Descriptor *d, double rate, const char *b, const LV2_Feature *const *f) {
      static int self;
      const char *how = strrchr(d->URI, ':') + 1;
      printf("\x1b[31mhello\xe2\x80\xae\nand ");
      fprintf(stderr, "goodbye\x1b[2J\n");
      fflush(stdout);
      const char *platform = getenv("QT_QPA_PLATFORM");
      printf("platform %s\n", platform ? platform : "none");
      if (!strcmp(how, "null")) { fprintf(stderr, "no dongle\n"); return 0; }
      if (!strcmp(how, "trap")) {
        const char *words = "Fatal error: Index out of range\n";
        write(2, words, strlen(words));
        __builtin_trap();
      }
      if (!strcmp(how, "abort")) { printf("last words\n"); fprintf(stderr, "free(): invalid pointer\n"); abort(); }
      if (!strcmp(how, "overflow")) { volatile char *memory = malloc(8); memory[9] = 1; }
      if (!strcmp(how, "exit")) { fprintf(stderr, "no licence\n"); exit(7); }
      return &self;
    }
    static void connect(LV2_Handle h, uint32_t i, void *p) { ports[i] = p; }
    static void run(LV2_Handle h, uint32_t n) {
      static int count = 0;
      if (count++ == 0) printf("running\n");
      memmove(ports[1], ports[0], n * sizeof(float));
    }
    static void cleanup(LV2_Handle h) {}
    #define IS(how) {"urn:test:" how, start, connect, 0, run, 0, cleanup, 0}
    static const LV2_Descriptor all[] = {IS("talk"), IS("trap"), IS("abort"), IS("exit"), IS("overflow"), IS("run"), IS("null")};
    const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i < 7 ? all + i : 0; }
    """#

  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
  }

  /// Builds the plugins, and writes a manifest with one of them.
  private func plugin(_ name: String, flags: String = "") throws {
    let bundle = scratch.path + "/loud.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let ports = """
      a lv2:Plugin ; lv2:binary <loud.so> ; <http://usefulinc.com/ns/doap#name> "Loud" ;
        lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] .
      """
    let plugins = ["talk", "trap", "abort", "exit", "overflow", "run", "null"].map {
      "<urn:test:\($0)> \(ports)\n"
    }.joined()
    let head = "@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n"
    try scratch.write(head + plugins, to: "loud.lv2/manifest.ttl")
    try scratch.write(Self.code, to: "loud.c")
    let built = try swiftlet.shell("cc \(flags) -shared -fPIC -w -o loud.lv2/loud.so loud.c")
    try #require(built.status == 0, "\(built.messages)")
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        mic: { capture: mono, connect: none }
        loud: { lv2: "urn:test:\(name)" }
        desk: { playback: mono, connect: none }
      wires: [ mic -> loud -> desk ]
      """, to: "loud.yaml")
  }

  @Test func `plugin output is printed only with -v, escaped and labelled`() throws {
    try plugin("talk")
    let quiet = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "--json")
    #expect(quiet.status == 0 && quiet.output.hasPrefix("{\n"), "\(quiet)")
    #expect(
      !(quiet.output + quiet.messages).contains("hello") && !quiet.messages.contains("goodbye"), "\(quiet)")
    let verbose = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "--json", "-v")
    #expect(verbose.output.hasPrefix("{\n") && !verbose.output.contains("hello"), "\(verbose)")
    #expect(
      verbose.messages.contains("output of the plugin 'loud': \\u{1B}[31mhello\\u{202E}\n"), "\(verbose)")
    #expect(verbose.messages.contains("goodbye\\u{1B}[2J\n"), "\(verbose)")
    #expect(HostileTextTests.foul(verbose.messages).isEmpty)
  }

  @Test func `plugin output in run is labelled, and not mixed with results`() throws {
    try plugin("run")
    let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "--json", "-v")
    #expect(outcome.output.hasPrefix("{\n") && !outcome.output.contains("running"), "\(outcome)")
    #expect(outcome.messages.contains("output of the plugin 'loud': running\n"), "\(outcome)")
  }

  @Test func `plugin output in a failing instantiate is the reason of the error`() throws {
    try plugin("null")
    let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains("refused to start: ") && outcome.messages.contains("no dongle"), "\(outcome)")
  }

  @Test func `a plugin that crashes in instantiate is named`() throws {
    try plugin("abort")
    let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(
      outcome.messages.contains(
        "the plugin of 'loud' <urn:test:abort> crashed in instantiate: SIGABRT, at libc"),
      "\(outcome)")
    // Printed to C's standard output without a flush.
    #expect(outcome.messages.contains("last words\n"), "\(outcome)")
  }

  @Test func `Qt uses the offscreen platform if there is no display`() throws {
    try plugin("talk")
    let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "-v")
    #expect(outcome.messages.contains("platform offscreen\n"), "\(outcome)")
    for (name, value, platform) in [
      ("DISPLAY", ":77", "none"), ("WAYLAND_DISPLAY", "wayland-7", "none"),
      ("QT_QPA_PLATFORM", "minimal", "minimal"),
    ] {
      var swiftlet = swiftlet
      swiftlet.environment[name] = value
      let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "-v")
      #expect(outcome.messages.contains("platform \(platform)\n"), "\(name): \(outcome)")
    }
  }

  //  loud.so ──► libsynth.so ──► libQt5Gui.so.5, an empty library of that name
  @Test func `a plugin that uses Qt is refused if there is neither a display nor a platform`() throws {
    let built = try swiftlet.shell(
      """
      mkdir loud.lv2 && cd loud.lv2 && touch empty.c
      cc -shared -fPIC -Wl,-soname,libQt5Gui.so.5 -o libQt5Gui.so.5 empty.c
      cc -shared -fPIC -Wl,--no-as-needed,-rpath,'$ORIGIN',-soname,libsynth.so -o libsynth.so empty.c ./libQt5Gui.so.5
      """)
    try #require(built.status == 0, "\(built.messages)")
    try plugin("talk", flags: "-Wl,--no-as-needed,-rpath,'$ORIGIN' loud.lv2/libsynth.so -Lloud.lv2")
    let offscreen = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "-v")
    #expect(offscreen.status == 0 && offscreen.messages.contains("platform offscreen\n"), "\(offscreen)")
    // With a value, even an empty one, the tool leaves the variable as it is, as the library always does.
    var swiftlet = swiftlet
    swiftlet.environment["QT_QPA_PLATFORM"] = ""
    let refused = try swiftlet.run("bench", "loud.yaml", "--for", "0.01", "-v")
    #expect(refused.status == 3, "\(refused)")
    #expect(
      refused.messages.contains("cannot be used: it uses Qt, which ends the program if there is no display"),
      "\(refused)")
    swiftlet.environment["DISPLAY"] = ":77"
    #expect(try swiftlet.run("bench", "loud.yaml", "--for", "0.01").status == 0)
  }

  @Test(arguments: [
    ("trap", "Fatal error: Index out of range\n"), ("abort", "free(): invalid pointer\n"),
    ("exit", "no licence\n"),
  ]) func `the last output before the program ends reaches standard error`(_ name: String, _ words: String)
    throws
  {
    try plugin(name)
    var swiftlet = swiftlet
    // Swift's backtrace prints memory as characters of any kind.
    swiftlet.environment["SWIFT_BACKTRACE"] = "enable=no"
    let outcome = try swiftlet.run("bench", "loud.yaml", "--for", "0.01")
    #expect(outcome.status == 3, "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains(words), "\(outcome)")
    #expect(outcome.messages.hasPrefix("swiftlet: error: "), "\(outcome)")
    #expect(HostileTextTests.foul(outcome.messages).isEmpty, "\(outcome)")
  }

  @Test func `a sanitizer's report reaches standard error`() throws {
    try plugin("overflow", flags: "-fsanitize=address")
    let outcome = try swiftlet.shell(
      """
      export LD_PRELOAD=$(cc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0
      exec swiftlet bench loud.yaml --for 0.01
      """)
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("ERROR: AddressSanitizer: heap-buffer-overflow"), "\(outcome)")
  }

  @Test func `libmpg123's messages about a damaged file are not shown on the terminal`() throws {
    let made = try swiftlet.shell("sox voice.wav voice.mp3")
    try #require(made.status == 0, "\(made.messages)")
    var bytes = try #require(scratch.bytes("voice.mp3"))
    var random: UInt32 = 4
    for _ in 0..<300 {
      random = random &* 1_664_525 &+ 1_013_904_223
      bytes[2000 + Int(random >> 8) % (bytes.count - 2000)] = UInt8(random >> 24)
    }
    try bytes.write(to: URL(filePath: "\(scratch.path)/bad.mp3"))
    let quiet = try swiftlet.run("show", "bad.mp3")
    #expect(quiet.messages.isEmpty || quiet.messages.hasPrefix("swiftlet: error: 'bad.mp3' "), "\(quiet)")
    let verbose = try swiftlet.run("show", "bad.mp3", "-v")
    let lines = verbose.messages.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("library output: ") }, "the file is not damaged enough: \(verbose)")
    #expect(lines.allSatisfy { $0.hasPrefix("library output: ") || $0.hasPrefix("swiftlet: ") }, "\(verbose)")
  }

  @Test func `the reason for an unreadable file is in Swiftlet's own words`() throws {
    let sound = try #require(scratch.bytes("voice.wav"))
    for (name, offset) in [("header", 20), ("riff", 8), ("size", 16), ("channels", 22)] {
      var bytes = sound
      bytes.replaceSubrange(offset..<offset + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      try bytes.write(to: URL(filePath: "\(scratch.path)/\(name).wav"))
      let outcome = try swiftlet.run("show", "\(name).wav")
      for words in ["internal error", "Error in", "error :", "Error :", "NSCocoa"] {
        #expect(!outcome.messages.contains(words), "\(outcome)")
      }
      if outcome.status != 0 {
        #expect(outcome.messages.hasPrefix("swiftlet: error: '\(name).wav' "), "\(outcome)")
      }
    }
    try Data("\0\0\0\u{20}ftypM4A nothing of a movie".utf8).write(to: URL(filePath: "\(scratch.path)/a.m4a"))
    let movie = try swiftlet.run("show", "a.m4a")
    #expect(
      movie.status == 1 && !movie.messages.contains("moov") && !movie.messages.contains("Invalid data"),
      "\(movie)")
    let unreadable = try swiftlet.shell("swiftlet check - 0> /dev/null")
    #expect(unreadable.status == 1)
    #expect(
      unreadable.messages
        == "stdin: error: cannot be read: Bad file descriptor; expected a file that can be read\n",
      "\(unreadable)")
  }
}
