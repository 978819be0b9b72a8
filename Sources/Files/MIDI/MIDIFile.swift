// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The messages of a Standard MIDI File, each on its frame of a stream.
///
/// Formats 0 and 1, with the tempo map of all tracks together or with SMPTE time. System exclusive messages
/// are left out. What the file would leave sounding is let go at its end.
package struct MIDIFile: Sendable, Equatable {
  /// A channel message: a note, a controller, a program, a bend.
  package struct Message: Sendable, Equatable {
    /// When it is heard, counted from the file's beginning.
    package var frame: Int
    /// Its kind and channel: 0x80 to 0xEF.
    package var status: UInt8
    /// Its data, 0 to 127; the second is 0 where there is none.
    package var first: UInt8, second: UInt8

    /// A message on a frame.
    package init(frame: Int, status: UInt8, first: UInt8, second: UInt8 = 0) {
      self.frame = frame
      self.status = status
      self.first = first
      self.second = second
    }

    /// How many bytes it has: 2 or 3.
    package var count: Int { 0xC0...0xDF ~= status ? 2 : 3 }
  }

  /// All messages, by frame; of one frame, in the order of the tracks.
  package let messages: [Message]
  /// Frames from the beginning to the end of the longest track.
  package let length: Int

  /// The longest file that is read, in bytes: 16 MiB, some hundreds of hours of playing.
  package static let byteLimit = 16 << 20
  /// The longest that a file plays, in seconds: a hundred days.
  static let secondsLimit = 8_640_000

  /// Reads a file.
  ///
  /// - Parameter sampleRate: frames a second, 1000 to 1536000. Each message comes
  ///   on the frame nearest to its time.
  /// - Throws: ``FileError``: missing, empty, truncated, damaged or not MIDI,
  ///   unreadable, a directory, unsupported.
  package init(_ path: String, sampleRate: Int) throws(FileError) {
    guard AudioFileReader.rates.contains(sampleRate) else {
      throw FileError(
        .unsupported, path, "cannot be read at \(sampleRate) Hz; 1000 to 1536000 Hz are supported")
    }
    var reader = MIDIFileReader(try Self.bytes(of: path), path)
    try self.init(reader.score(), path, sampleRate: sampleRate)
  }

  /// Lays ticks on frames, by whole numbers alone: nothing drifts, however long it plays.
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

  /// What lets go of all that still sounds: the notes by name, then pedals and whatever else by channel.
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
      // The sustain pedal up, and all notes off.
      for controller: UInt8 in [64, 123] {
        release.append(Message(frame: frame, status: 0xB0 | UInt8(channel), first: controller))
      }
    }
    return release
  }
}
