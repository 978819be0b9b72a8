// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletEBUR128
public import SwiftletSignal

/// Measures true peaks as a limiter detects them, and loudness by EBU R 128 with libebur128. Any thread except the audio
/// thread, one at a time.
// @unchecked: the measurement is the only owner of its memory.
@safe public struct R128Measurement: ~Copyable, @unchecked Sendable {
  /// The loudness; −infinity for silence.
  public struct Loudness: Sendable {
    /// The momentary loudness, over the last 400 ms, in LUFS.
    public var momentary = -Double.infinity
    /// The short-term loudness, over the last 3 s, in LUFS.
    public var shortTerm = -Double.infinity
    /// The integrated loudness of all frames, gated, in LUFS.
    public var integrated = -Double.infinity
    /// The loudness range, in LU.
    public var range = 0.0
  }

  /// The number of frames that are passed to the library at once.
  private static let sliceLength = 512

  private let channelCount: Int, sampleRate: Double
  /// Whether true peaks are measured.
  public let readsTruePeak: Bool
  private let readsLoudness: Bool
  private var state: UnsafeMutablePointer<ebur128_state>
  private var frames: [Float]
  private var gated = GatedLoudness()
  /// The number of frames in 100 ms, by which the blocks of 400 ms advance; the number of frames until the next block
  /// is complete.
  private let hop: Int
  private var awaited: Int
  private var truePeaks: TruePeakMeter

  /// Creates a measurement of 1 to 64 channels. Returns nil if the library does not support the number of channels or
  /// the sample rate, or has no memory.
  public init?(channelCount: Int, sampleRate: Double, truePeak: Bool, loudness: Bool) {
    let state = unsafe Self.state(channelCount, sampleRate, loudness)
    guard let state = unsafe state else { return nil }
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    readsTruePeak = truePeak
    readsLoudness = loudness
    unsafe self.state = unsafe state
    hop = (Int(sampleRate.rounded()) + 5) / 10
    awaited = 4 * hop
    frames = [Float](repeating: 0, count: Self.sliceLength * channelCount)
    truePeaks = TruePeakMeter(channelCount: channelCount)
  }

  deinit {
    var state = unsafe Optional(state)
    unsafe ebur128_destroy(&state)
  }

  private static func state(
    _ channelCount: Int, _ sampleRate: Double, _ loudness: Bool
  ) -> UnsafeMutablePointer<ebur128_state>? {
    guard 1...64 ~= channelCount else { return nil }
    // With a histogram the loudness range of a day takes no more memory than that of a minute. The library's histogram
    // has steps of 0.1 LU, too coarse for the integrated loudness.
    var mode = EBUR128_MODE_M.rawValue
    if loudness {
      mode |= EBUR128_MODE_LRA.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    }
    return unsafe ebur128_init(UInt32(channelCount), UInt(sampleRate.rounded()), Int32(mode))
  }

  /// Adds `count` frames; invalid samples count as 0.
  public mutating func add(_ count: Int, _ samples: (Int) -> Samples) {
    var start = 0
    while start < count {
      let length = min(count - start, Self.sliceLength, awaited)
      for channel in 0..<channelCount {
        let samples = samples(channel)
        for frame in 0..<length {
          frames[frame * channelCount + channel] = samples[clean: start + frame]
        }
        guard readsTruePeak else { continue }
        truePeaks.add(samples, from: start, count: length, of: channel)
      }
      _ = unsafe ebur128_add_frames_float(state, frames, length)
      start += length
      awaited -= length
      if awaited == 0 { addBlock() }
    }
  }

  private mutating func addBlock() {
    awaited = hop
    var loudness = 0.0
    if readsLoudness, unsafe ebur128_loudness_momentary(state, &loudness) == 0 { gated.add(loudness) }
  }

  /// Measures the true peaks of the last frames, as if silence followed.
  package mutating func finish() { if readsTruePeak { truePeaks.finish() } }

  /// Returns the true peak of a channel since the last call, as a factor of full scale; nil if true peaks are not
  /// measured.
  public mutating func takeTruePeak(of channel: Int) -> Double? {
    guard readsTruePeak, 0..<channelCount ~= channel else { return nil }
    return Double(truePeaks.take(channel))
  }

  /// The loudness; nil if it is not measured.
  public var loudness: Loudness? {
    guard readsLoudness else { return nil }
    var values = Loudness()
    _ = unsafe ebur128_loudness_momentary(state, &values.momentary)
    _ = unsafe ebur128_loudness_shortterm(state, &values.shortTerm)
    values.integrated = gated.integrated
    _ = unsafe ebur128_loudness_range(state, &values.range)
    return values
  }

  /// Restarts the measurement. True peaks that have not been taken are kept. If there is no memory for a new state, the
  /// measurement continues without a restart.
  public mutating func startAnew() {
    guard let fresh = unsafe Self.state(channelCount, sampleRate, readsLoudness) else {
      return
    }
    var old = unsafe Optional(state)
    unsafe ebur128_destroy(&old)
    unsafe state = unsafe fresh
    finish()
    gated = GatedLoudness()
    awaited = 4 * hop
  }
}
