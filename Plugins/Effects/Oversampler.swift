// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Takes sound to a multiple of its rate and back, so that what bends waves in between makes no frequencies
/// that fold over.
///
/// Sound passes up to 20 kHz, or to 0.43 of the rate where that is lower; what lies above half the rate comes
/// back 90 dB down. Each doubling is a half-band filter, every second tap of which is nothing; only the last
/// step down has to be steep. All filters delay all frequencies alike, together by whole frames.
@safe struct Oversampler: ~Copyable {
  /// The multiple: a power of two.
  let factor: Int
  /// How many frames the way up and down takes.
  let latency: Int
  private let doublings: Int
  private let channelCount: Int
  private let ups: UnsafeMutablePointer<RateFilter>, downs: UnsafeMutablePointer<RateFilter>
  /// For each channel what each filter up reads, then what each filter down reads.
  private let waves: UnsafeMutablePointer<Phases>
  private let wavesEach: Int

  /// - Parameters:
  ///   - doublings: the multiple is two to that power.
  ///   - longest: how many frames are worked on at once.
  init(doublings: Int, channelCount: Int, sampleRate: Double, longest: Int) {
    self.doublings = doublings
    self.channelCount = channelCount
    factor = 1 << doublings
    // Without filters there is still a wave to work on.
    let downCount = max(doublings, 1)
    wavesEach = doublings + downCount
    unsafe ups = .allocate(capacity: downCount)
    unsafe downs = .allocate(capacity: downCount)
    unsafe waves = .allocate(capacity: channelCount * wavesEach)
    var late = 0
    for step in 0..<doublings {
      let low = 1 << step, up = Self.up(step, sampleRate), down = Self.down(step, sampleRate)
      unsafe (ups + step).initialize(to: RateFilter(up: up, from: low, longest: longest))
      unsafe (downs + step).initialize(to: RateFilter(down: down, from: 2 * low, longest: longest))
      late += (up.reach + down.reach) * (factor / (2 * low))
    }
    latency = late / factor
    for channel in 0..<channelCount {
      let own = unsafe waves + channel * wavesEach
      for step in 0..<doublings {
        unsafe (own + step).initialize(
          to: Phases(count: 1 << step, history: ups[step].history, longest: longest))
        unsafe (own + doublings + step).initialize(
          to: Phases(count: 2 << step, history: downs[step].history, longest: longest))
      }
      if doublings == 0 { unsafe own.initialize(to: Phases(count: 1, history: 0, longest: longest)) }
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

  /// Takes `count` frames of a channel up.
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

  /// The wave of a channel at the multiple of the rate, to be worked on in place: one of ``factor`` streams.
  @_noLocks @_noAllocation @inline(__always) @unsafe
  func stream(_ number: Int, of channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe waves[channel * wavesEach + wavesEach - 1].stream(number)
  }

  /// Takes `count` frames of a channel down.
  ///
  /// - Parameter sink: has room for ``Phases/spare`` frames more.
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

  /// Forgets all sound.
  @_noLocks @_noAllocation mutating func clear() {
    for place in 0..<(channelCount * wavesEach) { unsafe waves[place].clear() }
  }

  /// The highest frequency that passes, as a share of the rate after a step up.
  private static func pass(_ step: Int, _ sampleRate: Double) -> Double {
    min(20_000 / sampleRate, 0.43) / Double(2 << step)
  }

  /// The reach of a half-band filter for a step up: 1 less than a multiple of 4, so that the outermost taps
  /// are something, and so that together with one that reaches 2 further it takes whole frames. The second
  /// step does with any odd number.
  private static func halfBand(_ step: Int, _ sampleRate: Double) -> Int {
    let reach = KaiserWindow.reach(LowPassTaps.depth, width: 0.5 - 2 * pass(step, sampleRate))
    let unit = step > 1 ? 4 : 2
    return (reach + unit) / unit * unit - 1
  }

  private static func up(_ step: Int, _ sampleRate: Double) -> LowPassTaps {
    LowPassTaps(reach: halfBand(step, sampleRate), cutOff: 0.25)
  }

  /// The first step up ends with the steep way down.
  private static func down(_ step: Int, _ sampleRate: Double) -> LowPassTaps {
    guard step == 0 else { return LowPassTaps(reach: halfBand(step, sampleRate) + 2, cutOff: 0.25) }
    let pass = pass(0, sampleRate)
    let reach = KaiserWindow.reach(LowPassTaps.depth, width: 0.25 - pass)
    return LowPassTaps(reach: reach | 1, cutOff: (0.25 + pass) / 2)
  }
}
