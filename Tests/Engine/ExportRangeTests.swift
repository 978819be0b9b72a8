// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

extension ExportTests {
  @Test func `an export of a time range equals that part of the whole`() throws {
    let (engine, output, _) = try engine()
    let export = try ExportSession(engine, from: .milliseconds(1234), until: .milliseconds(2001))
    try export.add(ExportFile(path("part.w64"), of: output))
    let rest = try ExportSession(engine, from: .seconds(2))
    #expect(rest.options.range == .seconds(2)..<(.seconds(3)))
    try export.run { _ in }
    let whole = try rendered(2001 * 48)
    #expect(try read("part.w64") == whole.map { Array($0[(1234 * 48)...]) })
    for (start, end) in [(MediaTime.seconds(2), MediaTime.seconds(1)), (.milliseconds(-1), .seconds(1))] {
      #expect(throws: ExportError.self) { try ExportSession(engine, from: start, until: end) }
    }
  }

  @Test func `frames rendered while a node was detached are silent in its file`() throws {
    let (engine, _, voice) = try engine()
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("voice-alone.w64"), of: voice))
    // Late enough for the writer's whole memory to hold sound.
    var blocks = 0
    try export.run { _ in
      blocks += 1
      if blocks == 80 { try? engine.detach(voice) }
      if blocks == 110 { #expect((try? engine.undo()) == true) }
    }
    let heard = try read("voice-alone.w64")[0], sung = try read("voice.wav")[0]
    #expect(heard.count == 3 * Self.rate)
    #expect(heard[..<78_000].elementsEqual(sung[..<78_000]) as Bool)
    let silent = heard[81_000..<108_000].count { $0 == 0 }
    #expect(silent == 27_000, "\(27_000 - silent) frames of other sound")
  }
}
