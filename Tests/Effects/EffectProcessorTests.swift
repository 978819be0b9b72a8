// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletEffects
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletGraph

struct EffectProcessorTests {
  private static let layout = Layout(sampleRate: 48_000, longestBlock: 64, channels: 1)

  /// Returns the output of `processor` for one block of ones.
  private func render(_ processor: Processor, _ frameCount: Int = 64) -> [Float] {
    var input = [Float](repeating: 1, count: frameCount), output = [Float](repeating: .nan, count: frameCount)
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let sink = output.baseAddress else { return }
        var sources = [source], sinks = [sink]
        sources.withUnsafeMutableBufferPointer { sources in
          sinks.withUnsafeMutableBufferPointer { sinks in
            guard let sources = sources.baseAddress, let sinks = sinks.baseAddress else { return }
            withUnsafePointer(to: BusMemory(channels: sources, channelCount: 1)) { inputs in
              withUnsafePointer(to: BusMemory(channels: sinks, channelCount: 1)) { outputs in
                withUnsafePointer(to: Transport()) { transport in
                  var meter: Float = 0
                  withUnsafeMutablePointer(to: &meter) { meter in
                    let memory = BlockMemory(
                      inputs: inputs, inputCount: 1, outputs: outputs, outputCount: 1, transport: transport,
                      meters: meter)
                    withUnsafePointer(to: memory) {
                      processor.process(Block(over: $0, frameCount: frameCount, frame: 0))
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return output
  }

  @Test func `a processor starts at its initial values without a glide`() throws {
    #expect(render(try EffectProcessor<Gain>(Self.layout)) == [Float](repeating: 1, count: 64))
  }

  @Test func `values are clamped, and invalid numbers and values are ignored`() throws {
    let processor = try EffectProcessor<Gain>(Self.layout)
    processor.set(0, to: 1e9, over: 0)
    #expect(render(processor)[0] == Decibels.amplitude(24))
    processor.set(0, to: .nan, over: 0)
    processor.set(1, to: 3, over: 0)
    processor.set(-1, to: 3, over: 0)
    #expect(render(processor)[0] == Decibels.amplitude(24))
    processor.set(0, to: -.infinity, over: 0)
    #expect(render(processor)[0] == 0)
  }

  @Test func `a negative length selects the parameter's own glide`() throws {
    let processor = try EffectProcessor<Gain>(Self.layout)
    processor.set(0, to: -96, over: -1)
    let heard = render(processor, 1000)
    #expect(heard[958] > 0 && heard[959] == 0)
  }

  @Test func `a catalog finds every effect by name, and creates it`() throws {
    var catalog = EffectRegistry()
    forEachEffect(&catalog)
    catalog.visit(Gain.self)
    #expect(catalog.entries.filter { $0.info.id == "gain" }.count == 1)
    let entry = try #require(catalog["gain"])
    #expect(entry.info.category == "Amplifier" && entry.info.origin == .builtIn)
    #expect(entry.info.parameters.map(\.symbol) == ["gain"])
    #expect(entry.info.inputs == [ProcessorInfo.Bus("in", .matching)])
    #expect(try entry.make(Self.layout).worksInPlace)
    #expect(catalog["no-such-effect"] == nil)
    #expect(throws: EffectError.channels(65)) {
      try entry.make(Layout(sampleRate: 48_000, longestBlock: 64, channels: 65))
    }
  }
}
