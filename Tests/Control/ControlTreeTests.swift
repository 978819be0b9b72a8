// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletControl
import Synchronization
import Testing

/// The model of a session: addresses, commands and errors.
@Suite struct ControlTreeTests {
  private let session = FakeSession()
  private let tree: ControlTree

  init() { tree = ControlTree(session) }

  private func error(_ command: ControlCommand) -> ControlError? {
    do {
      _ = try tree.perform(command)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a value is set, glides and is read`() throws {
    let reply = try tree.perform(.set("echo.time", .number(350), over: .seconds(2)))
    #expect(reply.values == [ControlReading(address: "echo.time", value: .number(350), text: "350 ms")])
    #expect(session.state.withLock { $0.glide } == .seconds(2))
    #expect(try tree.perform(.get(["echo.time"])).values?.first?.text == "350 ms")
  }

  @Test func `a group stands for its values, and a wire for other spellings`() throws {
    func addresses(_ groups: String...) throws -> [String] {
      try tree.perform(.get(groups)).values?.map(\.address) ?? []
    }
    #expect(try addresses("echo") == ["echo.time", "echo.bypass", "echo.level"])
    #expect(try addresses("taps.wet", "echo.time") == ["echo.time", "taps.wet.file"])
    #expect(try addresses("voice->main") == ["voice->main.gain"])
    #expect(try addresses("voice.out -> main.gain") == ["voice->main.gain"])
    #expect(try addresses().count == 7)
    #expect(ControlAddress.isInGroup("tone.bands[2].gain", "tone.bands"))
    #expect(ControlAddress.isInGroup("tone.bands[2].gain", "tone.bands[2]"))
    #expect(!ControlAddress.isInGroup("tone.bands[21].gain", "tone.bands[2"))
    #expect(!ControlAddress.isInGroup("toner.gain", "tone"))
  }

  @Test func `an error names what failed and what is known, and nothing changes`() {
    let known = error(.set("echo.tiem", .number(1)))
    #expect(known == ControlError(.unknownAddress, "'echo' has no value 'tiem'; did you mean 'time'?"))
    #expect(error(.get(["ecko.time"]))?.text == "there is no address 'ecko.time'; did you mean 'echo.time'?")
    #expect(error(.get(["ecko"]))?.text == "there is no address 'ecko'; did you mean 'echo'?")
    #expect(error(.set("echo.level", .number(1)))?.kind == .readOnly)
    #expect(error(.set("echo.time", .number(5000)))?.kind == .badValue)
    #expect(error(.set("echo.bypass", .toggle(true), over: .seconds(1)))?.kind == .badValue)
    #expect(error(.bypass("eco", nil))?.text == "there is no effect or plugin 'eco'; did you mean 'echo'?")
    #expect(error(.startTake("wett"))?.text == "there is no tap 'wett' that records; did you mean 'wet'?")
    #expect(error(.redo)?.kind == .notPossible)
    #expect(session.time == 250)
  }

  @Test func `a session that is ending refuses commands`() {
    tree.end()
    #expect(error(.set("echo.time", .number(350)))?.kind == .notPossible)
    #expect(error(.startTake(nil))?.kind == .notPossible)
    #expect(session.time == 250)
  }

  @Test func `bypass, takes, transport and undo reach the session`() throws {
    #expect(try tree.perform(.bypass("echo", nil)).values?.first?.value == .toggle(true))
    #expect(try tree.perform(.bypass("echo", nil)).values?.first?.value == .toggle(false))
    #expect(try tree.perform(.bypass("echo", true)).values?.first?.value == .toggle(true))
    #expect(try tree.perform(.startTake(nil)).values?.map(\.text) == ["wet.wav", "dry.wav"])
    #expect(try tree.perform(.endTake("dry")).values?.map(\.text) == ["dry.wav"])
    #expect(session.state.withLock { $0.recorded } == ["wet"])
    _ = try tree.perform(.transport(.play))
    #expect(try tree.perform(.status).status?.isRolling == true)
    _ = try tree.perform(.undo)
    #expect(error(.undo)?.kind == .notPossible)
  }

  @Test func `the event log keeps the last events, and counts those that are lost`() {
    let log = tree.events
    let start = log.end
    for number in 0..<3 { log.add(ControlEvent(.note, "\(number)")) }
    let read = log.read(after: start)
    #expect(read.events.map(\.text) == ["0", "1", "2"] && read.lost == 0)
    #expect(log.read(after: read.end).events.isEmpty)
    for number in 0..<2500 { log.add(ControlEvent(.note, "\(number)")) }
    let late = log.read(after: read.end)
    #expect(late.events.count == ControlEventLog.capacity && late.lost == 1500)
    #expect(late.events.last?.text == "2499")
  }
}
