// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

extension ExportTests {
  @Test func `an export from one time until another is that part of the whole`() throws {
    let (engine, desk, _) = try engine()
    let export = try ExportSession(engine, from: .milliseconds(1234), until: .milliseconds(2001))
    try export.add(ExportFile(path("part.w64"), of: desk))
    let rest = try ExportSession(engine, from: .seconds(2))
    #expect(rest.options.range == .seconds(2)..<(.seconds(3)))
    try export.run { _ in }
    let whole = try rendered(2001 * 48)
    #expect(try read("part.w64") == whole.map { Array($0[(1234 * 48)...]) })
    for (start, end) in [(MediaTime.seconds(2), MediaTime.seconds(1)), (.milliseconds(-1), .seconds(1))] {
      #expect(throws: ExportError.self) { try ExportSession(engine, from: start, until: end) }
    }
  }
}
