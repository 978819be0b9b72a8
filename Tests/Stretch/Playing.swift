// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletStretch
import SwiftletTesting

extension Stretcher {
  /// Pushes `input` in slices of `size` frames with `changes` at some of them. Returns the output and the largest
  /// number of frames that were still buffered after a slice.
  func play(
    _ input: [Float], size: Int = 128, changes: [Int: Stretch] = [:]
  ) -> (output: [Float], waiting: Int) {
    var output: [Float] = [], slice = [Float](repeating: 0, count: 4096), waiting = 0
    for start in Swift.stride(from: 0, to: input.count, by: size) {
      if let change = changes[start] { stretch = change }
      let end = min(start + size, input.count)
      Array(input[start..<end]).withUnsafeBufferPointer { frames in
        if let base = frames.baseAddress { push(base, count: frames.count) }
      }
      while true {
        let got = pull(into: &slice, count: 4096)
        if got == 0 { break }
        output += slice[..<got]
      }
      waiting = max(waiting, end - output.count)
    }
    return (output, waiting)
  }
}

/// A random pitch at every 640th frame before `end`; no pitch shift from `end` on.
func restlessPitch(until end: Int) -> [Int: Stretch] {
  var changes = [end: Stretch()], generator = SeededGenerator(seed: 5)
  for start in stride(from: 0, to: end, by: 640) {
    changes[start] = Stretch(pitch: Double.random(in: -24...24, using: &generator))
  }
  return changes
}
