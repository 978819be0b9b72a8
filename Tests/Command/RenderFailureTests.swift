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

  @Test func `an interrupt leaves takes but no other files, and ends with status 130`() throws {
    let before = scratch.names
    let interrupted = try swiftlet.shell(
      """
      swiftlet render voice.yaml --for 100000 -o out.flac -o out.wav -o out.m4a 2> words & first=$!
      # Until they hold some sound: a take that ends with its first frame has recorded nothing, and leaves nothing.
      for n in $(seq 600); do [ "$(cat dry-001.wav 2> /dev/null | wc -c)" -gt 100000 ] && break; sleep 0.1; done
      ls -A > begun; kill -INT $first; wait $first
      """, limit: 150)
    #expect(interrupted.status == 130)
    #expect(scratch.text("words").contains("interrupted at "))
    #expect(scratch.text("words").contains("no file was written"))
    #expect(scratch.text("begun").contains(".out.flac.swiftlet-"), "the control: they had begun")
    #expect(
      scratch.names == (before + ["begun", "dry-001.wav", "wet-001.flac", "words"]).sorted(),
      "\(scratch.names)")
    #expect(interrupted.output.hasPrefix("dry-001.wav  "))
  }
}
