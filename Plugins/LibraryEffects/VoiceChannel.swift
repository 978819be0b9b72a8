// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSpeexDSP
internal import Glibc
internal import SwiftletSignal

/// One channel of voice processing with speexdsp, in blocks of 10 ms. Any thread, one at a time; it shares no memory
/// with other channels.
@safe final class VoiceChannel {
  /// Returns the number of frames in a block, the unit in which speexdsp processes.
  static func blockLength(at sampleRate: Int) -> Int { Int((Double(sampleRate) / 100).rounded()) }
  /// Returns the longest delay of an echo that is cancelled, in frames: 200 ms.
  static func echoLength(at sampleRate: Int) -> Int { sampleRate / 5 }

  /// The value of full scale in speexdsp.
  private static let fullScale: Float = 32_767
  /// The level above which the signal is soft-clipped to stay below full scale.
  private static let knee: Float = 0.9
  /// The scale of the played signal, half of full scale: the canceller would take a louder signal for a fault.
  private static let farScale: Float = 16_383

  private let count: Int, sampleRate: Int
  private let echo: OpaquePointer, preprocessor: OpaquePointer
  /// The microphone's signal; the signal after echo cancellation and finally after all processing.
  private let near: UnsafeMutablePointer<Int16>, done: UnsafeMutablePointer<Int16>
  /// Whether the canceller was active in the last block.
  private var isCancelling = false

  /// Creates a channel; returns nil if the library has no memory.
  init?(sampleRate: Int, farCount: Int) {
    count = Self.blockLength(at: sampleRate)
    self.sampleRate = sampleRate
    guard
      let echo = unsafe speex_echo_state_init_mc(
        Int32(count), Int32(Self.echoLength(at: sampleRate)), 1, Int32(farCount))
    else { return nil }
    guard let preprocessor = unsafe speex_preprocess_state_init(Int32(count), Int32(sampleRate)) else {
      unsafe speex_echo_state_destroy(echo)
      return nil
    }
    unsafe self.echo = unsafe echo
    unsafe self.preprocessor = unsafe preprocessor
    unsafe near = .allocate(capacity: count)
    unsafe near.initialize(repeating: 0, count: count)
    unsafe done = .allocate(capacity: count)
    unsafe done.initialize(repeating: 0, count: count)
    var rate = Int32(sampleRate)
    _ = unsafe speex_echo_ctl(echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
  }

  deinit {
    unsafe speex_preprocess_state_destroy(preprocessor)
    unsafe speex_echo_state_destroy(echo)
    unsafe near.deallocate()
    unsafe done.deallocate()
  }

  /// Returns a sample of the played signal in the scale for speexdsp.
  static func far(_ sample: Float) -> Int16 { whole(sample * farScale) }

  /// Sets a frame of the microphone's signal.
  func put(_ sample: Float, at frame: Int) {
    var size = abs(sample)
    if size > Self.knee {
      let headroom = 1 - Self.knee
      size = Self.knee + headroom * tanhf((size - Self.knee) / headroom)
    }
    unsafe near[frame] = Self.whole((sample < 0 ? -size : size) * Self.fullScale)
  }

  /// Returns a frame of the output, one block later than its input.
  func get(_ frame: Int) -> Float { unsafe Float(done[frame]) / Self.fullScale }

  private static func whole(_ sample: Float) -> Int16 {
    Int16(max(-fullScale, min(fullScale, sample.rounded())))
  }

  /// Processes the block that was set by ``put(_:at:)``.
  ///
  /// - Parameter far: the signal that was played during the block, interleaved.
  func run(_ settings: VoiceSettings, far: UnsafePointer<Int16>) {
    let from = settings.value(.echoCancellation), to = settings.value(.echoCancellation, after: count)
    if max(from, to) > 0 {
      unsafe cancel(far, from: from, to: to)
    } else {
      unsafe done.update(from: near, count: count)
    }
    isCancelling = to > 0
    // The residual echo is suppressed like noise if the canceller is active and can estimate it.
    unsafe speex_preprocess_ctl(
      preprocessor, SPEEX_PREPROCESS_SET_ECHO_STATE, isCancelling ? UnsafeMutableRawPointer(echo) : nil)
    setOption(SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, settings.value(.noiseSuppression))
    setOption(SPEEX_PREPROCESS_SET_AGC, settings.value(.gainControl) >= 0.5 ? 1 : 0)
    setOption(SPEEX_PREPROCESS_SET_AGC_TARGET, loudness(of: settings.value(.target)))
    _ = unsafe speex_preprocess_run(preprocessor, done)
  }

  /// Cancels the echo, in the proportion to which the switch has faded in.
  private func cancel(_ far: UnsafePointer<Int16>, from: Float, to: Float) {
    if !isCancelling { unsafe speex_echo_state_reset(echo) }
    unsafe speex_echo_cancellation(echo, near, far, done)
    guard min(from, to) < 1 else { return }
    let step = (to - from) / Float(count)
    for frame in 0..<count {
      let share = from + step * Float(frame)
      unsafe done[frame] = Self.whole(Float(near[frame]) * (1 - share) + Float(done[frame]) * share)
    }
  }

  /// Returns gain control's own measure for speech of a level, which is an RMS in dBFS. The measure is
  /// frequency-weighted, and grows with the square root of the rate; 4.145 was measured for spoken vowels at 16 kHz.
  private func loudness(of level: Float) -> Float {
    let amplitude = 32_768 * Decibels.amplitude(level)
    return min(max(4.145 * amplitude * sqrtf(Float(sampleRate) / 16_000), 1), 32_768)
  }

  private func setOption(_ what: Int32, _ value: Float) {
    var number = Int32(value.rounded())
    _ = unsafe speex_preprocess_ctl(preprocessor, what, &number)
  }
}
