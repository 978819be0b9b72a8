// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The messages of a Standard MIDI File, each on a frame of a stream.
///
/// Supports formats 0 and 1, with the tempo map of all tracks combined or with SMPTE time. System exclusive messages
/// are left out. Held notes are released at the end of the file.
package struct MIDIFile: Sendable, Equatable {
  /// A channel message, such as a note, a controller, a program change or a pitch bend.
  package struct Message: Sendable, Equatable {
    /// The frame of the message, counted from the beginning of the file.
    package var frame: Int
    /// The status byte with kind and channel: 0x80 to 0xEF.
    package var status: UInt8
    /// The data bytes, 0 to 127. The second is 0 if the message has only one.
    package var first: UInt8, second: UInt8

    /// Creates a message at a frame.
    package init(frame: Int, status: UInt8, first: UInt8, second: UInt8 = 0) {
      self.frame = frame
      self.status = status
      self.first = first
      self.second = second
    }

    /// The length of the message in bytes: 2 or 3.
    package var count: Int { 0xC0...0xDF ~= status ? 2 : 3 }
  }

  /// All messages, ordered by frame; at one frame, in the order of the tracks.
  package let messages: [Message]
  /// The number of frames from the beginning to the end of the longest track.
  package let length: Int

  /// The maximum file size in bytes: 16 MiB, which is some hundreds of hours of music.
  package static let byteLimit = 16 << 20
  /// The maximum duration in seconds: a hundred days.
  static let secondsLimit = 8_640_000

  /// Reads a file.
  ///
  /// - Parameter sampleRate: frames per second, from 1000 to 1536000. Each message is placed at the frame nearest to
  ///   its time.
  /// - Throws: ``FileError``: missing, empty, truncated, damaged or not MIDI, unreadable, a directory, unsupported.
  package init(_ path: String, sampleRate: Int) throws(FileError) {
    guard AudioFileReader.rates.contains(sampleRate) else {
      throw FileError(
        .unsupported, path, "cannot be read at \(sampleRate) Hz; 1000 to 1536000 Hz are supported")
    }
    var reader = MIDIFileReader(try Self.bytes(of: path), path)
    try self.init(reader.score(), path, sampleRate: sampleRate)
  }

  /// Converts ticks to frames with integer arithmetic, so that the result does not drift.
  init(_ score: MIDIScore, _ path: String, sampleRate: Int) throws(FileError) {
    var messages: [Message] = []
    messages.reserveCapacity(score.events.count)
    var clock = MIDIClock(score.division)
    for event in score.events {
      guard clock.advance(to: event.tick) else { throw Self.endless(path) }
      switch event.content {
      case .tempo(let microseconds): clock.tempo = microseconds
      case .message(var message):
        message.frame = clock.frame(at: sampleRate)
        messages.append(message)
      }
    }
    guard clock.advance(to: score.end) else { throw Self.endless(path) }
    length = clock.frame(at: sampleRate)
    self.messages = messages + Self.release(of: messages, at: length)
  }

  private static func endless(_ path: String) -> FileError {
    FileError(.unsupported, path, "plays for more than a hundred days")
  }

  /// Returns the messages that silence the file's end: note-off for each held note, then controllers for each used
  /// channel.
  private static func release(of messages: [Message], at frame: Int) -> [Message] {
    var sounding = [Bool](repeating: false, count: 16 * 128), isUsed = [Bool](repeating: false, count: 16)
    for message in messages {
      let channel = Int(message.status & 0x0F), note = channel * 128 + Int(message.first & 0x7F)
      isUsed[channel] = true
      switch message.status & 0xF0 {
      case 0x90: sounding[note] = message.second > 0
      case 0x80: sounding[note] = false
      default: break
      }
    }
    var release: [Message] = []
    for channel in isUsed.indices where isUsed[channel] {
      for key in 0..<128 where sounding[channel * 128 + key] {
        release.append(Message(frame: frame, status: 0x80 | UInt8(channel), first: UInt8(key), second: 64))
      }
      // Sustain pedal off, and all notes off.
      for controller: UInt8 in [64, 123] {
        release.append(Message(frame: frame, status: 0xB0 | UInt8(channel), first: controller))
      }
    }
    return release
  }
}
