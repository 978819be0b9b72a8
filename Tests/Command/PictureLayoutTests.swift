// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

@Suite struct PictureLayoutTests {
  //   mic ─► a ─► b ─► desk      and the tap `dry` on mic, a feedback wire from b to a
  //     └────────► c ──┘
  private let picture = Picture(
    title: "layout",
    nodes: ["mic", "a", "b", "c", "desk"].map { .init(name: $0, kind: .effect) },
    wires: [
      .init(from: 0, to: 1), .init(from: 1, to: 2), .init(from: 2, to: 4), .init(from: 0, to: 3),
      .init(from: 3, to: 4), .init(from: 2, to: 1, isFeedback: true),
    ],
    taps: [.init(name: "dry", node: 0, file: "dry-{take}.wav")])

  @Test func `each box is to the right of all boxes that feed it`() {
    let x = PictureLayout(picture).positions.map(\.x)
    for wire in picture.wires where !wire.isFeedback { #expect(x[wire.from] < x[wire.to]) }
    #expect(x[1] == x[3] && x[5] > x[0])
  }

  @Test func `no two boxes overlap`() {
    let boxes = PictureLayout(picture).positions
    for first in boxes.indices {
      for second in boxes.indices where first < second {
        let isApart =
          abs(boxes[first].x - boxes[second].x) > 50 || abs(boxes[first].y - boxes[second].y) > 40
        #expect(isApart, "\(boxes[first]) \(boxes[second])")
      }
    }
  }

  /// Returns a picture with `count` nodes in parallel between two others.
  private func parallel(_ count: Int) -> Picture {
    Picture(
      title: "wide", nodes: (0..<(count + 2)).map { .init(name: "n\($0)", kind: .effect) },
      wires: (0..<count).flatMap { [.init(from: 0, to: $0 + 2), .init(from: $0 + 2, to: 1)] }, taps: [])
  }

  @Test func `a large picture is drawn with the built-in layout, with every node and wire`() throws {
    let picture = parallel(600)
    #expect(picture.isLarge && !self.picture.isLarge)
    let svg = try Graphviz.svg(of: picture)
    #expect(svg.components(separatedBy: "class=\"node\"").count - 1 == 602)
    #expect(svg.components(separatedBy: "class=\"edge\"").count - 1 == 1200)
  }

  @Test func `layout time for ten times as many boxes is less than thirty times as long`() {
    func seconds(_ count: Int) -> Double {
      let picture = parallel(count)
      return (0..<3).map { _ in
        var start = timespec(), end = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        #expect(PictureLayout(picture).positions.count == count + 2)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
      }.min() ?? 0
    }
    #expect(seconds(5000) / seconds(500) < 30)
  }
}
