// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@testable import SwiftletCommand

@Suite struct NewsTextTests {
  @Test func `what became of plugins at a new period is told`() {
    func text(_ event: EngineEvent) -> String { NewsText.line(event)?.line ?? "" }
    #expect(
      text(.pluginRefitted(node: "hall", period: 128, isNew: true))
        == "'hall' was made anew for JACK's period of 128 frames: its settings are kept, its tail is not")
    #expect(
      text(.pluginRefitted(node: "hall", period: 128, isNew: false))
        == "'hall' plays again, at JACK's period of 128 frames")
    let silent = NewsText.line(.pluginSilent(node: "hall", period: 48, reason: "it requires more; choose 64"))
    #expect(silent?.line == "'hall' is silent while JACK's period is 48 frames: it requires more; choose 64")
    #expect(silent?.weight == .warning)
  }
}
