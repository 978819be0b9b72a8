// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import Foundation
import Swiftlet
import Testing

@testable import SwiftletManifest

/// Python's `jsonschema` and `yaml`, which share no code with Swiftlet.
enum Validator {
  static let isThere = run(["-c", "import jsonschema, yaml"], input: "").status == 0

  /// Returns the manifests that the schema refuses, with the validator's reason.
  static func refused(_ texts: [String: String], schema: String) throws -> [String: String] {
    let program = """
      import json, sys, yaml, jsonschema
      given = json.load(sys.stdin)
      jsonschema.Draft202012Validator.check_schema(given["schema"])
      validator = jsonschema.Draft202012Validator(given["schema"])
      refused = {}
      for name, text in given["texts"].items():
        errors = list(validator.iter_errors(yaml.safe_load(text)))
        if errors: refused[name] = jsonschema.exceptions.best_match(errors).message
      json.dump(refused, sys.stdout)
      """
    let schema = try JSONSerialization.jsonObject(with: Data(schema.utf8))
    let input = try JSONSerialization.data(withJSONObject: ["schema": schema, "texts": texts])
    let (status, output) = run(["-c", program], input: String(decoding: input, as: UTF8.self))
    try #require(status == 0, "\(output)")
    return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: String])
  }

  private static func run(_ arguments: [String], input: String) -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let stdin = Pipe(), stdout = Pipe()
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stdout
    do { try process.run() } catch { return (-1, "\(error)") }
    let bytes = Data(input.utf8)
    Thread.detachNewThread {
      try? stdin.fileHandleForWriting.write(contentsOf: bytes)
      try? stdin.fileHandleForWriting.close()
    }
    let output = (try? stdout.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

@Suite(.enabled(if: Validator.isThere, "needs python3 with jsonschema and yaml"))
struct `The schema for editors` {
  static let schema = ManifestSchema.text(effects: EffectCatalog.builtIn.infos)

  @Test func `the schema accepts every shipped manifest`() throws {
    var texts: [String: String] = [:]
    for name in `Shipped manifests`.names { texts[name] = try `Shipped manifests`.text(name).text }
    #expect(try Validator.refused(texts, schema: Self.schema) == [:])
    #expect(try Validator.refused(texts, schema: ManifestSchema.text()) == [:])
  }

  @Test func `the schema accepts what the parser accepts`() throws {
    let texts = [
      "short": "{ swiftlet: 1, nodes: { a: capture, b: playback, k: { midi-in: } }, wires: [ 'a -> b' ] }",
      "wire":
        "swiftlet: 1\nnodes: { a: capture }\nwires:\n  - a[1] -> b.c[2]: { gain: -3, pan: 0.1 }\n  - a -> b: -3dB",
      "strip":
        "swiftlet: 1\nnodes: { a: capture }\nwires:\n  - a -> b: { volume: 0.5, trim: 3 dB, pan-law: -4.5 dB, "
        + "phase: inverted, mute: true, solo: false, solo-safe: true, sends: { c: -6 dB, 'd.in[2]': "
        + "{ pre-fader: true, pan: 1, mute: false }, e: } }",
      "empty": "swiftlet: 1\nnodes: { a: capture }\nwires:\ntaps:",
      "tap": "swiftlet: 1\nnodes: { a: capture }\ntaps: { x: { after: 'a -> b[2]' }, y: { before: a } }",
      "number":
        "swiftlet: 1\nnodes: { a: { effect: equalizer, set: { bands: [ { slope: 24 }, { slope: '6' } ] } } }",
      "units":
        "swiftlet: 1\nnodes: { a: { effect: delay, set: { time: 0.3 s, mix: 20%, low-pass: 3 kHz } } }",
      "loop":
        "swiftlet: 1\nnodes: { a: { player: x, loop: forever, gain: 1e1 dB }, b: { lv2: 'x:y', set: { z: [ {} ] } } }",
      "stretch":
        "swiftlet: 1\nnodes: { a: { player: x, speed: 0.8, varispeed: 1.5, pitch: -3 st, engine: finest } }",
      "song":
        "swiftlet: 1\nnodes: { a: capture }\ntimeline:\n  tempo: 96 bpm\n  meter: 3/4\n  tracks:\n"
        + "    a: { pieces: [ { file: x, at: 5|1, until: 9|1 } ], enabled: false, volume: -6 dB }\n"
        + "    b: { pieces: [], volume: 0.5, mix: [ { ducking: [ 1, -12 dB ], from: 1s, to: 2s } ] }",
      "songs":
        "swiftlet: 1\nnodes: { a: capture }\ntimeline:\n  tempo: [ { at: 1|1, tempo: 96, glides: true }, "
        + "{ at: 5|2.5, tempo: 120 bpm } ]\n  meter: [ { at: 1|1, meter: 3/4 }, { at: 3|1, meter: 12/8 } ]",
      "pan law":
        "swiftlet: 1\nnodes: { a: playback }\ntimeline: { tracks: { t: { pieces: [ { file: x } ], mix: "
        + "[ { pan: [ -1, 1 ], from: 0s, to: 1s, pan-law: -4.5 dB } ] } } }",
      "session":
        "swiftlet: 1\nsession: { options: [ mix-with-others ], mode: voice-prompt, ports: [ system, physical ] }\n"
        + "nodes: { a: { playback: stereo, connect: { first-of: [ [ 'a:1', 'a:2' ], physical:3, b ] } } }",
      "timeline":
        "swiftlet: 1\nnodes: { a: playback }\ntimeline: { loop: 5|1..9|1, start: paused }",
      "loops": "swiftlet: 1\nnodes: { a: { player: x, loop: 3 }, b: { player: x, loop: once } }",
    ]
    #expect(try Validator.refused(texts, schema: Self.schema) == [:])
    for (name, text) in texts {
      #expect(throws: Never.self) { try Manifest(ManifestText(text, file: name)) }
    }
  }

  @Test func `the schema refuses structural errors that the parser refuses`() throws {
    // A schema cannot find the errors of the other fixtures, such as unknown names and invalid YAML.
    let names = """
      no-version version-2 unknown-root-key nodes-as-list node-name no-kind misspelt-kind kind-of-later two-kinds \
      kind-alone-needs-more word-alone unknown-node-key key-of-another-kind channels-word channels-many \
      channels-none midi-in-value loop loop-word gain-unit set-as-list wires-as-mapping wire-without-arrow \
      wire-with-a-gap wire-with-spaces wire-two-keys chain-with-value wire-gain wire-key \
      wire-volume-range wire-pan-law wire-phase wire-mute wire-solo wire-pre-fader sends-as-list send-key \
      send-no-end wire-pan-range delay-short tap-as-word tap-name tap-key tap-without-point tap-two-points record-no-file \
      record-format record-start a-list a-word unknown-effect band-parameter bands-none bands-many \
      timeline-tempo tempo-position meter-word meter-unit session-option session-mode session-ports-word \
      connect-first-key connect-first-in-first connect-first-nothing
      """.split(separator: " ").map(String.init)
    var texts: [String: String] = [:]
    for name in names {
      texts[name] = try ManifestText(
        contentsOf: `Broken manifests`.path(of: name)
      ).text
    }
    let refused = try Validator.refused(texts, schema: Self.schema)
    #expect(Set(texts.keys).subtracting(refused.keys) == [])
  }
}

@Suite struct `The manual` {
  static let folder = `Shipped manifests`.folder

  func page() throws -> String {
    try String(contentsOf: Self.folder.appending(path: "../docs/manifest.md").standardized, encoding: .utf8)
  }

  @Test func `the schema names every key, unit and kind`() throws {
    let page = try page()
    let keys =
      [
        RootKey.descriptions, KindKey.descriptions, NodeKey.descriptions, WireKey.descriptions,
        TapKey.descriptions, TimelineKey.descriptions, TrackKey.descriptions, TrackClipKey.descriptions,
        ClipKey.descriptions, MoveKey.descriptions, LaneSegmentKey.descriptions, TempoKey.descriptions,
        TimeSignatureKey.descriptions, SessionKey.descriptions, ConnectKey.descriptions,
      ]
      .flatMap { $0 } + RecordKey.descriptions
    let words =
      keys.map(\.key) + WrittenUnit.allCases.map(\.rawValue) + Manifest.SampleFormat.allCases.map(\.rawValue)
    let session =
      AudioSession.Category.allCases.map(\.rawValue) + AudioSession.Option.allCases.map(\.rawValue)
      + AudioSession.Mode.allCases.map(\.rawValue)
    for word in words + session { #expect(page.contains("`\(word)`"), "\(word)") }
    for container in AudioContainer.allCases { #expect(page.contains(".\(container.rawValue)")) }
  }

  @Test func `its example is valid without warnings`() throws {
    let page = try page()
    let example = try #require(
      page.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
    let manifest = try ManifestText(String(example), file: "manual").check(against: TestCatalog.catalog)
    #expect(manifest.warnings == [])
  }
}
