// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The only code that depends on the package trait.
#if RubberBand
  internal import CSwiftletRubberBand

  let hasRubberBand = true

  func makeRubberBand(channelCount: Int, sampleRate: Double) -> (any StretchWork)? {
    RubberBandWork(channelCount: channelCount, sampleRate: sampleRate)
  }

  /// Rubber Band's engine R3, in real-time mode: it uses windows of four lengths and keeps each window's phases.
  ///
  /// The center of an analysis window becomes the center of a synthesis window. So this feeds silence before the sound
  /// and drops the output for it: the first output frame is then the first input frame. At another pitch the synthesis
  /// window lasts longer or shorter, so the sound comes later or sooner. Until that is made up for, the sound plays
  /// faster or slower.
  final class RubberBandWork: StretchWork {
    private let state: RubberBandState
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let channelCount: Int
    /// Half of the longest window, in frames.
    private let reach: Int
    private let sampleRate: Double
    private var speed = 1.0
    private(set) var ratio = 1.0
    // `correctTiming` corrects the timing in every slice, so this has no effect.
    var isSteady = true
    private var hasBegun = false
    /// The duration in frames that the input so far must have in the output, and the number of output frames so far.
    /// The latter is negative while the output is of the leading silence.
    private var due = 0.0, position = 0
    private var made: FrameQueue
    private static let sliceLength = 256

    /// Creates the stretcher; nil if the library has no engine R3.
    init?(channelCount: Int, sampleRate: Double) {
      let options =
        RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
        | RubberBandOptionPitchHighConsistency.rawValue | RubberBandOptionThreadingNever.rawValue
      guard
        let state = rubberband_new(
          UInt32(sampleRate.rounded()), UInt32(channelCount), Int32(bitPattern: options), 1, 1)
      else { return nil }
      guard rubberband_get_engine_version(state) == 3 else {
        rubberband_delete(state)
        return nil
      }
      rubberband_set_max_process_size(state, UInt32(RubberBandWork.sliceLength))
      self.state = state
      self.channelCount = channelCount
      self.sampleRate = sampleRate
      made = FrameQueue(channelCount: channelCount)
      reach = Int(rubberband_get_preferred_start_pad(state))
      channels = .allocate(capacity: channelCount)
      for channel in 0..<channelCount {
        channels[channel] = .allocate(capacity: RubberBandWork.sliceLength)
      }
    }

    deinit {
      for channel in 0..<channelCount { channels[channel]?.deallocate() }
      channels.deallocate()
      rubberband_delete(state)
    }

    // Half an input window still to come, and half an output window, which lasts four times as long two octaves down;
    // the permitted timing error while the pitch moves; and what the library's resampler and one slice hold.
    var lag: Int { 5 * reach + slack + 2 * RubberBandWork.sliceLength }

    /// The timing error in frames that is not corrected: as large as hops can explain.
    private var slack: Int { reach / 2 }

    func change(to stretch: Stretch) -> Double {
      speed = stretch.speed
      rubberband_set_pitch_scale(state, stretch.ratio)
      ratio = 1 / stretch.varispeed
      return ratio
    }

    func push(_ frames: UnsafePointer<Float>, count: Int) {
      if !hasBegun { begin() }
      var done = 0
      while done < count {
        let run = min(count - done, RubberBandWork.sliceLength)
        for channel in 0..<channelCount {
          for frame in 0..<run {
            let sample = frames[(done + frame) * channelCount + channel]
            // A phase that became NaN would stay NaN.
            channels[channel]?[frame] = sample.isFinite ? sample : 0
          }
        }
        correctTiming(run)
        process(run)
        done += run
      }
    }

    /// Sets the rate for the next `count` frames so that they make up for a timing error beyond the slack: most of it
    /// within a tenth of a second, at no more than 25 % above or below the speed.
    private func correctTiming(_ count: Int) {
      // The center of the last window is half a window behind the input, and the output ends half a synthesis window
      // before that.
      let end = due - Double(reach) / speed - Double(rubberband_get_start_delay(state))
      let late = Double(position) - end, slack = Double(slack)
      let haste = (late - min(max(late, -slack), slack)) / (0.1 * sampleRate)
      rubberband_set_time_ratio(state, (1 - min(max(haste, -0.25), 0.25)) / speed)
      due += Double(count) / speed
    }

    /// Feeds more silence than the library asks for, so that all windows that reach into the sound are computed.
    private func begin() {
      hasBegun = true
      rubberband_set_time_ratio(state, 1 / speed)
      position = -Int(rubberband_get_start_delay(state)) - Int((Double(reach) / speed).rounded())
      for channel in 0..<channelCount {
        channels[channel]?.update(repeating: 0, count: RubberBandWork.sliceLength)
      }
      var left = Int(rubberband_get_preferred_start_pad(state)) + reach
      while left > 0 {
        process(min(left, RubberBandWork.sliceLength))
        left -= RubberBandWork.sliceLength
      }
    }

    /// Feeds the input in `channels`, and collects the output.
    private func process(_ count: Int) {
      // Rebinds the pointers as pointers to constants, as the C function takes them.
      channels.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: channelCount) { input in
        rubberband_process(state, input, UInt32(count), 0)
      }
      while true {
        // A request for more frames than are available would print a warning on standard error.
        let there = min(Int(rubberband_available(state)), RubberBandWork.sliceLength)
        guard there > 0 else { return }
        let got = Int(rubberband_retrieve(state, channels, UInt32(there)))
        let left = min(max(-position, 0), got)
        position += got
        for frame in left..<got {
          for channel in 0..<channelCount { made.append(channels[channel]?[frame] ?? 0) }
        }
      }
    }

    func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
      made.pull(into: frames, count: count)
    }
  }
#else
  let hasRubberBand = false

  func makeRubberBand(channelCount: Int, sampleRate: Double) -> (any StretchWork)? { nil }
#endif
