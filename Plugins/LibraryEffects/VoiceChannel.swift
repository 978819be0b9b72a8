// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSpeexDSP
internal import Glibc
internal import SwiftletSignal

/// One channel of a voice on its way through speexdsp, a hundredth of a second at a time. Any thread, one at a
/// time; its memory is its own.
@safe final class VoiceChannel {
  /// How many frames go through at once: speexdsp's own measure of time.
  static func pieceLength(at sampleRate: Int) -> Int { Int((Double(sampleRate) / 100).rounded()) }
  /// How late an echo may come back and still be known, in frames: a fifth of a second.
  static func echoLength(at sampleRate: Int) -> Int { sampleRate / 5 }

  /// What full scale is to speexdsp.
  private static let fullScale: Float = 32_767
  /// From where on sound is bent so that it stays below full scale.
  private static let knee: Float = 0.9
  /// What is played goes in half as loud: so no sound is so loud that the canceller takes it for a fault.
  private static let farScale: Float = 16_383

  private let count: Int, sampleRate: Int
  private let echo: OpaquePointer, preprocessor: OpaquePointer
  /// The microphone; the same without echo, and in the end all that is done.
  private let near: UnsafeMutablePointer<Int16>, done: UnsafeMutablePointer<Int16>
  /// Whether the canceller was at work in the last piece.
  private var isCancelling = false

  /// Nil where the library has no memory.
  init?(sampleRate: Int, farCount: Int) {
    count = Self.pieceLength(at: sampleRate)
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

  /// What is played, as speexdsp wants it.
  static func far(_ sample: Float) -> Int16 { whole(sample * farScale) }

  /// Puts in a frame of the microphone.
  func put(_ sample: Float, at frame: Int) {
    var size = abs(sample)
    if size > Self.knee {
      let room = 1 - Self.knee
      size = Self.knee + room * tanhf((size - Self.knee) / room)
    }
    unsafe near[frame] = Self.whole((sample < 0 ? -size : size) * Self.fullScale)
  }

  /// A frame of what came out, a piece later than it was put in.
  func get(_ frame: Int) -> Float { unsafe Float(done[frame]) / Self.fullScale }

  private static func whole(_ sample: Float) -> Int16 {
    Int16(max(-fullScale, min(fullScale, sample.rounded())))
  }

  /// Takes the piece that was put in through.
  ///
  /// - Parameter far: what was played meanwhile, all channels of a frame beside each other.
  func run(_ settings: VoiceSettings, far: UnsafePointer<Int16>) {
    let from = settings.value(.echoCancellation), to = settings.value(.echoCancellation, after: count)
    if max(from, to) > 0 {
      unsafe cancel(far, from: from, to: to)
    } else {
      unsafe done.update(from: near, count: count)
    }
    isCancelling = to > 0
    // What is left of an echo is turned down as noise is, where there is a canceller to tell how much that is.
    unsafe speex_preprocess_ctl(
      preprocessor, SPEEX_PREPROCESS_SET_ECHO_STATE, isCancelling ? UnsafeMutableRawPointer(echo) : nil)
    tell(SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, settings.value(.noiseSuppression))
    tell(SPEEX_PREPROCESS_SET_AGC, settings.value(.gainControl) >= 0.5 ? 1 : 0)
    tell(SPEEX_PREPROCESS_SET_AGC_TARGET, loudness(of: settings.value(.target)))
    _ = unsafe speex_preprocess_run(preprocessor, done)
  }

  /// Takes the echo out, as far as the switch is on.
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

  /// What gain control calls speech of a level, which is an RMS in dBFS. Its own measure weighs frequencies, and
  /// grows with the root of the rate: 4.145 is what spoken vowels gave at 16 kHz.
  private func loudness(of level: Float) -> Float {
    let amplitude = 32_768 * Decibels.amplitude(level)
    return min(max(4.145 * amplitude * sqrtf(Float(sampleRate) / 16_000), 1), 32_768)
  }

  private func tell(_ what: Int32, _ value: Float) {
    var number = Int32(value.rounded())
    _ = unsafe speex_preprocess_ctl(preprocessor, what, &number)
  }
}
