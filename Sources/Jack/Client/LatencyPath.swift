// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The latency through the graph from one input node to one output node.
package struct LatencyPath: Hashable, Sendable {
  /// The bus numbers of the input node and the output node.
  package var input: Int, output: Int
  /// The shortest and the longest latency in frames, 0 or more.
  package var frames: ClosedRange<Int>

  /// Creates a path from an input node to an output node.
  package init(from input: Int, to output: Int, frames: ClosedRange<Int>) {
    self.input = input
    self.output = output
    self.frames = frames
  }
}

extension [LatencyPath] {
  /// Returns the latency to report for each of the client's ports of one side, from the latencies of its ports of the
  /// other side.
  ///
  /// Capture latency (the age of the sound) propagates from the inputs to the outputs, playback latency (the time
  /// until it is heard) from the outputs to the inputs. So `known` holds the ranges of the inputs if `isCapture`,
  /// otherwise those of the outputs, and the result is for the other side. A port that no path reaches has no
  /// latency.
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
