// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal
internal import Synchronization

/// What the two sides of a loudness meter share: sound that waits to be measured, and what was read of it.
@safe struct LoudnessBoard: ~Copyable {
  /// The lowest reading: silence, and what has not been measured yet.
  static var lowest: Float { @_noLocks @_noAllocation get { Decibels.wireSilence } }
  /// The highest reading.
  static var highest: Float { @_noLocks @_noAllocation get { 60 } }

  /// What is read, in the order of the unit's meters.
  enum Reading: Int, CaseIterable {
    case momentary, shortTerm, integrated, range, truePeak

    /// Its value before anything is known.
    var initial: Float { self == .range ? 0 : LoudnessBoard.lowest }
  }

  /// Sound on its way to be measured.
  let sound: FrameRing
  /// Before which frame of the ring all is forgotten; −1 where nothing is to be.
  private let restart = Atomic(-1)
  private let readings: UnsafeMutablePointer<Float>

  init(channelCount: Int, capacity: Int) {
    sound = FrameRing(channelCount: channelCount, capacity: capacity)
    unsafe readings = .allocate(capacity: Reading.allCases.count)
    unsafe readings.initialize(repeating: 0, count: Reading.allCases.count)
    clear()
  }

  deinit { unsafe readings.deallocate() }

  /// Has the measurement start anew with the next frame that is written. Audio thread.
  @_noLocks @_noAllocation func startAnew() { restart.store(sound.writePosition, ordering: .releasing) }

  /// Shows all readings. Audio thread.
  @_noLocks @_noAllocation func show(on block: Block) {
    for meter in 0..<5 { unsafe block.show(rt_load_float(readings + meter), on: meter) }
  }

  /// The frame with which the measurement starts anew, told once; nil where it goes on. Measuring thread.
  func takeRestart() -> Int? {
    let frame = restart.exchange(-1, ordering: .acquiringAndReleasing)
    return frame < 0 ? nil : frame
  }

  /// Puts up a reading. Measuring thread.
  func put(_ value: Float, on reading: Reading) { unsafe rt_store_float(readings + reading.rawValue, value) }

  /// Takes all readings down. Measuring thread.
  func clear() { for reading in Reading.allCases { put(reading.initial, on: reading) } }
}
