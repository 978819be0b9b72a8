// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Testing

struct BlockTests {
  /// A block of 64 frames at frame 1000: two input channels (the frame number and its negative), one output channel.
  private func withBlock(_ body: (Block) -> Void) -> (output: [Float], meter: Float) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 3 * 64)
    defer { memory.deallocate() }
    for frame in 0..<64 {
      memory[frame] = Float(frame)
      memory[64 + frame] = -Float(frame)
      memory[128 + frame] = 0
    }
    var table = [memory, memory + 64, memory + 128], meter: Float = 0
    var transport = Transport(isRolling: true, position: 7, tempo: 120)
    table.withUnsafeMutableBufferPointer { channels in
      guard let channels = channels.baseAddress else { return }
      var inputs = BusMemory(channels: channels, channelCount: 2)
      var outputs = BusMemory(channels: channels + 2, channelCount: 1)
      withUnsafePointer(to: &inputs) { inputs in
        withUnsafePointer(to: &outputs) { outputs in
          withUnsafePointer(to: &transport) { transport in
            withUnsafeMutablePointer(to: &meter) { meter in
              let memory = BlockMemory(
                inputs: inputs, inputCount: 1, outputs: outputs, outputCount: 1, transport: transport,
                meters: meter)
              withUnsafePointer(to: memory) { body(Block(over: $0, frameCount: 64, frame: 1000)) }
            }
          }
        }
      }
    }
    return ((0..<64).map { memory[128 + $0] }, meter)
  }

  @Test func `a block gives access to each channel, the frame, the transport and the meters`() {
    let meter = withBlock { block in
      #expect(block.frameCount == 64 && block.frame == 1000)
      #expect(block.input().channelCount == 2 && block.output().channelCount == 1)
      #expect(block.input()[0][63] == 63 && block.input()[1][63] == -63)
      #expect(block.input().events == nil && block.transport.tempo == 120)
      block.show(4.5, on: 0)
    }.meter
    #expect(meter == 4.5)
  }

  @Test func `slices cover a block without gap or overlap, and slices of slices do too`() {
    let output = withBlock { block in
      let first = block.slice(from: 0, count: 17), rest = block.slice(from: 17, count: 47)
      #expect(rest.frame == 1017 && rest.frameCount == 47)
      let middle = rest.slice(from: 3, count: 20), last = rest.slice(from: 23, count: 24)
      #expect(middle.frame == 1020 && last.frame == 1040)
      #expect(middle.input()[1][0] == -20 && last.input()[0].count == 24)
      for part in [first, rest.slice(from: 0, count: 3), middle, last] {
        for frame in 0..<part.frameCount { part.output()[0][frame] += part.input()[0][frame] + 1 }
      }
    }.output
    #expect(output == (0..<64).map { Float($0 + 1) })
  }

  @Test func `copy and clear affect only the slice's frames`() {
    let output = withBlock { block in
      block.output()[0].copy(block.input()[0])
      block.slice(from: 10, count: 5).output()[0].clear()
    }.output
    #expect(output == (0..<64).map { (10..<15).contains($0) ? 0 : Float($0) })
  }

  @Test func `samples that are not finite or too large read as 0`() {
    var samples: [Float] = [.nan, .infinity, -.infinity, 1e16, -0.5, Samples.loudest]
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let view = Samples(base, count: 6)
      #expect((0..<6).map { view[clean: $0] } == [0, 0, 0, 0, -0.5, Samples.loudest])
    }
  }
}
