// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSampleRate

/// The quality of resampling.
package enum ResamplingQuality: Sendable {
  /// The best quality, for offline rendering: a signal-to-noise ratio of 144 dB and 97 % of the band.
  case best
  /// Good quality for real time at a third of the cost: a signal-to-noise ratio of 121 dB and 90 % of the band.
  case medium
}

/// Converts sound from one rate to another, buffer by buffer. Samples are interleaved.
final class Resampler {
  private let state: OpaquePointer
  private let ratio: Double
  let channelCount: Int

  /// Returns nil if the rates differ by more than a factor of 256, or there are more than 128 channels.
  convenience init?(channelCount: Int, from: Int, to: Int, quality: ResamplingQuality) {
    self.init(channelCount: channelCount, ratio: Double(to) / Double(from), quality: quality)
  }

  /// - Parameter ratio: the output rate divided by the input rate, from 1/256 to 256. Returns nil for other values.
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

  /// Clears the filter's state: the next frame is the first of a new stream.
  func reset() { src_reset(state) }

  /// Converts as many frames as fit.
  ///
  /// - Returns: the number of input frames used and of output frames made; nil on failure.
  func convert(
    _ input: UnsafePointer<Float>, _ inputCount: Int, to output: UnsafeMutablePointer<Float>, _ capacity: Int,
    isLast: Bool
  ) -> (used: Int, made: Int)? {
    var data = SRC_DATA()
    data.data_in = input
    data.data_out = output
    data.input_frames = inputCount
    data.output_frames = capacity
    data.src_ratio = ratio
    data.end_of_input = isLast ? 1 : 0
    guard src_process(state, &data) == 0 else { return nil }
    return (Int(data.input_frames_used), Int(data.output_frames_gen))
  }

  /// Converts all of `count` frames and, if they are the last, flushes the filter. Returns nil on failure.
  func push(_ input: UnsafePointer<Float>, count: Int, isLast: Bool) -> [Float]? {
    var output: [Float] = []
    var used = 0
    let capacity = Int(Double(count) * ratio) + 1024
    var buffer = [Float](repeating: 0, count: capacity * channelCount)
    while true {
      let step = convert(input + used * channelCount, count - used, to: &buffer, capacity, isLast: isLast)
      guard let step else { return nil }
      used += step.used
      output += buffer[..<(step.made * channelCount)]
      if step.made == 0 && (used == count || step.used == 0) { return output }
    }
  }
}
