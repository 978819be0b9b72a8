// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting

@testable import SwiftletGraph

/// A graph of nodes of all roles with 1 or 2 channels, wired forward at random.
func randomSketch(nodes count: Int, wires: Int, using random: inout SeededGenerator) throws -> Sketch {
  var sketch = Sketch()
  var ids: [NodeID] = [try sketch.input("mic", 0, stereo)]
  for index in 1..<count - 1 {
    let format = Bool.random(using: &random) ? mono : stereo
    switch Int.random(in: 0..<4, using: &random) {
    case 0: ids.append(try sketch.mixer("mixer\(index)", format))
    case 1:
      ids.append(
        try sketch.node("place\(index)", Scale(worksInPlace: true), inputs: [format], outputs: [format]))
    default: ids.append(try sketch.node("node\(index)", Scale(), inputs: [format], outputs: [format]))
    }
  }
  ids.append(try sketch.output("desk", 0, stereo))
  for _ in 0..<wires {
    let from = Int.random(in: 0..<ids.count - 1, using: &random)
    let to = Int.random(in: from + 1..<ids.count, using: &random)
    let gain: Float = Bool.random(using: &random) ? 0 : -3
    _ = try? sketch.wire(ids[from], ids[to], gain: gain)
  }
  return sketch
}
