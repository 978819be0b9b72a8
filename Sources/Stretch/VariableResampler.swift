// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSampleRate

/// Resamples at a ratio that may change with each piece. Samples lie channel beside channel.
final class VariableResampler {
  private let state: OpaquePointer
  private let channelCount: Int
  /// Over how many frames of a piece the ratio glides at most.
  private let glide: Int
  private var ratio = 1.0
  /// How many frames have been due so far, and how many made.
  private var due = 0.0, given = 0.0
  /// How many frames the filter looks ahead at ratios from 1 up.
  private let reach: Double
  private var made: FrameQueue
  private var room: [Float]
  private static let roomFrames = 4096
  private static let steps = 32

  /// Nil where the library refuses.
  init?(channelCount: Int, glide: Int, isBest: Bool) {
    var error: Int32 = 0
    let kind = isBest ? SRC_SINC_BEST_QUALITY : SRC_SINC_MEDIUM_QUALITY
    guard let state = src_new(Int32(kind), Int32(channelCount), &error) else { return nil }
    self.state = state
    self.channelCount = channelCount
    made = FrameQueue(channelCount: channelCount)
    // The lengths and steps of libsamplerate's own filters.
    reach = isBest ? 340_241 / 2381 : 22_440 / 491
    self.glide = max(glide, VariableResampler.steps)
    room = [Float](repeating: 0, count: VariableResampler.roomFrames * channelCount)
  }

  deinit { src_delete(state) }

  /// Sets the ratio of the first piece: output frames over input frames.
  func start(at ratio: Double) { self.ratio = ratio }

  /// How many frames wait for those that follow them.
  private func waiting(_ ratio: Double) -> Double { (reach / min(ratio, 1)).rounded() + 1 }

  /// Takes in a piece of which `ratio * count` frames are to be made. Where the ratio is another than before,
  /// it glides there in the piece's first frames, and the rest makes up for it: nothing drifts.
  func push(_ frames: UnsafePointer<Float>, count: Int, ratio wanted: Double) {
    due += Double(count) * wanted
    let steps = VariableResampler.steps
    // The frames of the piece before that still wait are made at their own ratio.
    let late = min(Int(waiting(ratio)), count)
    let head = min(glide, (count - late) / 2) / steps
    guard wanted != ratio, head > 0 else {
      ratio = wanted
      convert(frames, count, wanted)
      return
    }
    convert(frames, late, ratio)
    for step in 0..<steps {
      let now = ratio + (wanted - ratio) * (Double(step) + 0.5) / Double(steps)
      convert(frames + (late + step * head) * channelCount, head, now)
    }
    let done = late + steps * head
    let owed = due - given - waiting(wanted) * wanted
    let rest = owed / Double(count - done)
    // Where the piece is too short to make up for all, the next change does the rest.
    convert(frames + done * channelCount, count - done, min(max(rest, wanted * 0.9), wanted * 1.1))
    ratio = wanted
  }

  private func convert(_ frames: UnsafePointer<Float>, _ count: Int, _ ratio: Double) {
    // Without this it would glide over as many frames as there is room for.
    src_set_ratio(state, ratio)
    var data = SRC_DATA()
    data.src_ratio = ratio
    var used = 0
    while true {
      data.data_in = frames + used * channelCount
      data.input_frames = count - used
      let result = room.withUnsafeMutableBufferPointer { room in
        data.data_out = room.baseAddress
        data.output_frames = VariableResampler.roomFrames
        return src_process(state, &data)
      }
      guard result == 0 else { return }
      used += Int(data.input_frames_used)
      let got = Int(data.output_frames_gen)
      given += Double(got)
      made.append(contentsOf: room[..<(got * channelCount)])
      if got == 0 && (used == count || data.input_frames_used == 0) { return }
    }
  }

  /// Gives up to `count` frames out, and tells how many.
  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    made.pull(into: frames, count: count)
  }
}
