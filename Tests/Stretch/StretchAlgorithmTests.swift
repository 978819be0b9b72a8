// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletStretch
import Testing

struct StretchAlgorithmTests {
  @Test func `an algorithm that is not built is refused, and fast is always built`() {
    #expect(StretchAlgorithm.fast.isBuilt)
    for engine in StretchAlgorithm.allCases {
      let made = Stretcher(channelCount: 1, sampleRate: 48_000, engine: engine)
      #expect((made != nil) == StretchAlgorithm.built.contains(engine))
    }
  }

  @Test func `unsupported sample rates and channel counts return nil`() {
    for engine in StretchAlgorithm.allCases {
      let rates = engine.sampleRates
      for (channels, rate) in [(1, rates.lowerBound / 2), (1, rates.upperBound * 2), (17, 48_000)] {
        #expect(Stretcher(channelCount: channels, sampleRate: rate, engine: engine) == nil)
      }
      let made = Stretcher(channelCount: 16, sampleRate: rates.upperBound, Stretch(speed: 2), engine: engine)
      #expect((made != nil) == engine.isBuilt)
    }
  }
}
