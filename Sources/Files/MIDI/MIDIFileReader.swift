// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Parses the bytes of a Standard MIDI File into events. All input is checked.
struct MIDIFileReader {
  private let path: String
  private let bytes: [UInt8]
  /// The read position, and the end of the file or track that is being read.
  private var offset = 0, end: Int
  private var events: [MIDIScore.Event] = []

  init(_ bytes: [UInt8], _ path: String) {
    self.bytes = bytes
    self.path = path
    end = bytes.count
  }

  /// Reads the whole file.
  mutating func score() throws(FileError) -> MIDIScore {
    guard bytes.starts(with: "MThd".utf8) else {
      throw FileError(.notAudio, path, "is not a Standard MIDI File: it does not begin with 'MThd'")
    }
    offset = 4
    let headerEnd = try chunkEnd(atLeast: 6)
    let format = try number(2), trackCount = try number(2)
    let division = try division()
    guard format < 2 else {
      throw FileError(
        .unsupported, path, "is of format \(format); expected 0 or 1, whose tracks play together")
    }
    offset = headerEnd
    var (found, last) = (0, 0)
    while found < trackCount {
      guard end - offset >= 8 else {
        throw FileError(.truncated, path, "is cut short: it announces \(trackCount) tracks and has \(found)")
      }
      let isTrack = bytes[offset..<offset + 4].elementsEqual("MTrk".utf8)
      offset += 4
      let next = try chunkEnd()
      // Chunks other than the header and tracks are ignored.
      if isTrack {
        last = max(last, try track(until: next))
        found += 1
      }
      offset = next
    }
    let order = events.indices.sorted { (events[$0].tick, $0) < (events[$1].tick, $1) }
    return MIDIScore(division: division, events: order.map { events[$0] }, end: last)
  }

  private mutating func division() throws(FileError) -> MIDIScore.Division {
    let word = try number(2)
    let (high, ticks) = (word >> 8, word & 0xFF)
    switch high {
    case 0..<128 where word > 0: return .quarter(ticks: word)
    case 232 where ticks > 0: return .time(ticks: 24 * ticks, seconds: 1)
    case 231 where ticks > 0: return .time(ticks: 25 * ticks, seconds: 1)
    // 29 stands for the 30000/1001 frames per second of colour television.
    case 227 where ticks > 0: return .time(ticks: 30_000 * ticks, seconds: 1001)
    case 226 where ticks > 0: return .time(ticks: 30 * ticks, seconds: 1)
    default: throw damage("an invalid time division")
    }
  }

  /// Reads a track and returns the tick at which it ends.
  private mutating func track(until trackEnd: Int) throws(FileError) -> Int {
    let fileEnd = end
    end = trackEnd
    defer { end = fileEnd }
    var tick = 0
    var running: UInt8 = 0
    while offset < end {
      tick += try length()
      let status = try byte()
      switch status {
      case 0xFF:
        let type = try byte(), size = try length()
        guard size <= end - offset else { throw cut }
        let next = offset + size
        if type == 0x2F { return tick }
        if type == 0x51 {
          guard size == 3 else { throw damage("a tempo of \(size) bytes") }
          events.append(.init(tick: tick, content: .tempo(try number(3))))
        }
        offset = next
      case 0xF0, 0xF7:
        let size = try length()
        guard size <= end - offset else { throw cut }
        offset += size
      case 0x80...0xEF:
        running = status
        try message(status, try byte(), at: tick)
      case 0..<0x80 where running > 0: try message(running, status, at: tick)
      default: throw damage("the invalid status byte \(status)")
      }
    }
    return tick
  }

  private mutating func message(_ status: UInt8, _ first: UInt8, at tick: Int) throws(FileError) {
    var message = MIDIFile.Message(frame: 0, status: status, first: first)
    if message.count == 3 { message.second = try byte() }
    guard first < 128, message.second < 128 else { throw damage("a message with a data byte above 127") }
    events.append(.init(tick: tick, content: .message(message)))
  }

  /// Reads the length of a chunk and returns the position of its end.
  private mutating func chunkEnd(atLeast least: Int = 0) throws(FileError) -> Int {
    let size = try number(4)
    guard size >= least else { throw damage("a chunk of \(size) bytes") }
    guard size <= end - offset else { throw cut }
    return offset + size
  }

  private mutating func byte() throws(FileError) -> UInt8 {
    guard offset < end else { throw cut }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a big-endian number of `count` bytes.
  private mutating func number(_ count: Int) throws(FileError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  /// Reads a variable-length number of one to four bytes with seven bits each.
  private mutating func length() throws(FileError) -> Int {
    var value = 0
    for _ in 0..<4 {
      let byte = try byte()
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    throw damage("a number of more than four bytes")
  }

  private var cut: FileError {
    FileError(.truncated, path, "is cut short at byte \(offset); get a whole copy")
  }

  private func damage(_ what: String) -> FileError {
    FileError(.notAudio, path, "is damaged before byte \(offset): it has \(what)")
  }
}

extension MIDIFile {
  /// Returns all bytes of a file, up to ``byteLimit``.
  static func bytes(of path: String) throws(FileError) -> [UInt8] {
    let descriptor = try AudioFileReader.openRegularFile(path)
    defer { close(descriptor) }
    let size = ByteFile(descriptor).size
    guard size <= byteLimit else {
      throw FileError(.unsupported, path, "is longer than \(byteLimit >> 20) MiB; expected a MIDI file")
    }
    return [UInt8](ByteFile(descriptor).bytes(at: 0, count: size))
  }
}
