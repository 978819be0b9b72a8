// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A replacement for a port's buffer if JACK has none: silence for inputs, memory to discard sound into for outputs.
struct SpareChannel: ~Copyable {
  let samples: UnsafeMutablePointer<Float>
  /// A bus without channels, which the renderer treats as silence.
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
