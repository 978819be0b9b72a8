// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSoundTouch

/// SoundTouch: overlaps segments of some hundredths of a second where their waveforms match best. For another pitch,
/// the result is then resampled.
final class SoundTouchWork: StretchWork {
  private let state: UnsafeMutableRawPointer
  private let isPrompt: Bool
  private let channelCount: Int
  let lag: Int
  var isSteady = true {
    didSet { if isSteady != oldValue { ledger.settle() } }
  }
  private var ledger = StretchLedger(), requested = StretchLedger.Rates(advance: 1, ratio: 1)
  private static let sliceLength = 256
  /// The seek window of a prompt stretcher, in milliseconds.
  private static let seek = 15

  /// Creates the stretcher; nil if the library has no memory.
  ///
  /// - Parameter isPrompt: Whether segments are short, for low latency; otherwise their length is chosen for quality.
  init?(channelCount: Int, sampleRate: Double, isPrompt: Bool) {
    guard let state = soundtouch_createInstance() else { return nil }
    self.state = state
    self.isPrompt = isPrompt
    self.channelCount = channelCount
    lag = Int(0.12 * sampleRate)
    soundtouch_setChannels(state, UInt32(channelCount))
    // The library only converts milliseconds to frames with the rate. It begins in the middle of the seek window, and
    // silence is matched there: if the window had an odd number of frames, these would be one frame apart.
    let half = (sampleRate * Double(Self.seek) / 2000).rounded()
    let even = (2 * half * 1000 / Double(Self.seek)).rounded(.up)
    soundtouch_setSampleRate(state, UInt32(isPrompt ? even : sampleRate.rounded()))
    // The library does not resample here, so its anti-alias filter would only remove high frequencies.
    soundtouch_setSetting(state, Int32(SWIFTLET_SOUNDTOUCH_FILTER), 0)
  }

  deinit { soundtouch_destroyInstance(state) }

  func change(to stretch: Stretch) -> Double {
    let tempo = stretch.speed / stretch.ratio
    if isPrompt {
      // In milliseconds: seek window, overlap, and a sequence length at which no more than 55 ms are skipped between
      // two segments.
      let overlap = 8.0
      soundtouch_setSetting(state, Int32(SWIFTLET_SOUNDTOUCH_SEEK), Int32(Self.seek))
      soundtouch_setSetting(state, Int32(SWIFTLET_SOUNDTOUCH_OVERLAP), Int32(overlap))
      soundtouch_setSetting(
        state, Int32(SWIFTLET_SOUNDTOUCH_SEQUENCE), Int32(min(55 / tempo + overlap, 55)))
    }
    requested = StretchLedger.Rates(advance: stretch.advance, ratio: 1 / (stretch.ratio * stretch.varispeed))
    ledger.change(to: requested)
    if isSteered { return requested.ratio }
    soundtouch_setTempo(state, Float(tempo))
    return requested.ratio
  }

  var ratio: Double { isSteered ? ledger.ratio : requested.ratio }

  /// Whether the ledger controls the tempo. In prompt mode too little sound waits in the library to matter.
  private var isSteered: Bool { !isPrompt && !isSteady && ledger.isMoving }

  func push(_ frames: UnsafePointer<Float>, count: Int) {
    guard isSteered else {
      put(frames, count)
      return
    }
    var done = 0
    while done < count {
      let run = min(count - done, Self.sliceLength)
      let made = Double(soundtouch_getSetting(state, Int32(SWIFTLET_SOUNDTOUCH_MADE)))
      if let tempo = ledger.tempo(over: made) { soundtouch_setTempo(state, Float(tempo)) }
      put(frames + done * channelCount, run)
      done += run
    }
  }

  private func put(_ frames: UnsafePointer<Float>, _ count: Int) {
    let before = Int(soundtouch_numSamples(state))
    soundtouch_putSamples(state, frames, UInt32(count))
    guard !isPrompt else { return }
    ledger.take(
      count, made: Int(soundtouch_numSamples(state)) - before,
      left: Int(soundtouch_numUnprocessedSamples(state)))
  }

  func pull(into frames: UnsafeMutablePointer<Float>, count: Int) -> Int {
    Int(soundtouch_receiveSamples(state, frames, UInt32(count)))
  }
}
