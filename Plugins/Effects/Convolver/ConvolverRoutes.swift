// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The assignment of input channels to responses and outputs.
struct ConvolverRoutes {
  /// The numbers of channels that are convolved and that result from it.
  let inputCount: Int, outputCount: Int
  /// The number of responses that each output adds up: one, or two in true stereo.
  let perOutput: Int
  /// The responses, ordered by output and then by input.
  let responses: [[Float]]

  /// Creates the routes of a sound for the effect's numbers of input and output channels. Each response is multiplied
  /// by `scale`.
  ///
  /// - Throws: ``EffectError/file(_:_:)`` if the sound's number of channels does not match.
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
      // A signal that is equal on both sides is convolved with the sum of the responses of both sides.
      outputCount = 2
      perOutput = 1
      responses = [Self.sum(channels[0], channels[2]), Self.sum(channels[1], channels[3])]
    } else {
      throw .file(0, .channels(channels.count))
    }
  }

  private static func sum(_ one: [Float], _ other: [Float]) -> [Float] {
    var sum = one
    for index in 0..<one.count { sum[index] += other[index] }
    return sum
  }
}
