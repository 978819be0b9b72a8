// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// A MIDI file that a midi-in node hears.
struct RenderScore {
  /// The node.
  let node: AudioNode
  /// How many frames it has at the rate of the render.
  let length: Int
  private let messages: [MIDIFile.Message]
  /// How many frames came before the block, and the messages that belong to it.
  private var start = 0, end = 0
  private var block = 0..<0

  /// Reads the file.
  ///
  /// - Throws: ``FileError``.
  init(_ file: NodeFile, session: Session, rate: Int) throws {
    guard let node = session.node(file.node) else {
      throw Failure(.badCommandLine, "--input: there is no midi-in node '\(Clean.line(file.node))'")
    }
    let song = try MIDIFile(file.path, sampleRate: rate)
    self.node = node
    (messages, length) = (song.messages, song.length)
  }

  /// Goes on by a block of so many frames.
  mutating func read(_ count: Int) {
    (start, end) = (end, end + count)
    var last = block.upperBound
    while last < messages.count, messages[last].frame < end { last += 1 }
    block = block.upperBound..<last
  }

  /// Writes the block's messages; `frame` is the block's first.
  func play(_ events: EventBuffer, from frame: Int64) {
    for message in messages[block] {
      events.append(midi: message, at: frame + Int64(message.frame - start))
    }
  }
}

extension EventBuffer {
  /// Adds a message of a MIDI file.
  fileprivate func append(midi message: MIDIFile.Message, at frame: Int64) {
    let header = EventHeader(frame: frame, type: EventType.midi, size: UInt32(message.count))
    withUnsafeBytes(of: (message.status, message.first, message.second)) { bytes in
      guard let base = bytes.baseAddress else { return }
      append(header, bytes: base)
    }
  }
}
