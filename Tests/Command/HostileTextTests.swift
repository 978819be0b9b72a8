// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// File names, tags, manifests, plugins and JACK clients with control, bidirectional and invisible characters: every
/// command escapes them.
@Suite(.timeLimit(.minutes(10))) struct HostileTextTests {
  /// Sets a colour and a title, breaks the line, changes the text direction, has an invisible space, and is a C1
  /// control.
  static let poison = "\u{1B}[31m\u{1B}]0;x\u{7}\r\nZ\u{202E}\u{200B}\u{2066}\u{9B}5m"

  let scratch: Scratch
  let swiftlet: Command
  /// The names of a sound file and a manifest; manifests name files without control characters only.
  let sound = "s\(poison).wav", manifest = "m\(poison).yaml"

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(environment: ["LV2_PATH": scratch.path], folder: scratch.path)
    try VoiceFixture.sine("\(scratch.path)/plain.wav", seconds: 0.2)
    let tagged = try swiftlet.run(
      program: "/usr/bin/ffmpeg",
      [
        "-v", "error", "-i", "plain.wav", "-metadata", "title=t\(Self.poison)", "-metadata",
        "artist=a\(Self.poison)", "tagged.flac",
      ], limit: 20)
    try #require(tagged.status == 0, "\(tagged.messages)")
    for name in [sound, "hidden\u{202E}\u{200B}.wav"] {
      try FileManager.default.copyItem(atPath: "\(scratch.path)/plain.wav", toPath: "\(scratch.path)/\(name)")
    }
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/evil.lv2", withIntermediateDirectories: true)
    // The escapes of Turtle and YAML for these characters.
    let turtle = #"\u001B[31m\u0007\r\n\u202E\u200B\u009B"#, yaml = #"\e[31m\a\r\n\u202E\u200B\u009B"#
    try scratch.write(
      #"""
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      <urn:test:evil> a lv2:Plugin ; lv2:binary <evil.so> ; doap:name "EvilP" ; rdfs:comment "MeantP" ; lv2:port
        [ a lv2:AudioPort, lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "InP" ] ,
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "OutP" ] ,
        [ a lv2:ControlPort, lv2:InputPort ; lv2:index 2 ; lv2:symbol "depth" ; lv2:name "DepthP" ;
          lv2:default 1.0 ; lv2:minimum 0.0 ; lv2:maximum 2.0 ;
          lv2:scalePoint [ rdfs:label "HalfP" ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> 1.0 ] ] .
      <urn:test:picky> a lv2:Plugin ; lv2:binary <evil.so> ; doap:name "PickyP" ;
        lv2:requiredFeature <urn:x:\u202E> ; lv2:port
        [ a lv2:AudioPort, lv2:OutputPort ; lv2:index 0 ; lv2:symbol "out" ; lv2:name "Out" ] .
      """#.replacing("P\"", with: turtle + "\""), to: "evil.lv2/manifest.ttl")
    // Lists leave out plugins without a library.
    try scratch.write(
      """
      #include <lv2/core/lv2.h>
      static const LV2_Descriptor descriptor = {"urn:test:evil"};
      const LV2_Descriptor *lv2_descriptor(uint32_t i) { return i ? 0 : &descriptor; }
      """, to: "evil.c")
    let built = try swiftlet.shell("cc -shared -fPIC -w -o evil.lv2/evil.so evil.c")
    try #require(built.status == 0, "\(built.messages)")
    try scratch.write(
      """
      swiftlet: 1
      name: "v\\u202Eoice\\u200B"
      nodes:
        mic: { capture: mono, connect: "peer\\u202E:\\u200Bport" }
        song: { player: "hidden\\u202E\\u200B.wav" }
        desk: { playback: mono, connect: none }
      wires: [ mic -> desk, song -> desk ]
      taps: { dry: { after: mic, record: "take\\u202E\\u200B.wav" } }
      """, to: manifest)
    try scratch.write(
      """
      swiftlet: 1
      name: "n\(yaml)"
      "k\(yaml)": 1
      nodes:
        "n\(yaml)": capture
        mic: { capture: "mono\(yaml)", "w\(yaml)": 1 }
        tone: { effect: "e\(yaml)", set: { "p\(yaml)": 1 } }
        evil: { lv2: "urn:test:\(yaml)", preset: "p\(yaml)" }
        song: { player: "gone\(yaml).wav" }
      wires: [ "a\(yaml) -> b\(yaml)", "mic -> tone[\(yaml)]" ]
      taps: { "t\(yaml)": { after: "x\(yaml)", record: "y\(yaml)" } }
      """, to: "wrong\(Self.poison).yaml")
    try scratch.write("swiftlet: 1\nnodes: [ \u{202E}\u{200B} \u{85} { *x\n", to: "broken.yaml")
  }

  /// Returns the characters of a text that must not reach a terminal, except Swiftlet's colours if requested.
  static func foul(_ text: String, isColored: Bool = false) -> [String] {
    let plain = isColored ? text.replacing(#/\u{1B}\[(0|1|2|31|32|33|36)m/#, with: "") : text
    return plain.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0xAD, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
        true
      default: false
      }
    }.map { String($0.value, radix: 16) }
  }

  private func expectClean(_ outcome: Command.Outcome, _ what: String, isColored: Bool = false) {
    #expect(
      Self.foul(outcome.output, isColored: isColored).isEmpty, "\(what): \(outcome.output.debugDescription)")
    #expect(
      Self.foul(outcome.messages, isColored: isColored).isEmpty,
      "\(what): \(outcome.messages.debugDescription)")
  }

  @Test func `no command prints control, bidirectional or invisible characters of its input`() throws {
    let poison = Self.poison, wrong = "wrong\(poison).yaml"
    try scratch.write("no journal", to: "\(sound).journal")
    try scratch.write("no journal", to: "take\(poison).flac.journal")
    let commands: [[String]] = [
      ["check", manifest], ["check", wrong], ["check", "broken.yaml"], ["check", "none\(poison).yaml"],
      ["check", sound], ["render", wrong, "-o", "a.wav"],
      ["render", manifest, "-o", "o\(poison).wav", "--input", "mic=\(sound)", "--no-record"],
      ["render", manifest, "-o", "o\(poison).wav", "--input", "mic=\(sound)"],
      ["render", manifest, "-o", "p.wav", "--input", "mic=\(poison)"],
      ["render", manifest, "-o", "p\(poison)=p.wav"], ["render", manifest, "-o", "p.\(poison)"],
      ["render", manifest, "-o", "p.wav", "--tag", "title\(poison)=x"], ["render", manifest, "--\(poison)"],
      ["render", manifest, "-o", "q.wav", "--for", "0.1", "--set", "mic.\(poison)=1"],
      ["render", manifest, "-o", "q.wav", "--for", "0.1", "--set", "\(poison)=1"],
      ["render", manifest, "-o", "q.wav", "--range", "\(poison)..1"],
      ["render", manifest, "-o", "r.wav", "--stems", "stems\(poison)", "--for", "0.1", "--no-record"],
      ["graph", manifest, "--format", "plan"], ["graph", manifest, "--format", "dot"], ["graph", manifest],
      ["graph", manifest, "-o", "x.\(poison)"], ["graph", "none\(poison)"],
      ["list"], ["list", "--json"], ["list", "-v"], ["list", poison],
      ["show", "urn:test:evil"], ["show", "urn:test:evil", "--json"], ["show", "urn:test:picky"],
      ["show", poison], ["show", sound], ["show", sound, "--json"], ["show", "tagged.flac"],
      ["show", "tagged.flac", "--json"], ["show", "none\(poison).wav"], ["show", "\(manifest):\(poison)"],
      ["show", sound, "--plot", "/dev/stdout"], ["show", "tagged.flac", "--plot", "/dev/stdout"],
      ["show", "equalizer", "--plot", "x\(poison)"],
      ["recover", "none\(poison)"], ["recover", "."], ["recover", ".", "--json"],
      ["bench", manifest, "--for", "0.01"], ["bench", manifest, "--for", "0.01", "--json"],
      ["bench", manifest, "--block", poison], ["lv2", "install", "none\(poison)/x"], ["lv2", poison],
      ["schema"], ["schema", poison], [poison], ["--\(poison)"], ["help", poison],
      ["run", "--chain", "gain | \(poison)"], ["run", "--chain", "gain", "--save", "none\(poison)/x.yaml"],
      ["run", manifest, "--server", "none\(poison)"], ["run", "none\(poison)"],
      ["run", manifest, "--play", "\(poison)=x.wav", "--dummy"], ["run", manifest, "--dummy=\(poison)"],
      ["--generate-completion-script", poison],
    ]
    for arguments in commands {
      let outcome = try swiftlet.run(program: Command.path, arguments, limit: 60)
      expectClean(outcome, "\(arguments)")
      #expect([0, 1, 2, 3, 4].contains(outcome.status), "\(arguments): \(outcome)")
      guard outcome.status != 0 else { continue }
      #expect(!outcome.messages.isEmpty, "\(arguments)")
    }
  }

  @Test(arguments: [
    ["show", "tagged.flac"], ["list"], ["check", "wrong\(poison).yaml"], ["show", "urn:test:evil"],
  ])
  func `with colours no escape codes but those of colours are printed`(arguments: [String]) throws {
    let outcome = try swiftlet.run(program: Command.path, arguments + ["--color", "always"], limit: 30)
    expectClean(outcome, "\(arguments)", isColored: true)
    #expect((outcome.output + outcome.messages).contains("\u{1B}["))
    // The input's colour code is printed as text.
    #expect((outcome.output + outcome.messages).contains("\\u{1B}[31m"), "\(outcome)")
  }

  @Test func `a result is one line that shows the file's escaped name`() throws {
    let name = "o\(Self.poison).wav"
    let outcome = try swiftlet.run(
      "render", manifest, "-o", name, "--input", "mic=\(sound)", "--no-record")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.output.hasPrefix(
        #"o\u{1B}[31m\u{1B}]0;x\u{7}\r\nZ\u{202E}\u{200B}\u{2066}\u{9B}5m.wav  0:00.2  peak "#),
      "\(outcome.output)")
    #expect(outcome.output.filter { $0 == "\n" }.count == 1)
    #expect(scratch.names.contains(name))
  }

  @Test func `JSON escapes control and bidirectional characters by its own rule`() throws {
    let outcome = try swiftlet.run("show", "tagged.flac", "--json")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let tags = try #require(value?["tags"] as? [String: String])
    #expect(tags["title"]?.unicodeScalars.contains("\u{202E}") == true, "\(tags)")
  }

  @Test func `pictures are valid XML`() throws {
    for arguments in [
      ["show", "tagged.flac", "--plot", "a.svg"], ["graph", manifest, "-o", "a.svg"],
    ] {
      let outcome = try swiftlet.run(program: Command.path, arguments, limit: 30)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(XMLParserCheck.isValid(try #require(scratch.bytes("a.svg"))), "\(arguments)")
      #expect(Self.foul(scratch.text("a.svg").replacing("\t", with: " ")).isEmpty, "\(arguments)")
    }
  }

  //  a client whose name moves cursors ──► the capture node, on a server and on a terminal
  @Test func `the name of a JACK client is printed escaped`() throws {
    try scratch.write(
      """
      import ctypes, sys, time
      jack = ctypes.CDLL("libjack.so.0")
      jack.jack_client_open.restype = ctypes.c_void_p
      jack.jack_port_register.restype = ctypes.c_void_p
      status = ctypes.c_int()
      name = b"peer\\x1b[31m\\xe2\\x80\\xae\\xe2\\x80\\x8b\\n"
      client = ctypes.c_void_p(jack.jack_client_open(name, 1, ctypes.byref(status)))
      jack.jack_activate(client)
      port = b"out\\x1b[2J\\xc2\\x9b"
      jack.jack_port_register(client, port, b"32 bit float mono audio", ctypes.c_ulong(2), ctypes.c_ulong(0))
      print("ready", flush=True)
      time.sleep(60)
      """, to: "peer.py")
    try scratch.write(
      """
      swiftlet: 1
      name: "v\\u202Eoice"
      nodes: { mic: { capture: mono, connect: "/peer[^:]*:.*/" }, desk: { playback: mono, connect: "/peer[^:]*gone/" } }
      wires: [ mic -> desk ]
      """, to: "peer.yaml")
    let outcome = try swiftlet.shell(
      """
      export JACK_DEFAULT_SERVER=swiftlet-hostile-$$
      jackd -n $JACK_DEFAULT_SERVER --port-max 256 -S -r -d dummy -C 2 -P 2 > /dev/null 2>&1 & server=$!
      for n in $(seq 300); do timeout -s KILL 10 jack_lsp > /dev/null 2>&1 && break; sleep 0.1; done
      python3 peer.py > ready 2> /dev/null & peer=$!
      for n in $(seq 300); do grep -q ready ready && break; sleep 0.1; done
      swiftlet run peer.yaml --for 0.5 -v; echo "status $?"
      kill $peer; wait $peer 2> /dev/null
      kill -TERM $server; wait $server 2> /dev/null
      """, limit: 100)
    expectClean(outcome, "peer")
    #expect(outcome.output.contains("status 0\n"), "\(outcome)")
    #expect(outcome.messages.contains(#"connected peer\u{1B}[31m\u{202E}\u{200B}"#), "\(outcome.messages)")
  }
}

/// Whether a parser accepts bytes as XML.
private enum XMLParserCheck {
  static func isValid(_ data: Data) -> Bool {
    // Python's parser accepts only XML 1.0's control characters, and Graphviz's document type.
    let process = Process(), input = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin.buffer)",
    ]
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    try? input.fileHandleForWriting.write(contentsOf: data)
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
