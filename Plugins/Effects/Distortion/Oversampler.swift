// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Converts a signal to a multiple of its sample rate and back, so that nonlinear processing in between causes little
/// aliasing.
///
/// The passband ends at 20 kHz, or at 0.43 of the sample rate if that is lower; frequencies above half the rate are
/// attenuated by 90 dB. Each doubling is a half-band filter, in which every second tap is zero; only the last
/// downsampling filter has to be steep. All filters have linear phase, and the total latency is a whole number of
/// frames.
@safe struct Oversampler: ~Copyable {
  /// The oversampling factor: a power of two.
  let factor: Int
  /// The latency of upsampling and downsampling, in frames.
  let latency: Int
  /// The part of the latency that lies before the processing at the higher rate, rounded.
  let latencyBefore: Int
  private let doublings: Int
  private let channelCount: Int
  private let ups: UnsafeMutablePointer<RateFilter>, downs: UnsafeMutablePointer<RateFilter>
  /// For each channel the inputs of the upsampling filters, then the inputs of the downsampling filters.
  private let waves: UnsafeMutablePointer<PolyphaseBuffer>
  private let wavesEach: Int

  /// - Parameters:
  ///   - doublings: the exponent of the oversampling factor, a power of two.
  ///   - longest: the largest number of frames that is processed at once.
  ///   - least: the latency in frames, if it is longer than that of the filters.
  init(doublings: Int, channelCount: Int, sampleRate: Double, longest: Int, latency least: Int = 0) {
    self.doublings = doublings
    self.channelCount = channelCount
    factor = 1 << doublings
    // Without filters there is still one buffer to process.
    let downCount = max(doublings, 1)
    wavesEach = doublings + downCount
    unsafe ups = .allocate(capacity: downCount)
    unsafe downs = .allocate(capacity: downCount)
    unsafe waves = .allocate(capacity: channelCount * wavesEach)
    var late = 0
    for step in 0..<doublings {
      let reach = Self.up(step, sampleRate).reach + Self.down(step, sampleRate).reach
      late += reach << (doublings - step - 1)
    }
    latency = max(late / factor, doublings > 0 ? least : 0)
    var lateBefore = (latency - late / factor) << doublings
    for step in 0..<doublings { lateBefore += Self.up(step, sampleRate).reach << (doublings - step - 1) }
    latencyBefore = (lateBefore + factor / 2) / factor
    for step in 0..<doublings {
      let low = 1 << step, up = Self.up(step, sampleRate), down = Self.down(step, sampleRate)
      let spare = step == 0 ? latency - late / factor : 0
      unsafe (ups + step).initialize(to: RateFilter(up: up, from: low, longest: longest, late: spare))
      unsafe (downs + step).initialize(to: RateFilter(down: down, from: 2 * low, longest: longest))
    }
    for channel in 0..<channelCount {
      let own = unsafe waves + channel * wavesEach
      for step in 0..<doublings {
        unsafe (own + step).initialize(
          to: PolyphaseBuffer(count: 1 << step, history: ups[step].history, longest: longest))
        unsafe (own + doublings + step).initialize(
          to: PolyphaseBuffer(count: 2 << step, history: downs[step].history, longest: longest))
      }
      if doublings == 0 { unsafe own.initialize(to: PolyphaseBuffer(count: 1, history: 0, longest: longest)) }
    }
  }

  deinit {
    unsafe waves.deinitialize(count: channelCount * wavesEach)
    unsafe waves.deallocate()
    unsafe ups.deinitialize(count: doublings)
    unsafe ups.deallocate()
    unsafe downs.deinitialize(count: doublings)
    unsafe downs.deallocate()
  }

  /// Upsamples `count` frames of a channel.
  @_noLocks @_noAllocation @unsafe
  mutating func raise(_ channel: Int, _ source: UnsafePointer<Float>, count: Int) {
    let own = unsafe waves + channel * wavesEach
    unsafe rt_copy_floats(own[0].stream(0), source, count)
    for step in 0..<doublings {
      let next = step + 1 < doublings ? step + 1 : wavesEach - 1
      for number in 0..<(2 << step) {
        unsafe ups[step].run(own[step], number: number, to: own[next].stream(number), count: count)
      }
      unsafe own[step].pass(count)
    }
  }

  /// Returns one of the ``factor`` streams of a channel's oversampled signal, to be processed in place.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  func stream(_ number: Int, of channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe waves[channel * wavesEach + wavesEach - 1].stream(number)
  }

  /// Downsamples `count` frames of a channel.
  ///
  /// - Parameter sink: has room for ``PolyphaseBuffer/spare`` more frames.
  @_noLocks @_noAllocation @unsafe
  mutating func lower(_ channel: Int, to sink: UnsafeMutablePointer<Float>, count: Int) {
    guard doublings > 0 else {
      unsafe rt_copy_floats(sink, stream(0, of: channel), count)
      return
    }
    let own = unsafe waves + channel * wavesEach + doublings
    var step = doublings - 1
    while step >= 0 {
      for number in 0..<(1 << step) {
        let to = unsafe step > 0 ? own[step - 1].stream(number) : sink
        unsafe downs[step].run(own[step], number: number, to: to, count: count)
      }
      unsafe own[step].pass(count)
      step -= 1
    }
  }

  /// Clears all state.
  @_noLocks @_noAllocation mutating func clear() {
    for index in 0..<(channelCount * wavesEach) { unsafe waves[index].clear() }
  }

  /// Returns the end of the passband, as a proportion of the rate after an upsampling step.
  private static func pass(_ step: Int, _ sampleRate: Double) -> Double {
    min(20_000 / sampleRate, 0.43) / Double(2 << step)
  }

  /// Returns the half-length of the half-band filter for an upsampling step. It is odd, so that the outermost taps are
  /// not zero. In the third step it is 1 less than a multiple of 4, in the fourth of 8, so that the delay of this filter
  /// and of the downsampling filter, whose half-length is 2 larger, is a whole number of frames. In the first two steps
  /// any odd number suffices.
  private static func halfBand(_ step: Int, _ sampleRate: Double) -> Int {
    let reach = KaiserWindow.reach(LowPassTaps.depth, width: 0.5 - 2 * pass(step, sampleRate))
    let multiple = max(1 << step, 2)
    return (reach + multiple) / multiple * multiple - 1
  }

  private static func up(_ step: Int, _ sampleRate: Double) -> LowPassTaps {
    LowPassTaps(reach: halfBand(step, sampleRate), cutOff: 0.25)
  }

  /// Returns the downsampling filter for a step. The filter of step 0, the last one to be applied, is the steep one.
  private static func down(_ step: Int, _ sampleRate: Double) -> LowPassTaps {
    guard step == 0 else { return LowPassTaps(reach: halfBand(step, sampleRate) + 2, cutOff: 0.25) }
    let pass = pass(0, sampleRate)
    let reach = KaiserWindow.reach(LowPassTaps.depth, width: 0.25 - pass)
    return LowPassTaps(reach: reach | 1, cutOff: (0.25 + pass) / 2)
  }
}
