// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal

/// A MIDI file that a MIDI input hears.
// @unchecked: it is read, and then handed to the one thread that renders.
final class ExportScore: @unchecked Sendable {
  /// The node.
  let node: AudioNode
  /// Where the file is.
  let path: String
  /// How many frames it has at the engine's rate.
  let length: Int
  private let messages: [MIDIFile.Message]
  /// How many frames came before the block, and the messages that belong to it.
  private var start = 0, end = 0
  private var block = 0..<0

  /// Reads the file.
  ///
  /// - Throws: ``ExportError``: the file cannot be read, or the node takes no events.
  init(_ path: String, for node: AudioNode) throws(ExportError) {
    guard let known = node.engine.graph.node(node.id), case .input = known.role,
      known.outputs.first == .events
    else { throw .notAWayIn(node.name) }
    let rate = Int(node.engine.sampleRate.rounded())
    let song = try exportingFile { () throws(FileError) in try MIDIFile(path, sampleRate: rate) }
    self.node = node
    self.path = path
    (messages, length) = (song.messages, song.length)
  }

  /// Goes on by a block of so many frames.
  func read(_ count: Int) {
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
    let header = EventHeader(frame: frame, type: EventHeader.midi, size: UInt32(message.count))
    withUnsafeBytes(of: (message.status, message.first, message.second)) { bytes in
      guard let base = bytes.baseAddress else { return }
      append(header, bytes: base)
    }
  }
}
