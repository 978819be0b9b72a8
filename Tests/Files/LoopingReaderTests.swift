// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Testing

@testable import SwiftletFiles

/// Readers in loop order, compared with the sound itself.
struct LoopingReaderTests {
  /// A sound whose samples are their frame numbers.
  private final class Ramp: SoundReader {
    let path = "ramp", channelCount = 2, sampleRate = 8000
    let length: Int?
    private(set) var position = 0

    init(length: Int?) { self.length = length }

    func read(into channels: Channels, count: Int) -> Int {
      let got = min(count, (length ?? .max) - position)
      for frame in 0..<got {
        channels[0][frame] = Float(position + frame + 1)
        channels[1][frame] = -Float(position + frame + 1)
      }
      position += got
      return got
    }

    func seek(to frame: Int) { position = min(max(frame, 0), length ?? .max) }
  }

  /// Returns the samples of a loop from its start.
  private func model(_ count: Int, _ loop: Range<Int>, length: Int?) -> [Float] {
    var position = 0
    return (0..<count).map { _ in
      defer { position = position + 1 == loop.upperBound ? loop.lowerBound : position + 1 }
      return position < length ?? .max ? Float(position + 1) : 0
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `any loop is read frame by frame from any position, even beyond the sound's end`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let length = generator.below(3) == 0 ? nil : generator.below(300), start = generator.below(200)
      let loop = start..<start + 1 + generator.below(200)
      let reader = LoopingReader(Ramp(length: length))
      reader.loop = TimelineLoop(Int64(loop.lowerBound)..<Int64(loop.upperBound))
      #expect(reader.length == nil)
      let expected = model(2000, loop, length: length)
      let memory = ChannelMemory(channelCount: 2, frameCount: 100)
      var position = 0
      while position < 1900 {
        if generator.below(4) == 0 {
          position = generator.below(1900)
          try reader.seek(to: position)
        }
        let count = 1 + generator.below(100)
        #expect(try reader.read(into: memory.channels, count: count) == count)
        for frame in 0..<count {
          let sample = expected[position + frame]
          #expect(memory.channels[0][frame] == sample && memory.channels[1][frame] == -sample)
        }
        position += count
        #expect(reader.position == position)
      }
    }
  }

  @Test func `without a loop it reads like the sound`() throws {
    let reader = LoopingReader(Ramp(length: 150)), memory = ChannelMemory(channelCount: 2, frameCount: 100)
    #expect(reader.length == 150)
    #expect(try reader.read(into: memory.channels, count: 100) == 100 && reader.position == 100)
    #expect(try reader.read(into: memory.channels, count: 100) == 50 && reader.position == 150)
    try reader.seek(to: 400)
    #expect(reader.position == 150)
    #expect(try reader.read(into: memory.channels, count: 1) == 0)
  }
}
