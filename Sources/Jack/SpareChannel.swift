// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What stands where JACK has no buffer for a port: silence to read, or a place for sound that nobody hears.
struct SpareChannel: ~Copyable {
  let samples: UnsafeMutablePointer<Float>
  /// A bus without channels, which the renderer takes for silence.
  let vacantBus: BusMemory
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(frameCount: Int) {
    samples = .allocate(capacity: frameCount)
    samples.initialize(repeating: 0, count: frameCount)
    table = .allocate(capacity: 1)
    table.initialize(to: samples)
    vacantBus = BusMemory(channels: UnsafePointer(table), channelCount: 0)
  }

  deinit {
    samples.deallocate()
    table.deallocate()
  }
}
