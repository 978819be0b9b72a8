// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// A fader identifies lanes by their numbers.
@Suite struct LaneNumberTests {
  /// Returns the output of a fader with `lanes` for an input of ones in one channel.
  private func output(
    _ fader: Fader, _ lanes: [LaneMemory], from frame: Int64, buses: (source: BackendBus, sink: BackendBus)
  ) -> [Float] {
    let (inputs, outputs) = (buses.source.bus, buses.sink.bus)
    var meter: Float = 0
    return withUnsafePointer(to: inputs) { inputs in
      withUnsafePointer(to: outputs) { outputs in
        withUnsafePointer(to: Transport()) { transport in
          withUnsafeMutablePointer(to: &meter) { meter in
            let memory = BlockMemory(
              inputs: inputs, inputCount: 1, outputs: outputs, outputCount: 1, transport: transport,
              meters: meter)
            return withUnsafePointer(to: memory) { memory in
              // One lane more than needed, so that the pointer is valid if there are none.
              let padded =
                lanes
                + [LaneTrack(Automation(1), sampleRate: 48_000, isHeard: true, inPlaceOf: nil)]
                .map { $0.memory(parameter: 0, isWhole: false) }
              padded.withUnsafeBufferPointer { padded in
                guard let first = padded.baseAddress else { return }
                fader.run(
                  Block(over: memory, frameCount: 100, frame: 0), first, count: lanes.count,
                  law: Int32(truncatingIfNeeded: PanLaws.nowhere), at: frame)
              }
              return (0..<100).map { buses.sink.samples(0)[$0] }
            }
          }
        }
      }
    }
  }

  @Test(arguments: [Fader.Value.volume, .ducking])
  func `adding, removing and doubling a lane of any number causes no discontinuity`(value: Fader.Value) {
    let track = LaneTrack(Automation(0.2), sampleRate: 48_000, isHeard: true, inPlaceOf: nil)
    let buses = (source: BackendBus(.audio(channels: 1), 100), sink: BackendBus(.audio(channels: 1), 100))
    for index in 0..<100 { buses.source.samples(0)[index] = 1 }
    var second = track.memory(parameter: Int(value.rawValue), isWhole: false)
    for number in Array(1...1000) + [Int32.max - 1, .max] {
      let fader = Fader(fadeFrames: 240, isHeard: true, generation: 0)
      var first = second
      first.number = number
      second.number = number == 1 ? 2 : 1
      var heard: [Float] = []
      for lanes in [[], [first], [first, second], [second], []] {
        for _ in 0..<4 {
          heard += output(fader, lanes, from: Int64(heard.count), buses: buses)
        }
      }
      let jump = zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 1
      #expect(jump < 0.01, "lane \(number) jumps by \(jump)")
      let ends = stride(from: 399, to: heard.count, by: 400).map { heard[$0] }
      #expect(zip(ends, [1, 0.2, 0.04, 0.2, 1]).allSatisfy { abs($0 - $1) < 1e-5 }, "\(ends)")
    }
    withExtendedLifetime(track) {}
  }
}
