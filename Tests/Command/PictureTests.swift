// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

@Suite struct PictureTests {
  private let picture = Picture(
    title: "a \"quoted\" name",
    nodes: [
      .init(name: "mic", kind: .capture, notes: ["1 channel"]),
      .init(name: "echo", kind: .effect, notes: ["Delay <&>"], isBypassed: true),
      .init(name: "desk", kind: .playback),
    ],
    wires: [
      .init(from: 0, to: 1, notes: ["-6 dB"]), .init(from: 1, to: 2), .init(from: 1, to: 1, isFeedback: true),
    ],
    taps: [.init(name: "dry", node: 0, file: "dry-{take}.wav")])

  @Test func `Graphviz draws every name as it is written`() throws {
    let svg = try Graphviz.svg(of: picture)
    #expect(svg.contains("<svg"))
    for text in [">mic<", ">echo<", ">desk<", ">dry<", "Delay &lt;&amp;&gt;", "bypassed", "6 dB"] {
      #expect(svg.contains(text), "\(text) is missing")
    }
    #expect(svg.components(separatedBy: "class=\"edge\"").count - 1 == 4)
  }

  @Test func `invalid input for Graphviz throws`() {
    #expect(throws: Failure.self) { try Graphviz.svg(of: "digraph { nonsense [") }
  }
}
