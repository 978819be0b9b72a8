// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletEBUR128
public import SwiftletSignal

/// Measures sound with libebur128: true peaks, and loudness by EBU R 128. Any thread but the audio thread, one
/// at a time.
// @unchecked: nothing else reaches what it owns.
@safe public struct R128Measurement: ~Copyable, @unchecked Sendable {
  /// How loud sound is; −infinity where it is not.
  public struct Loudness: Sendable {
    /// Of the last 400 ms, in LUFS.
    public var momentary = -Double.infinity
    /// Of the last 3 s, in LUFS.
    public var shortTerm = -Double.infinity
    /// Of all that was added, gated, in LUFS.
    public var integrated = -Double.infinity
    /// The loudness range, in LU.
    public var range = 0.0
  }

  /// Frames that are handed to the library at once.
  private static let stretch = 512

  private let channelCount: Int, sampleRate: Double
  /// Whether it measures true peaks.
  public let readsTruePeak: Bool
  private let readsLoudness: Bool
  private var state: UnsafeMutablePointer<ebur128_state>
  private var frames: [Float]
  /// The true peak of each channel since it was taken, as a factor.
  private var peaks: [Double]

  /// A measurement of what is added from now on, of 1 to 64 channels; nil where the library cannot be had for
  /// so many at this rate, or has no memory.
  public init?(channelCount: Int, sampleRate: Double, truePeak: Bool, loudness: Bool) {
    let state = unsafe Self.state(channelCount, sampleRate, truePeak, loudness)
    guard let state = unsafe state else { return nil }
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    readsTruePeak = truePeak
    readsLoudness = loudness
    unsafe self.state = unsafe state
    frames = [Float](repeating: 0, count: Self.stretch * channelCount)
    peaks = [Double](repeating: 0, count: channelCount)
  }

  deinit {
    var state = unsafe Optional(state)
    unsafe ebur128_destroy(&state)
  }

  private static func state(
    _ channelCount: Int, _ sampleRate: Double, _ truePeak: Bool, _ loudness: Bool
  ) -> UnsafeMutablePointer<ebur128_state>? {
    guard 1...64 ~= channelCount else { return nil }
    // With a histogram a day of sound takes no more memory than a minute.
    var mode = EBUR128_MODE_M.rawValue
    if truePeak { mode |= EBUR128_MODE_TRUE_PEAK.rawValue }
    if loudness {
      mode |= EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    }
    return unsafe ebur128_init(UInt32(channelCount), UInt(sampleRate.rounded()), Int32(mode))
  }

  /// Adds so many frames; samples that are no sound are taken for silence.
  public mutating func add(_ count: Int, _ samples: (Int) -> Samples) {
    var start = 0
    while start < count {
      let length = min(count - start, Self.stretch)
      for channel in 0..<channelCount {
        let samples = samples(channel)
        for frame in 0..<length {
          frames[frame * channelCount + channel] = samples[clean: start + frame]
        }
      }
      let status = unsafe ebur128_add_frames_float(state, frames, length)
      if readsTruePeak, status == 0 { raisePeaks() }
      start += length
    }
  }

  private mutating func raisePeaks() {
    var peak = 0.0
    for channel in 0..<channelCount
    where unsafe ebur128_prev_true_peak(state, UInt32(channel), &peak) == 0 && peak > peaks[channel] {
      peaks[channel] = peak
    }
  }

  /// The true peak of a channel since it was taken last, as a factor of full scale; nil where none is measured.
  public mutating func takeTruePeak(of channel: Int) -> Double? {
    guard readsTruePeak, peaks.indices ~= channel else { return nil }
    defer { peaks[channel] = 0 }
    return peaks[channel]
  }

  /// How loud it is; nil where that is not measured.
  public var loudness: Loudness? {
    guard readsLoudness else { return nil }
    var values = Loudness()
    _ = unsafe ebur128_loudness_momentary(state, &values.momentary)
    _ = unsafe ebur128_loudness_shortterm(state, &values.shortTerm)
    _ = unsafe ebur128_loudness_global(state, &values.integrated)
    _ = unsafe ebur128_loudness_range(state, &values.range)
    return values
  }

  /// Forgets all sound. True peaks that were not taken yet stay. Where memory has run out, it goes on as it is.
  public mutating func startAnew() {
    guard let fresh = unsafe Self.state(channelCount, sampleRate, readsTruePeak, readsLoudness) else {
      return
    }
    var old = unsafe Optional(state)
    unsafe ebur128_destroy(&old)
    unsafe state = unsafe fresh
  }
}
