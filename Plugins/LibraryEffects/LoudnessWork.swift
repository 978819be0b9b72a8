// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletEBUR128
internal import Glibc
internal import SwiftletSignal

/// Measures loudness with libebur128, a tenth of a second of sound at a time.
@safe final class LoudnessWork: SideThread, @unchecked Sendable {
  private let board: UnsafeMutablePointer<LoudnessBoard>
  private let channelCount: Int, sampleRate: Double
  /// A tenth of a second, in frames, and how many of them are measured already.
  private let hop: Int
  private var done = 0
  private var frames: [Float]
  private var state: UnsafeMutablePointer<ebur128_state>?

  /// A measurement of what comes by the board, which its owner keeps until the thread has ended. Nil where
  /// the library cannot be had.
  init?(_ board: UnsafeMutablePointer<LoudnessBoard>, channelCount: Int, sampleRate: Double) {
    unsafe self.board = unsafe board
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    hop = Int((sampleRate / 10).rounded())
    frames = [Float](repeating: 0, count: hop * channelCount)
    super.init(every: 20)
    renew()
    if unsafe state == nil { return nil }
  }

  deinit { if unsafe state != nil { unsafe ebur128_destroy(&state) } }

  private func renew() {
    if unsafe state != nil { unsafe ebur128_destroy(&state) }
    // With a histogram a day of sound takes no more memory than a minute.
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
      | EBUR128_MODE_HISTOGRAM.rawValue
    unsafe state = ebur128_init(UInt32(channelCount), UInt(sampleRate.rounded()), Int32(mode))
    done = 0
    unsafe board.pointee.clear()
  }

  override func work() {
    // In this order: frames that are there already were written after a restart that is not known yet.
    let ready = unsafe board.pointee.sound.writePosition
    if let restart = unsafe board.pointee.takeRestart() {
      unsafe board.pointee.sound.skip(restart - board.pointee.sound.readPosition)
      renew()
    }
    while true {
      let waiting = unsafe ready - board.pointee.sound.readPosition
      guard waiting > 0 else { return }
      let count = unsafe min(waiting, hop - done, board.pointee.sound.readableRun)
      measure(count)
      unsafe board.pointee.sound.skip(count)
      done += count
      if done == hop {
        read()
        done = 0
      }
    }
  }

  private func measure(_ count: Int) {
    guard let state = unsafe state else { return }
    for channel in 0..<channelCount {
      let samples = unsafe board.pointee.sound.samples(of: channel)
      for frame in 0..<count { frames[frame * channelCount + channel] = samples[clean: frame] }
    }
    _ = unsafe ebur128_add_frames_float(state, frames, count)
  }

  private func read() {
    guard let state = unsafe state else { return }
    func put(_ reading: LoudnessBoard.Reading, _ value: Double) {
      let bound = max(Float(value), reading.initial)
      unsafe board.pointee.put(min(bound, LoudnessBoard.highest), on: reading)
    }
    var value = -Double.infinity
    if unsafe ebur128_loudness_momentary(state, &value) == 0 { put(.momentary, value) }
    if unsafe ebur128_loudness_shortterm(state, &value) == 0 { put(.shortTerm, value) }
    if unsafe ebur128_loudness_global(state, &value) == 0 { put(.integrated, value) }
    if unsafe ebur128_loudness_range(state, &value) == 0 { put(.range, value) }
    var highest = 0.0
    for channel in 0..<channelCount {
      if unsafe ebur128_true_peak(state, UInt32(channel), &value) == 0 { highest = max(highest, value) }
    }
    put(.truePeak, 20 * log10(highest))
  }
}
