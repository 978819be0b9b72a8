// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletControl
import Testing

/// The lines of JSON between clients and sessions.
@Suite struct ControlRequestTests {
  private func command(_ line: String) throws -> ControlCommand {
    try ControlRequest(line: Array(line.utf8)).read()
  }

  private func error(_ line: String) -> ControlError? {
    do {
      _ = try command(line)
      return nil
    } catch {
      return error as? ControlError
    }
  }

  @Test(
    arguments: [
      .status, .list(nil), .list("echo"), .get([]), .get(["echo.time", "main"]),
      .set("echo.time", .text("350 ms"), over: .seconds(0.5)), .set("a.b", .number(-3)),
      .set("a.b", .toggle(true)),
      .bypass("echo", nil), .bypass("echo", false), .startTake(nil), .endTake("wet"), .transport(.play),
      .transport(.stop), .transport(.seek(.text("5|1"))), .undo, .redo,
      .watch(ControlSubscription(addresses: ["echo"], hasEvents: false, rate: 30)),
      .watch(ControlSubscription()),
    ] as [ControlCommand])
  func `a command is the same after writing and reading`(original: ControlCommand) throws {
    let line = ControlRequest(original, id: 7).line
    #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    let read = try ControlRequest(line: line.dropLast())
    #expect(read.id == 7)
    #expect(try read.read() == original)
  }

  @Test func `a line that a person writes is read`() throws {
    #expect(
      try command(#"{"command":"set","address":"echo.time","value":"350 ms"}"#)
        == .set("echo.time", .text("350 ms")))
    #expect(try command(#"{"command":"get","address":"echo"}"#) == .get(["echo"]))
    #expect(
      try command(#"{ "command" : "bypass", "node" : "echo", "value" : true }"#) == .bypass("echo", true))
  }

  @Test func `a line with an unknown part is refused, since its command might mean more than was asked for`()
  {
    let found = error(#"{"command":"start-take","taps":"wet"}"#)
    #expect(found == ControlError(.malformed, "a command has no part 'taps'; did you mean 'tap'?"))
    #expect(error(#"{"command":"get","adress":"echo"}"#)?.text.contains("'address'") == true)
  }

  @Test func `a malformed line is refused with a reason`() {
    let lines = [
      "", "nonsense", "[]", "{}", "{\"command\":5}", "{\"command\":\"set\"}", "{\"command\":\"get\"", "\u{0}",
      "{\"command\":\"set\",\"address\":\"a\",\"value\":{}}", String(repeating: "[", count: 2000),
    ]
    for line in lines { #expect(error(line)?.kind == .malformed, "\(line.prefix(40))") }
    #expect(error("{\"command\":\"sett\"}")?.text == "there is no command 'sett'; did you mean 'set'?")
    #expect(error("{\"command\":\"set\",\"address\":\"a\"}")?.text == "the command 'set' needs 'value'")
    #expect(error(String(repeating: "x", count: ControlRequest.longestLine + 1))?.kind == .tooLong)
    for over in ["-1", "1e9"] {
      let line = "{\"command\":\"set\",\"address\":\"a\",\"value\":1,\"over\":\(over)}"
      #expect(error(line)?.kind == .badValue)
    }
    #expect(error("{\"command\":\"bypass\",\"node\":\"a\",\"value\":1}")?.kind == .badValue)
  }

  @Test func `a reply is the same after writing and reading, and an infinite value is null`() throws {
    var reply = ControlReply(ControlError(.badValue, "two\nlines, \"quoted\""), id: 3)
    reply.values = [ControlReading(address: "a", value: .number(0.5), text: "0.5")]
    reply.events = [ControlEvent(.warning, "late")]
    #expect(reply.line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
    #expect(ControlReply(line: reply.line.dropLast()) == reply)
    reply.values = [ControlReading(address: "a", value: .number(-.infinity), text: "silence")]
    let read = try #require(ControlReply(line: reply.line.dropLast()))
    #expect(read.values?.first?.value == nil && read.values?.first?.text == "silence")
  }
}
