// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletLibraryEffects
import SwiftletTesting
import Testing

struct ConformanceTests {
  @Test func `every library effect conforms`() {
    // A sine whose pitch moves by four octaves has large second differences without any click.
    var list = ConformanceOfList(without: ["pitch": [.clicks]])
    forEachLibraryEffect(&list)
    #expect(list.findings == [])
  }

  #if RubberBand
    @Test func `the pitch effect conforms with the finest algorithm`() throws {
      for channels in Effort.of([1, 2, 5], debug: [2]) {
        let suite = Conformance<Pitch>(
          sampleRates: Effort.of([48_000.0, 44_100, 96_000, 192_000], debug: [48_000]), channels: channels,
          engine: 1, without: [.clicks])
        #expect(try suite.findings() == [])
      }
    }
  #endif
}
