// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Which channels go through which responses.
struct ConvolverRoutes {
  /// How many channels are convolved, and how many come of them.
  let inputCount: Int, outputCount: Int
  /// How many responses each output adds up: one, or in true stereo two.
  let perOutput: Int
  /// The responses, those of the first output first, and for each in the order of the inputs.
  let responses: [[Float]]

  /// The routes of a sound for so many channels in and out of the effect, each response `scale` times as
  /// high.
  ///
  /// - Throws: ``EffectError/file(_:_:)`` where the sound's channels do not fit these.
  init(_ sound: Sound, inputs: Int, outputs: Int, scale: Float) throws(EffectError) {
    let channels = scale == 1 ? sound.channels : sound.channels.map { $0.map { $0 * scale } }
    inputCount = inputs
    if channels.count == 1 {
      outputCount = inputs
      perOutput = 1
      responses = Array(repeating: channels[0], count: inputs)
    } else if channels.count == outputs {
      outputCount = outputs
      perOutput = 1
      responses = channels
    } else if channels.count == 4 && outputs == 2 && inputs == 2 {
      outputCount = 2
      perOutput = 2
      responses = [channels[0], channels[2], channels[1], channels[3]]
    } else if channels.count == 4 && outputs == 2 {
      // What is the same on both sides goes through the sum of what each side goes through.
      outputCount = 2
      perOutput = 1
      responses = [Self.sum(channels[0], channels[2]), Self.sum(channels[1], channels[3])]
    } else {
      throw .file(0, .channels(channels.count))
    }
  }

  private static func sum(_ one: [Float], _ other: [Float]) -> [Float] {
    var sum = one
    for place in 0..<one.count { sum[place] += other[place] }
    return sum
  }
}
