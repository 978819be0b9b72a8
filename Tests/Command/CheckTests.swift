// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct CheckTests {
  let swiftlet = Command()

  @Test func `a valid manifest ends with status 0, an invalid one with 1 and all its errors`() throws {
    let scratch = try Scratch()
    let good = try scratch.write(
      "swiftlet: 1\nnodes:\n  mic: capture\n  desk: playback\nwires:\n  - mic -> desk\n", to: "good.yaml")
    let outcome = try swiftlet.run("check", good)
    #expect(outcome.status == 0)
    #expect(outcome.messages == "\(good): good: 2 nodes, 1 wire, 0 taps\n")
    let bad = try scratch.write(
      "swiftlet: 1\nnodes:\n  mic: capture\n  echo: { effect: dealy }\n  desk: { playbak: stereo }\n",
      to: "bad.yaml")
    let worse = try swiftlet.run("check", good, bad)
    #expect(worse.status == 1)
    #expect(worse.messages.contains("\(bad):4:19: error: found no effect 'dealy'; did you mean 'delay'?\n"))
    #expect(worse.messages.contains("\(bad):5:"))
    #expect(worse.messages.contains("did you mean 'playback'?"))
  }

  @Test(
    arguments: [
      ("missing.yaml", nil), ("empty.yaml", ""), ("text.yaml", "hello"),
      ("tabs.yaml", "swiftlet:\t1\n\tnodes: x"),
      ("loop.yaml", "swiftlet: 1\nnodes:\n  a: mixer\n  b: mixer\nwires:\n  - a -> b -> a\n"),
      ("twice.yaml", "swiftlet: 1\nnodes:\n  a: mixer\n  a: mixer\n"),
      ("deep.yaml", String(repeating: "[", count: 10_000)),
      (
        "bomb.yaml",
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
          + (0..<9).map {
            "b\($0): &b\($0) [\(Array(repeating: $0 == 0 ? "*a" : "*b\($0 - 1)", count: 9).joined(separator: ","))]\n"
          }.joined()
      ),
    ] as [(String, String?)])
  func `an invalid file ends with status 1 and lines that name it`(name: String, text: String?) throws {
    let scratch = try Scratch()
    let path = try text.map { try scratch.write($0, to: name) } ?? "\(scratch.path)/\(name)"
    let outcome = try swiftlet.run("check", path, limit: 20)
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(
      outcome.messages.split(separator: "\n").allSatisfy { $0.hasPrefix("\(path):") }, "\(outcome.messages)")
    #expect(!outcome.messages.isEmpty)
  }

  @Test func `a manifest of 100 MB is refused before it is read`() throws {
    let scratch = try Scratch()
    let path = "\(scratch.path)/big.yaml"
    try scratch.handle("big.yaml").truncate(atOffset: 100_000_000)
    let outcome = try swiftlet.run("check", path, limit: 5)
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("1 MiB"))
  }

  @Test func `a manifest is read from an open pipe, and a named pipe is refused without waiting`() throws {
    let scratch = try Scratch()
    let text = "swiftlet: 1\nnodes:\n  mic: capture\n  desk: playback\nwires:\n  - mic -> desk\n"
    try scratch.write(text, to: "good.yaml")
    let here = Command(folder: scratch.path)
    let piped = try here.run(
      program: "/bin/bash",
      [
        "-c",
        "cat good.yaml | swiftlet check -; swiftlet check <(cat good.yaml); mkfifo pipe; swiftlet check pipe",
      ],
      limit: 20)
    let lines = piped.messages.split(separator: "\n")
    #expect(lines.first == "-: good: 2 nodes, 1 wire, 0 taps")
    #expect(
      lines.dropFirst().first?.hasSuffix(": good: 2 nodes, 1 wire, 0 taps") == true, "\(piped.messages)")
    #expect(lines.last == "pipe: error: found a pipe or a device; expected a file, or - for standard input")
    #expect(piped.status == 1)
    let wrong = try here.shell("echo hello | swiftlet check -")
    #expect(wrong.messages.hasPrefix("stdin:1:1: error: "), "\(wrong.messages)")
  }

  @Test func `a directory is an error`() throws {
    #expect(try swiftlet.run("check", "/tmp").messages.contains("directory"))
    #expect(try swiftlet.run("check", "/tmp").status == 1)
  }

  @Test func `manifests are found by name`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/swiftlet/manifests", withIntermediateDirectories: true)
    try scratch.write(
      "swiftlet: 1\nnodes:\n  mic: capture\n  desk: playback\nwires:\n  - mic -> desk\n",
      to: "swiftlet/manifests/mine.yaml")
    var named = Command()
    named.environment = ["XDG_DATA_HOME": scratch.path]
    #expect(try named.run("check", "mine").status == 0)
    named.environment = ["XDG_DATA_HOME": "/nonexistent", "XDG_DATA_DIRS": "/nowhere:\(scratch.path)"]
    #expect(try named.run("check", "mine").status == 0)
    #expect(try swiftlet.run("check", "mine").status == 1)
  }
}
