// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// The memory that the audio thread and the measuring thread of a loudness meter share: frames to be measured, and
/// readings.
@safe struct LoudnessBuffers: ~Copyable {
  /// The lowest reading, which stands for silence and for values that have not been measured yet.
  static var lowest: Float { @_noLocks @_noAllocation get { Decibels.wireSilence } }
  /// The highest reading.
  static var highest: Float { @_noLocks @_noAllocation get { 60 } }

  /// The readings, in the order of the effect's meters.
  enum Reading: Int, CaseIterable {
    case momentary, shortTerm, integrated, range, truePeak

    /// The initial reading.
    var initial: Float { self == .range ? 0 : LoudnessBuffers.lowest }
  }

  /// The frames to be measured.
  let sound: FrameRing
  /// The frame of the ring at which the measurement restarts; −1 if no restart is requested.
  private let restart = Atomic(-1)
  private let readings: UnsafeMutablePointer<Float>

  init(channelCount: Int, capacity: Int) {
    sound = FrameRing(channelCount: channelCount, capacity: capacity)
    unsafe readings = .allocate(capacity: Reading.allCases.count)
    unsafe readings.initialize(repeating: 0, count: Reading.allCases.count)
    clear()
  }

  deinit { unsafe readings.deallocate() }

  /// Restarts the measurement at the next frame that is written. Audio thread.
  @_noLocks @_noAllocation func startAnew() { restart.store(sound.writePosition, ordering: .releasing) }

  /// Publishes all readings as meter values. Audio thread.
  @_noLocks @_noAllocation func show(on block: Block) {
    for meter in 0..<5 { unsafe block.show(rt_load_float(readings + meter), on: meter) }
  }

  /// Returns the frame at which the measurement restarts, and clears the request; nil without a request. Measuring
  /// thread.
  func takeRestart() -> Int? {
    let frame = restart.exchange(-1, ordering: .acquiringAndReleasing)
    return frame < 0 ? nil : frame
  }

  /// Publishes a reading. Measuring thread.
  func put(_ value: Float, on reading: Reading) { unsafe rt_store_float(readings + reading.rawValue, value) }

  /// Resets all readings. Measuring thread.
  func clear() { for reading in Reading.allCases { put(reading.initial, on: reading) } }
}
