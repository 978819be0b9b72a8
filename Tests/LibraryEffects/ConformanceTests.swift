// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletLibraryEffects
import SwiftletTesting
import Testing

struct ConformanceTests {
  @Test func `every unit of the list keeps its promises`() {
    // A sine whose pitch moves by four octaves bends by itself.
    var list = WholeList(without: ["pitch": [.clicks]])
    forEachLibraryUnit(&list)
    #expect(list.findings == [])
  }
}
