// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Buses full of silence that own their memory: what a unit is made ready on.
@safe final class SilentBuses {
  /// How many frames each channel has.
  static let frameCount = 64
  private static let eventBytes = 1024
  /// One bus after the other, as a block wants them.
  @unsafe var table: UnsafePointer<BusMemory> { unsafe UnsafePointer(buses) }
  private let buses: UnsafeMutablePointer<BusMemory>
  private let busCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let events: UnsafeMutableRawPointer

  /// Silent memory for each of `channels`' counts; a bus that `described` calls an event bus has no events.
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
