// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

@testable import SwiftletGraph

/// Random numbers that are the same for the same seed, by the SplitMix64 recurrence.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Nodes of all roles with 1 or 2 channels, wired forward at random.
func randomSketch(nodes count: Int, wires: Int, using random: inout SplitMix) throws -> Sketch {
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
