// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletJack

extension RealServerTests {
  @Test func `ports are named after nodes, and numbered if a node has several`() throws {
    let client = try TestServer.client("names")
    defer { client.close() }
    #expect(try client.addCapture(node: "mic", channels: 1, rule: .none) == 0)
    #expect(try client.addCapture(node: "room", channels: 3, rule: .none) == 1)
    #expect(try client.addPlayback(node: "desk", channels: 2, rule: .none) == 0)
    #expect(try client.addMIDIIn(node: "keys", rule: .none) == 2)
    #expect(try client.addMIDIOut(node: "clock", rule: .none) == 1)
    let own = try client.ports(matching: "names:.*")
    #expect(
      own.map(\.name) == [
        "names:mic", "names:room_1", "names:room_2", "names:room_3", "names:desk_1", "names:desk_2",
        "names:keys",
        "names:clock",
      ])
    #expect(own.map(\.direction) == [.input, .input, .input, .input, .output, .output, .input, .output])
    #expect(own.map(\.content) == Array(repeating: .audio, count: 6) + [.midi, .midi])
    let seen = try TestServer.output(of: "jack_lsp", "names:")
    #expect(seen.split(separator: "\n").map(String.init).filter { $0.hasPrefix("names:") }.count == 8)
  }

  @Test func `other programs receive pretty names, order and groups`() throws {
    func published() throws -> (mic: String, right: String) {
      let client = try TestServer.client("pretty")
      defer { client.close() }
      _ = try client.addCapture(node: "mic", rule: .none, prettyName: "Voice")
      _ = try client.addPlayback(node: "desk", channels: 2, rule: .none)
      func properties(_ port: String) throws -> String {
        try TestServer.output(of: "jack_property", "-p", "-l", "pretty:\(port)")
      }
      return (try properties("mic"), try properties("desk_2"))
    }
    func are(_ properties: String, _ expected: [String: String]) -> Bool {
      ["pretty-name", "order", "port-group"].allSatisfy { key in
        let line = "http://jackaudio.org/metadata/\(key) value: "
        guard let value = expected[key] else { return !properties.contains(line) }
        return properties.contains(line + value)
      }
    }
    // All servers of a user share one database, in which ports of two servers may have one key, and any server
    // removes all entries as it ends. This test ignores what the servers of other tests do there.
    var properties = (mic: "", right: "")
    let isPublished = try TestServer.eventually {
      properties = try published()
      return are(properties.mic, ["pretty-name": "Voice", "order": "0"])
        && are(properties.right, ["pretty-name": "desk right", "order": "2", "port-group": "desk"])
    }
    #expect(isPublished, "the microphone: \(properties.mic), the right of the desk: \(properties.right)")
  }

  @Test func `invalid ports are refused by name`() throws {
    let client = try TestServer.client("refuse")
    defer { client.close() }
    _ = try client.addCapture(node: "mic", rule: .none)
    #expect(throws: JackError.duplicateNode("mic")) { try client.addPlayback(node: "mic") }
    #expect(throws: JackError.channels(node: "wide", 65)) {
      try client.addCapture(node: "wide", channels: 65)
    }
    #expect(throws: JackError.channels(node: "nil", 0)) { try client.addCapture(node: "nil", channels: 0) }
    #expect(throws: JackError.badPattern("(")) { try client.addCapture(node: "x", rule: .pattern("(")) }
    let long = String(repeating: "n", count: 400)
    #expect(throws: JackError.portRefused("refuse:" + long)) { try client.addCapture(node: long) }
    #expect(try client.ports(matching: "refuse:.*").map(\.name) == ["refuse:mic"])
  }

  @Test func `client names are exact: a taken or invalid name is refused with advice`() throws {
    let first = try TestServer.client("vocal")
    defer { first.close() }
    #expect(throws: JackError.nameTaken("vocal")) { try TestServer.client("vocal") }
    #expect(JackError.nameTaken("vocal").description.hasSuffix("choose another name"))
    for name in ["", "a:b", String(repeating: "x", count: 64)] {
      #expect(throws: JackError.badName(name, longest: 63)) { try TestServer.client(name) }
    }
    try TestServer.client(String(repeating: "x", count: 63)).close()
  }

  @Test func `a missing server is reported at once, and libjack prints nothing`() throws {
    _ = try TestServer.server()
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(throws: JackError.noServer("swiftlet-nobody")) {
        try JackClient(name: "lost", server: "swiftlet-nobody")
      }
    }
    #expect(time < .milliseconds(100))
    #expect(!JackError.noServer("x").description.contains("\n"))
  }

  @Test func `a second server in one process is refused while the first is in use`() throws {
    let client = try TestServer.client("loyal")
    defer { client.close() }
    let own = try TestServer.server().name
    #expect(throws: JackError.otherServer(open: own, wanted: "other")) {
      try JackClient(name: "faithless", server: "other")
    }
  }

  // libjack's own close hangs for many seconds if 128 ports have metadata.
  @Test func `a client with many ports is gone when close returns`() throws {
    let wide = try TestServer.client("wide")
    _ = try wide.addCapture(node: "in", channels: 64)
    _ = try wide.addPlayback(node: "out", channels: 64)
    try wide.activate(Renderer(sampleRate: 48_000))
    wide.close()
    let next = try TestServer.client("wide")
    defer { next.close() }
    #expect(try next.ports(matching: "^wide:").isEmpty)
  }

  @Test func `ports are added and removed while sound plays without a gap`() throws {
    let capture = CaptureProcessor(), score = Score()
    let source = try TestServer.client("gapless-source"), client = try TestServer.client("gapless")
    defer {
      source.close()
      client.close()
    }
    let out = try source.addPlayback(node: "tone", channels: 1, rule: .none)
    let into = try client.addCapture(node: "ear", rule: .ports(["gapless-source:tone"]))
    let sourceController = try GraphController.chain(score, in: nil, out: out)
    let controller = try GraphController.chain(capture, in: into, out: nil)
    try source.activate(sourceController.renderer)
    try client.activate(controller.renderer)
    for round in 0..<20 {
      let number = try client.addCapture(node: "extra-\(round)", channels: 2, rule: .none)
      #expect(number == 1, "a number that is free is given again")
      #expect(try client.addPlayback(node: "more-\(round)", channels: 2, rule: .none) == 0)
      try client.remove(node: "extra-\(round)")
      try client.remove(node: "more-\(round)")
    }
    #expect(try client.ports(matching: "gapless:.*").map(\.name) == ["gapless:ear"])
    let end = Int(capture.end.load(ordering: .acquiring))
    source.close()
    client.close()
    let shift = source.opened.offset - client.opened.offset
    var heard = 0
    for frame in 0..<min(end, capture.capacity) {
      let sample = capture.samples[frame]
      guard !sample.isNaN, sample != 0 || heard > 0 else { continue }
      heard += 1
      #expect(sample == sine(at: Int64(frame) - shift))
    }
    #expect(heard > 4800)
  }
}
