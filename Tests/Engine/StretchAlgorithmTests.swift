// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import Testing

@Suite struct StretchAlgorithmTests {
  @Test func `an effect without a choice of algorithms reports that`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    do throws(EngineError) {
      _ = try engine.attach(.effect("gain", algorithm: .fast))
      Issue.record("it has no engines")
    } catch {
      #expect("\(error)" == "'gain' has no stretch algorithm 'fast': it has none to choose from")
    }
    _ = try engine.attach(.effect("pitch", algorithm: .fast))
  }

  @Test func `a rate that an algorithm does not support is reported`() throws {
    let engine = try AudioEngine(.offline(sampleRate: 384_000))
    let kinds = [NodeKind.effect("pitch", algorithm: .fast), .player("a.wav", stretch: Stretch(speed: 2))]
    for kind in kinds {
      do throws(EngineError) {
        _ = try engine.attach(kind, name: "x")
        Issue.record("it works at no more than 192 kHz")
      } catch {
        guard case .algorithmRate("x", .fast, 384_000) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect("\(error)".contains("1000 to 192000 Hz"))
      }
    }
    #expect(throws: EngineError.self) { try engine.attach(.effect("pitch")) }
  }

  #if RubberBand
    @Test func `an impulse through the finest algorithm arrives exactly after the latency`() throws {
      let engine = try AudioEngine(.offline(sampleRate: 48_000))
      let source = try engine.attach(.capture(channels: 1))
      let pitch = try engine.attach(.effect("pitch", channels: 1, algorithm: .finest))
      let output = try engine.attach(.playback(channels: 1))
      try engine.connect(source, to: pitch)
      try engine.connect(pitch, to: output)
      let block = 256
      var heard: [Float] = []
      for start in stride(from: 0, to: 2 * pitch.latency, by: block) {
        var input = [Float](repeating: 0, count: block)
        if start == 768 { input[9] = 0.5 }
        heard += try engine.render(block, from: [source: AudioBuffer([input])])[output]?[0] ?? []
      }
      #expect(heard.indices.max { abs(heard[$0]) < abs(heard[$1]) } == 777 + pitch.latency)
    }
  #else
    @Test func `an error on an algorithm that is not built states how to build it`() throws {
      let engine = try AudioEngine(.offline(sampleRate: 48_000))
      for kind in [NodeKind.effect("pitch", algorithm: .finest), .player("a.wav", algorithm: .finest)] {
        do throws(EngineError) {
          _ = try engine.attach(kind, name: "x")
          Issue.record("it is not built")
        } catch {
          guard case .notBuilt("x", .finest) = error else {
            Issue.record("\(error)")
            continue
          }
          #expect("\(error)".contains("make build TRAITS=RubberBand"))
        }
      }
    }
  #endif
}
