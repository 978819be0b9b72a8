// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How long sound takes through our graph, from one way in to one way out.
package struct LatencyPath: Hashable, Sendable {
  /// The bus numbers of the way in and of the way out.
  package var input: Int, output: Int
  /// The shortest and the longest time, in frames, 0 or more.
  package var frames: ClosedRange<Int>

  /// A path from a way in to a way out that takes between so many frames.
  package init(from input: Int, to output: Int, frames: ClosedRange<Int>) {
    self.input = input
    self.output = output
    self.frames = frames
  }
}

extension [LatencyPath] {
  /// The latency to show on each of our ports of one side, from the latency that
  /// the ports of the other side have.
  ///
  /// Capture latency (how old is the sound?) goes from our inputs to our outputs, playback latency
  /// (how long until it is heard?) from our outputs to our inputs: so `known` are the ranges of our
  /// inputs when `isCapture`, else of our outputs, and the result is for the other side. A port
  /// that no path reaches has no latency.
  func latencies(isCapture: Bool, known: [Int: ClosedRange<Int>], wanted: [Int]) -> [Int: ClosedRange<Int>] {
    var result: [Int: ClosedRange<Int>] = [:]
    for number in wanted {
      var shortest = Int.max, longest = 0
      for path in self where (isCapture ? path.output : path.input) == number {
        guard let far = known[isCapture ? path.input : path.output] else { continue }
        shortest = Swift.min(shortest, far.lowerBound + path.frames.lowerBound)
        longest = Swift.max(longest, far.upperBound + path.frames.upperBound)
      }
      result[number] = shortest <= longest ? shortest...longest : 0...0
    }
    return result
  }
}
