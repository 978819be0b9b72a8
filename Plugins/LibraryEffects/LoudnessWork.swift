// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The measuring thread of a loudness meter: measures with libebur128 in steps of 100 ms.
@safe final class LoudnessWork: SideThread, @unchecked Sendable {
  private let buffers: UnsafeMutablePointer<LoudnessBuffers>
  /// The length of a step in frames, and the number of frames of the current step that have been measured.
  private let hop: Int
  private var done = 0
  private var measurement: R128Measurement
  /// The maximum true peak, as a factor.
  private var highest = 0.0
  private let channelCount: Int

  /// Creates the measurement of the frames in `buffers`, which the owner keeps alive until the thread has ended.
  /// Returns nil if the library is not available.
  init?(_ buffers: UnsafeMutablePointer<LoudnessBuffers>, channelCount: Int, sampleRate: Double) {
    let measurement = R128Measurement(
      channelCount: channelCount, sampleRate: sampleRate, truePeak: true, loudness: true)
    guard let measurement else { return nil }
    unsafe self.buffers = unsafe buffers
    self.measurement = measurement
    self.channelCount = channelCount
    hop = Int((sampleRate / 10).rounded())
    super.init(every: 20)
  }

  private func renew() {
    measurement.startAnew()
    takePeaks()
    highest = 0
    done = 0
    unsafe buffers.pointee.clear()
  }

  private func takePeaks() {
    for channel in 0..<channelCount { highest = max(highest, measurement.takeTruePeak(of: channel) ?? 0) }
  }

  override func work() {
    // The order matters: frames that are already written may follow a restart request that is not visible yet.
    let ready = unsafe buffers.pointee.sound.writePosition
    if let restart = unsafe buffers.pointee.takeRestart() {
      unsafe buffers.pointee.sound.skip(restart - buffers.pointee.sound.readPosition)
      renew()
    }
    while true {
      let waiting = unsafe ready - buffers.pointee.sound.readPosition
      guard waiting > 0 else { return }
      let count = unsafe min(waiting, hop - done, buffers.pointee.sound.readableRun)
      measurement.add(count) { unsafe buffers.pointee.sound.samples(of: $0) }
      unsafe buffers.pointee.sound.skip(count)
      done += count
      if done == hop {
        read()
        done = 0
      }
    }
  }

  private func read() {
    func put(_ reading: LoudnessBuffers.Reading, _ value: Double) {
      let bound = max(Float(value), reading.initial)
      unsafe buffers.pointee.put(min(bound, LoudnessBuffers.highest), on: reading)
    }
    if let loudness = measurement.loudness {
      put(.momentary, loudness.momentary)
      put(.shortTerm, loudness.shortTerm)
      put(.integrated, loudness.integrated)
      put(.range, loudness.range)
    }
    takePeaks()
    put(.truePeak, Decibels.level(highest))
  }
}
