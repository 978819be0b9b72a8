// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The host's transport position, extrapolated from the last `time:Position`.
///
/// A host sends only unpredictable changes; in between, the transport continues. Each position is computed from that
/// of the message, without accumulating. Values that a message omits, including the tempo, are unknown.
struct HostTransport: BitwiseCopyable {
  private let sampleRate: Double
  private var received = Transport()
  /// The transport's speed, 1 for normal, and the number of frames since the message.
  private var speed = 0.0, elapsed: Int64 = 0

  /// Creates a stopped transport without a tempo.
  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// The current transport.
  var transport: Transport {
    @_noLocks @_noAllocation get {
      var now = received
      guard speed != 0 else { return now }
      let passed = Double(elapsed) * speed
      now.position &+= speed == 1 ? elapsed : Self.whole(passed)
      let beat = received.beat + passed * received.tempo / 60 / sampleRate,
        beatsPerBar = Double(received.beatsPerBar)
      let bars = beatsPerBar > 0 ? rt_floor_double(beat / beatsPerBar) : 0
      now.beat = beat - bars * beatsPerBar
      now.bar = Int32(truncatingIfNeeded: Self.whole(Double(received.bar) + bars))
      return now
    }
  }

  /// Advances by a number of frames.
  @_noLocks @_noAllocation mutating func advance(_ frames: Int) { elapsed &+= Int64(frames) }

  /// Reads a `time:Position` object.
  @_noLocks @_noAllocation @unsafe
  mutating func take(_ object: UnsafeRawPointer, size: Int, _ types: HostTypes) {
    var now = Transport(), fast = 0.0, offset = 8
    // Key, context, then an atom: size, type, and the body padded to eight bytes.
    while offset + 16 <= size {
      let key = unsafe object.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let length = unsafe Int(object.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self))
      guard offset + 16 + length <= size else { break }
      let type = unsafe object.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
      let value = unsafe Self.number(object + offset + 16, length, type, types)
      if key == types.frame {
        now.position = Self.whole(value)
      } else if key == types.speed {
        fast = min(max(value, -64), 64)
      } else if key == types.bar {
        // LV2 counts bars from 0.
        now.bar = Int32(truncatingIfNeeded: Self.whole(value) &+ 1)
      } else if key == types.barBeat {
        now.beat = value
      } else if key == types.beatUnit {
        now.beatUnit = Float(value)
      } else if key == types.beatsPerBar {
        now.beatsPerBar = Float(value)
      } else if key == types.beatsPerMinute {
        now.tempo = max(value, 0)
      }
      offset += 16 + (length + 7) & ~7
    }
    now.isRolling = fast != 0
    received = now
    speed = fast
    elapsed = 0
  }

  /// Reads a number of any type; 0 for any other value.
  @_noLocks @_noAllocation @unsafe private static func number(
    _ bytes: UnsafeRawPointer, _ size: Int, _ type: UInt32, _ types: HostTypes
  ) -> Double {
    var value = 0.0
    if size >= 8 {
      if type == types.long { value = unsafe Double(bytes.loadUnaligned(as: Int64.self)) }
      if type == types.double { value = unsafe bytes.loadUnaligned(as: Double.self) }
    }
    if size >= 4 {
      if type == types.int { value = unsafe Double(bytes.loadUnaligned(as: Int32.self)) }
      if type == types.float { value = unsafe Double(bytes.loadUnaligned(as: Float.self)) }
    }
    return abs(value) < 1e18 ? value : 0
  }

  /// A number truncated to an integer.
  @_noLocks @_noAllocation private static func whole(_ value: Double) -> Int64 {
    abs(value) < 9e18 ? Int64(value) : 0
  }
}
