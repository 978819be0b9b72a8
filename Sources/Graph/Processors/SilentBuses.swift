// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Silent buses that own their memory, for preparing an effect.
@safe final class SilentBuses {
  /// The number of frames of each channel.
  static let frameCount = 64
  private static let eventBytes = 1024
  /// The buses, in the layout that a block needs.
  @unsafe var table: UnsafePointer<BusMemory> { unsafe UnsafePointer(buses) }
  private let buses: UnsafeMutablePointer<BusMemory>
  private let busCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let events: UnsafeMutableRawPointer

  /// Allocates a silent bus for each number of channels; a bus that `described` declares as an event bus has no events.
  init(_ described: [EffectBus], channels counts: [Int]) {
    let total = counts.reduce(0, +)
    busCount = counts.count
    unsafe buses = .allocate(capacity: max(busCount, 1))
    unsafe samples = .allocate(capacity: max(total, 1) * Self.frameCount)
    unsafe samples.initialize(repeating: 0, count: max(total, 1) * Self.frameCount)
    unsafe channels = .allocate(capacity: max(total, 1))
    unsafe events = .allocate(byteCount: max(busCount, 1) * Self.eventBytes, alignment: 8)
    for channel in 0..<max(total, 1) {
      unsafe (channels + channel).initialize(to: samples + channel * Self.frameCount)
    }
    var first = 0
    for (bus, count) in counts.enumerated() {
      let isEvents = bus < described.count && described[bus].content == .events
      unsafe (buses + bus).initialize(
        to: isEvents
          ? BusMemory(
            events: EventBuffer(over: events + bus * Self.eventBytes, byteCount: Self.eventBytes),
            channels: channels)
          : BusMemory(channels: channels + first, channelCount: count))
      first += count
    }
  }

  deinit {
    unsafe buses.deallocate()
    unsafe samples.deallocate()
    unsafe channels.deallocate()
    unsafe events.deallocate()
  }
}
