// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The held notes and sustain pedals of a MIDI stream, so that they can be released when the stream ends.
///
/// Trivial data of 264 bytes.
public struct HeldNotes: BitwiseCopyable, Sendable {
  /// A bit for each key, two words for each channel.
  private var keys = InlineArray<32, UInt64>(repeating: 0)
  /// A bit for each channel whose sustain pedal is down.
  private var pedals: UInt16 = 0
  /// The number of keys that are down.
  private var count = 0

  /// Creates a state in which nothing is held.
  @_noLocks @_noAllocation public init() {}

  /// Whether nothing is held.
  public var isEmpty: Bool { @_noLocks @_noAllocation get { count == 0 ? pedals == 0 : false } }

  /// Updates the state from an event of the stream. Events other than MIDI channel messages are ignored.
  @_noLocks @_noAllocation @unsafe
  public mutating func follow(_ header: EventHeader, _ bytes: UnsafeRawPointer) {
    guard header.type == EventHeader.midi, header.size >= 3 else { return }
    let status = unsafe bytes.load(as: UInt8.self)
    let number = unsafe bytes.load(fromByteOffset: 1, as: UInt8.self) & 127
    let value = unsafe bytes.load(fromByteOffset: 2, as: UInt8.self)
    follow(status, number, value)
  }

  @_noLocks @_noAllocation private mutating func follow(_ status: UInt8, _ number: UInt8, _ value: UInt8) {
    let channel = Int(status & 15), pedal = UInt16(1) << UInt16(channel)
    switch status & 0xF0 {
    case 0x80: put(number, of: channel, isDown: false)
    case 0x90: put(number, of: channel, isDown: value > 0)
    case 0xB0 where number == 64: pedals = value >= 64 ? pedals | pedal : pedals & ~pedal
    // Reset All Controllers.
    case 0xB0 where number == 121: pedals &= ~pedal
    // All Sound Off, All Notes Off, or a mode message that implies All Notes Off.
    case 0xB0 where number == 120 || number >= 123:
      for word in 2 * channel...2 * channel + 1 {
        count -= keys[word].nonzeroBitCount
        keys[word] = 0
      }
    default: break
    }
  }

  @_noLocks @_noAllocation private mutating func put(_ key: UInt8, of channel: Int, isDown: Bool) {
    let word = 2 * channel + Int(key >> 6), bit = UInt64(1) << UInt64(key & 63)
    let isChange = isDown ? keys[word] & bit == 0 : keys[word] & bit != 0
    guard isChange else { return }
    keys[word] ^= bit
    count += isDown ? 1 : -1
  }

  /// The three bytes of a message that releases a held note or pedal, lowest byte first; nil if nothing is held. Notes
  /// come before pedals.
  public var release: UInt32? { @_noLocks @_noAllocation get { release(of: .max) } }

  /// Returns the same as ``release``, for the channels whose bits are set.
  @_noLocks @_noAllocation private func release(of channels: UInt16) -> UInt32? {
    if count > 0 {
      for word in 0..<32 where channels >> UInt16(word >> 1) & 1 != 0 {
        guard keys[word] != 0 else { continue }
        let key = UInt32(word & 1) << 6 | UInt32(truncatingIfNeeded: keys[word].trailingZeroBitCount)
        return 0x80 | UInt32(word >> 1) | key << 8
      }
    }
    guard pedals & channels != 0 else { return nil }
    return 0xB0 | UInt32(truncatingIfNeeded: (pedals & channels).trailingZeroBitCount) | 64 << 8
  }

  /// Updates the state from a message of ``release``.
  @_noLocks @_noAllocation public mutating func follow(release: UInt32) {
    follow(
      UInt8(truncatingIfNeeded: release), UInt8(truncatingIfNeeded: release >> 8),
      UInt8(truncatingIfNeeded: release >> 16))
  }

  /// Writes messages that release everything that is held, as far as they fit.
  ///
  /// - Returns: whether nothing is held any more.
  @_noLocks @_noAllocation public mutating func release(into events: EventBuffer, at frame: Int64) -> Bool {
    release(into: events, at: frame, of: .max)
  }

  /// Does the same as ``release(into:at:)``, for the channels whose bits are set.
  @_noLocks @_noAllocation
  package mutating func release(into events: EventBuffer, at frame: Int64, of channels: UInt16) -> Bool {
    while let message = release(of: channels) {
      guard events.hasRoom(for: 3) else { return false }
      var bytes = message.littleEndian
      unsafe events.append(EventHeader(frame: frame, type: EventHeader.midi, size: 3), bytes: &bytes)
      follow(release: message)
    }
    return true
  }
}
