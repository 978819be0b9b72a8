// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletGraph
import SwiftletSignal
import Synchronization

// These processors count, remember and call closures while they render, which the project's own processors must not.
// So each brackets its work as opaque code, and the sanitizer checks the rest of the thread.

/// Plays a function of the absolute frame on every channel.
final class Emitter: Processor, @unchecked Sendable {
  private let sample: (Int64) -> Float

  init(cut: Cut = .anywhere, _ sample: @escaping (Int64) -> Float) {
    self.sample = sample
    super.init(cut: cut)
  }

  static func constant(_ value: Float) -> Emitter { Emitter { _ in value } }
  static func impulse(at frame: Int64) -> Emitter { Emitter { $0 == frame ? 1 : 0 } }
  static func sine(_ frequency: Double, amplitude: Float = 0.5, rate: Double = 48_000) -> Emitter {
    Emitter { amplitude * Float(sineValue(frequency, at: $0, rate: rate)) }
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      for frame in 0..<block.frameCount { bus[channel][frame] = sample(block.frame + Int64(frame)) }
    }
  }
}

/// Multiplies by its parameter 0, and records its calls.
final class Scale: Processor, @unchecked Sendable {
  private(set) var factor: Float
  private var ramp: Ramp
  private(set) var resets = 0
  /// The blocks that it has processed.
  private(set) var blocks: [(frame: Int64, count: Int)] = []
  /// Whether input and output were the same memory in the last block.
  private(set) var wasInPlace = false

  init(_ factor: Float = 1, cut: Cut = .anywhere, worksInPlace: Bool = false) {
    self.factor = factor
    ramp = Ramp(factor)
    super.init(cut: cut, worksInPlace: worksInPlace)
  }

  override func set(_ parameter: Int, to value: Float, over frames: Int) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    factor = value
    ramp.glide(to: value, over: frames)
  }

  override func reset() { resets += 1 }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    blocks.append((block.frame, block.frameCount))
    let source = block.input(), bus = block.output()
    for channel in 0..<bus.channelCount {
      var ramp = self.ramp
      wasInPlace =
        source.channelCount > channel && source[channel].unsafeBase == UnsafePointer(bus[channel].unsafeBase)
      for frame in 0..<block.frameCount { bus[channel][frame] = source[channel][frame] * ramp.next() }
    }
    ramp.skip(block.frameCount)
  }
}

/// Delays its input by a number of frames, and reports that latency. Parameter 0 changes the number.
final class Late: Processor, @unchecked Sendable {
  private var lines: [[Float]]
  private var frames: Int

  init(_ frames: Int, channels: Int = 1) {
    self.frames = frames
    lines = Array(repeating: Array(repeating: 0, count: 1 << 16), count: channels)
    super.init(latency: frames)
  }

  override func set(_ parameter: Int, to value: Float, over frames: Int) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    self.frames = Int(value)
    publish(latency: Int(value))
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let source = block.input(), bus = block.output(), mask = (1 << 16) - 1
    for channel in 0..<bus.channelCount {
      for index in 0..<block.frameCount {
        let now = Int(block.frame) + index
        lines[channel][now & mask] = source[channel][index]
        bus[channel][index] = lines[channel][(now - frames) & mask]
      }
    }
  }
}

/// Sums its input, so its tail never ends.
final class Memory: Processor, @unchecked Sendable {
  private var sum: Float = 0

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let source = block.input(), bus = block.output()
    for frame in 0..<block.frameCount {
      sum += source[0][frame]
      bus[0][frame] = sum
    }
  }
}

/// Keeps every sample of its input bus, as a tap does.
final class CaptureProcessor: Processor, @unchecked Sendable {
  private(set) var heard: [[Float]]
  private(set) var firstFrame: Int64?
  private(set) var transports: [Transport] = []

  init(channels: Int = 1) {
    heard = Array(repeating: [], count: channels)
    super.init()
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let bus = block.input()
    if firstFrame == nil { firstFrame = block.frame }
    transports.append(block.transport)
    for channel in 0..<min(bus.channelCount, heard.count) {
      for frame in 0..<block.frameCount { heard[channel].append(bus[channel][frame]) }
    }
    for bus in 0..<block.outputCount {
      let out = block.output(bus: bus)
      for channel in 0..<out.channelCount { out[channel].clear() }
    }
  }
}

/// Plays one-byte events at given frames.
final class Keys: Processor, @unchecked Sendable {
  private let events: [(frame: Int64, byte: UInt8)]

  init(_ events: [(frame: Int64, byte: UInt8)]) {
    self.events = events
    super.init()
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    for event in events where block.frame..<block.frame + Int64(block.frameCount) ~= event.frame {
      var byte = event.byte
      block.output().events?.append(
        EventHeader(frame: event.frame, type: EventHeader.midi, size: 1), bytes: &byte)
    }
  }
}

/// Plays an impulse for each event of bus 1, added to the sound of bus 0.
final class ImpulsePlayer: Processor, @unchecked Sendable {
  private(set) var struck: [(frame: Int64, byte: UInt8)] = []

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let source = block.input(), bus = block.output()
    for frame in 0..<block.frameCount { bus[0][frame] = source[0][frame] }
    var next = block.input(bus: 1).events?.first
    while let event = next {
      let offset = Int(event.header.frame - block.frame)
      if 0..<block.frameCount ~= offset {
        struck.append((event.header.frame, event[0]))
        bus[0][offset] += 10
      }
      next = block.input(bus: 1).events?.next(after: event)
    }
  }
}
