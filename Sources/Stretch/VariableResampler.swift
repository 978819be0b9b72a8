// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSampleRate

/// Resamples at a ratio that may change with each slice. Samples are interleaved.
final class VariableResampler {
  private let state: OpaquePointer
  private let channelCount: Int
  /// The maximum number of frames of a slice over which the ratio glides.
  private let glide: Int
  private var ratio = 1.0
  /// The number of output frames due so far, and the number made.
  private var due = 0.0, given = 0.0
  /// The look-ahead of the filter in frames, at ratios of 1 and more.
  private let reach: Double
  private var made: FrameQueue
  private var scratch: [Float]
  private static let scratchFrames = 4096
  private static let steps = 32

  /// Creates a resampler; nil if the library fails.
  init?(channelCount: Int, glide: Int, isBest: Bool) {
    var error: Int32 = 0
    let kind = isBest ? SRC_SINC_BEST_QUALITY : SRC_SINC_MEDIUM_QUALITY
    guard let state = src_new(Int32(kind), Int32(channelCount), &error) else { return nil }
    self.state = state
    self.channelCount = channelCount
    made = FrameQueue(channelCount: channelCount)
    // From the lengths and increments of libsamplerate's own filters.
    reach = isBest ? 340_241 / 2381 : 22_440 / 491
    self.glide = max(glide, VariableResampler.steps)
    scratch = [Float](repeating: 0, count: VariableResampler.scratchFrames * channelCount)
  }

  deinit { src_delete(state) }

  /// Sets the ratio for the first slice: output frames per input frame.
  func start(at ratio: Double) { self.ratio = ratio }

  /// The number of frames that wait in the filter for later frames.
  private func waiting(_ ratio: Double) -> Double { (reach / min(ratio, 1)).rounded() + 1 }

  /// Pushes a slice that yields `ratio * count` frames. If the ratio differs from the previous one, it glides there in
  /// the slice's first frames, and the rest of the slice compensates, so that nothing drifts.
  func push(_ frames: UnsafePointer<Float>, count: Int, ratio target: Double) {
    due += Double(count) * target
    let steps = VariableResampler.steps
    // The frames of the previous slice that still wait are made at that slice's ratio.
    let late = min(Int(waiting(ratio)), count)
    let head = min(glide, (count - late) / 2) / steps
    guard target != ratio, head > 0 else {
      ratio = target
      convert(frames, count, target)
      return
    }
    convert(frames, late, ratio)
    for step in 0..<steps {
      let now = ratio + (target - ratio) * (Double(step) + 0.5) / Double(steps)
      convert(frames + (late + step * head) * channelCount, head, now)
    }
    let done = late + steps * head
    let missing = due - given - waiting(target) * target
    let rest = missing / Double(count - done)
    // If the slice is too short to compensate for all, the next change does the rest.
    convert(frames + done * channelCount, count - done, min(max(rest, target * 0.9), target * 1.1))
    ratio = target
  }

  private func convert(_ frames: UnsafePointer<Float>, _ count: Int, _ ratio: Double) {
    // Otherwise libsamplerate would glide over as many frames as there is room for.
    src_set_ratio(state, ratio)
    var data = SRC_DATA()
    data.src_ratio = ratio
    var used = 0
    while true {
      data.data_in = frames + used * channelCount
      data.input_frames = count - used
      let result = scratch.withUnsafeMutableBufferPointer { scratch in
        data.data_out = scratch.baseAddress
        data.output_frames = VariableResampler.scratchFrames
        return src_process(state, &data)
      }
      guard result == 0 else { return }
      used += Int(data.input_frames_used)
      let got = Int(data.output_frames_gen)
      given += Double(got)
      made.append(contentsOf: scratch[..<(got * channelCount)])
      if got == 0 && (used == count || data.input_frames_used == 0) { return }
    }
  }

  /// Pulls up to `count` frames, and returns their number.
  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    made.pull(into: frames, count: count)
  }
}
