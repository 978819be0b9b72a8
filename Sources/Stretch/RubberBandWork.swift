// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The one place that knows whether the trait was asked for.
#if RubberBand
  internal import CSwiftletRubberBand

  let hasRubberBand = true

  func makeRubberBand(channelCount: Int, sampleRate: Double) -> (any StretchWork)? {
    RubberBandWork(channelCount: channelCount, sampleRate: sampleRate)
  }

  /// Rubber Band's engine R3, in real-time mode: windows of four lengths, of which each keeps its phases.
  ///
  /// The middle of a window that it takes becomes the middle of the one that it makes. So it is given silence
  /// before the sound, and what it makes of that is left out: then the first frame out is the first frame in.
  /// At another pitch the window that it makes lasts longer or shorter, and the sound comes later or sooner: for
  /// as long as that has not been made up for, it plays faster or slower.
  final class RubberBandWork: StretchWork {
    private let state: RubberBandState
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let channelCount: Int
    /// Half of the longest window, in frames.
    private let reach: Int
    private let sampleRate: Double
    private var speed = 1.0
    private(set) var ratio = 1.0
    // It keeps its own account of time.
    var isSteady = true
    private var hasBegun = false
    /// How long what was taken in is to last, in frames, and how many were made of it: less than none while
    /// they are made of the silence before.
    private var due = 0.0, position = 0
    private var made: FrameQueue
    private static let pieceFrames = 256

    /// Nil where the library has no such engine.
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
      rubberband_set_max_process_size(state, UInt32(RubberBandWork.pieceFrames))
      self.state = state
      self.channelCount = channelCount
      self.sampleRate = sampleRate
      made = FrameQueue(channelCount: channelCount)
      reach = Int(rubberband_get_preferred_start_pad(state))
      channels = .allocate(capacity: channelCount)
      for channel in 0..<channelCount {
        channels[channel] = .allocate(capacity: RubberBandWork.pieceFrames)
      }
    }

    deinit {
      for channel in 0..<channelCount { channels[channel]?.deallocate() }
      channels.deallocate()
      rubberband_delete(state)
    }

    // Half a window that is still to come, and half of one made, which two octaves down lasts four times as
    // long; what it may be off where the pitch moves; and what its resampler and a piece take.
    var lag: Int { 5 * reach + slack + 2 * RubberBandWork.pieceFrames }

    /// By how many frames it may be off before it makes up for them: as far as hops explain.
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
        let run = min(count - done, RubberBandWork.pieceFrames)
        for channel in 0..<channelCount {
          for frame in 0..<run {
            let sample = frames[(done + frame) * channelCount + channel]
            // A phase that is no number would stay so for ever.
            channels[channel]?[frame] = sample.isFinite ? sample : 0
          }
        }
        keepTime(run)
        process(run)
        done += run
      }
    }

    /// Has the next `count` frames make up for time that was lost or won beyond the slack: most of it within a
    /// tenth of a second, and at no more than a quarter above or below the speed.
    private func keepTime(_ count: Int) {
      // The last window's middle is half of one behind what was taken in; what is made ends half of one that
      // it makes before that.
      let end = due - Double(reach) / speed - Double(rubberband_get_start_delay(state))
      let late = Double(position) - end, slack = Double(slack)
      let haste = (late - min(max(late, -slack), slack)) / (0.1 * sampleRate)
      rubberband_set_time_ratio(state, (1 - min(max(haste, -0.25), 0.25)) / speed)
      due += Double(count) / speed
    }

    /// Gives it more silence than it asks for: all windows that reach into the sound are made.
    private func begin() {
      hasBegun = true
      rubberband_set_time_ratio(state, 1 / speed)
      position = -Int(rubberband_get_start_delay(state)) - Int((Double(reach) / speed).rounded())
      for channel in 0..<channelCount {
        channels[channel]?.update(repeating: 0, count: RubberBandWork.pieceFrames)
      }
      var left = Int(rubberband_get_preferred_start_pad(state)) + reach
      while left > 0 {
        process(min(left, RubberBandWork.pieceFrames))
        left -= RubberBandWork.pieceFrames
      }
    }

    /// Takes what stands in the channels, and gathers what comes of it.
    private func process(_ count: Int) {
      // The same pointers, as C has them: to what is not changed.
      channels.withMemoryRebound(to: UnsafePointer<Float>?.self, capacity: channelCount) { input in
        rubberband_process(state, input, UInt32(count), 0)
      }
      while true {
        // Asked for more than it has, it would complain on standard error.
        let there = min(Int(rubberband_available(state)), RubberBandWork.pieceFrames)
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
