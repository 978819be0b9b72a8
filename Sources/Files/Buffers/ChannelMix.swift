// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// A mix of input channels with gains for each output channel.
struct ChannelMix {
  /// One input channel and its linear gain.
  typealias Part = (channel: Int, gain: Double)

  /// The input channels of each output channel; none for silence.
  private let outputs: [[Part]]
  private let inputCount: Int

  /// Maps each output channel to one input channel or to silence.
  ///
  /// - Throws: ``FormatError/mapLength(_:outputChannels:)``, ``FormatError/mapChannel(_:inputChannels:)``.
  init(_ map: [Int?], from input: AudioFormat, to output: AudioFormat) throws(FormatError) {
    guard map.count == output.channelCount else {
      throw .mapLength(map.count, outputChannels: output.channelCount)
    }
    for case let channel? in map where !(0..<input.channelCount ~= channel) {
      throw .mapChannel(channel, inputChannels: input.channelCount)
    }
    self.init(map.map { channel in channel.map { [($0, 1)] } ?? [] }, inputCount: input.channelCount)
  }

  private init(_ outputs: [[Part]], inputCount: Int) {
    (self.outputs, self.inputCount) = (outputs, inputCount)
  }

  /// Mixes surround sound to one or two channels by its layout; otherwise applies the ``ChannelRule`` of wires.
  init(from input: AudioFormat, to output: AudioFormat) {
    let counts = (input.channelCount, output.channelCount)
    if let sides = ChannelMix.downmix(of: input.layout), counts.1 <= 2, output.layout != .discrete {
      // The gains add up to 1, so that nothing clips. One output channel is the mean of both sides.
      let total = sides.left.reduce(0) { $0 + $1.gain }
      let rows = [sides.left, sides.right].map { $0.map { Part($0.channel, $0.gain / total) } }
      self.init(
        counts.1 == 2 ? rows : [rows.joined().map { Part($0.channel, $0.gain / 2) }], inputCount: counts.0)
      return
    }
    switch ChannelRule(from: counts.0, to: counts.1) {
    case .inOrder: self.init(inOrder: counts.0, counts.1)
    case .copied: self.init(Array(repeating: [(0, 1)], count: counts.1), inputCount: 1)
    case .mean: self.init([(0..<counts.0).map { ($0, 1 / Double(counts.0)) }], inputCount: counts.0)
    }
  }

  /// Maps channel n to channel n. Surplus input channels are dropped, and surplus output channels are silent.
  init(inOrder inputs: Int, _ outputs: Int) {
    self.init((0..<outputs).map { $0 < inputs ? [($0, 1)] : [] }, inputCount: inputs)
  }

  /// Whether each channel passes through unchanged.
  var isIdentity: Bool {
    outputs.count == inputCount
      && outputs.enumerated().allSatisfy { $1.count == 1 && $1[0].channel == $0 && $1[0].gain == 1 }
  }

  /// Mixes interleaved frames.
  func applied(to samples: [Double]) -> [Double] {
    let frames = inputCount > 0 ? samples.count / inputCount : 0, width = outputs.count
    var result = [Double](repeating: 0, count: frames * width)
    for (output, parts) in outputs.enumerated() {
      for part in parts {
        for frame in 0..<frames {
          result[frame * width + output] += samples[frame * inputCount + part.channel] * part.gain
        }
      }
    }
    return result
  }

  /// Returns the input channels of the left and the right output channel: centre and surround channels at −3 dB, no
  /// low-frequency channel (ITU-R BS.775-3, annex 4, table 2). Nil for layouts of up to two channels and for
  /// `discrete`.
  private static func downmix(of layout: AudioFormat.Layout) -> (left: [Part], right: [Part])? {
    let half = 0.5.squareRoot()
    return switch layout {
    case .mono, .stereo, .discrete: nil
    case .quad: ([(0, 1), (2, half)], [(1, 1), (3, half)])
    case .surround51: ([(0, 1), (2, half), (4, half)], [(1, 1), (2, half), (5, half)])
    case .surround71: ([(0, 1), (2, half), (4, half), (6, half)], [(1, 1), (2, half), (5, half), (7, half)])
    }
  }
}
