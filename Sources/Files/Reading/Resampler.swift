// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSampleRate

/// How carefully sound is brought to another rate.
package enum ResamplingQuality: Sendable {
  /// The best there is: 144 dB between the sound and what conversion adds, 97
  /// % of the band. For work offline.
  case best
  /// Good enough to be heard live, at a third of the cost: 121 dB, 90 % of the band.
  case medium
}

/// Brings sound from one rate to another, piece by piece. Samples lie channel beside channel.
final class Resampler {
  private let state: OpaquePointer
  private let ratio: Double
  let channelCount: Int

  /// Nil where the rates are further apart than a factor of 256, or there are more than 128 channels.
  convenience init?(channelCount: Int, from: Int, to: Int, quality: ResamplingQuality) {
    self.init(channelCount: channelCount, ratio: Double(to) / Double(from), quality: quality)
  }

  /// - Parameter ratio: the output rate over the input rate, from 1/256 to 256; otherwise nil is returned.
  init?(channelCount: Int, ratio: Double, quality: ResamplingQuality) {
    self.ratio = ratio
    self.channelCount = channelCount
    let kind = quality == .best ? SRC_SINC_BEST_QUALITY : SRC_SINC_MEDIUM_QUALITY
    var error: Int32 = 0
    guard src_is_valid_ratio(ratio) != 0, let state = src_new(Int32(kind), Int32(channelCount), &error) else {
      return nil
    }
    self.state = state
  }

  deinit { src_delete(state) }

  /// Forgets what came before: the next frame is the first.
  func reset() { src_reset(state) }

  /// Converts what fits.
  ///
  /// - Returns: how many input frames were used up and how many output frames were made; nil where it failed.
  func convert(
    _ input: UnsafePointer<Float>, _ inputCount: Int, to output: UnsafeMutablePointer<Float>, _ room: Int,
    isLast: Bool
  ) -> (used: Int, made: Int)? {
    var data = SRC_DATA()
    data.data_in = input
    data.data_out = output
    data.input_frames = inputCount
    data.output_frames = room
    data.src_ratio = ratio
    data.end_of_input = isLast ? 1 : 0
    guard src_process(state, &data) == 0 else { return nil }
    return (Int(data.input_frames_used), Int(data.output_frames_gen))
  }

  /// Converts all of `count` frames, and the rest that is still inside if they
  /// are the last; nil where it failed.
  func push(_ input: UnsafePointer<Float>, count: Int, isLast: Bool) -> [Float]? {
    var output: [Float] = []
    var used = 0
    let room = Int(Double(count) * ratio) + 1024
    var piece = [Float](repeating: 0, count: room * channelCount)
    while true {
      let step = convert(input + used * channelCount, count - used, to: &piece, room, isLast: isLast)
      guard let step else { return nil }
      used += step.used
      output += piece[..<(step.made * channelCount)]
      if step.made == 0 && (used == count || step.used == 0) { return output }
    }
  }
}
