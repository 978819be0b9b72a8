// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal

/// A MIDI file that is the input of a MIDI input node.
// @unchecked: one thread reads the file, and then hands it to the thread that renders.
final class ExportScore: @unchecked Sendable {
  /// The node.
  let node: AudioNode
  /// The path of the file.
  let path: String
  /// The length of the file in frames at the engine's rate.
  let length: Int
  private let messages: [MIDIFile.Message]
  /// The first frame of the block and the one after its last, and the indices of its messages.
  private var start = 0, end = 0
  private var block = 0..<0

  /// Reads the file.
  ///
  /// - Throws: ``ExportError`` if the file cannot be read, or the node is not a MIDI input.
  init(_ path: String, for node: AudioNode) throws(ExportError) {
    guard let known = node.engine.graph.node(node.id), case .input = known.role,
      known.outputs.first == .events
    else { throw .notAnInput(node.name) }
    let rate = Int(node.engine.sampleRate.rounded())
    let score = try exportingFile { () throws(FileError) in try MIDIFile(path, sampleRate: rate) }
    self.node = node
    self.path = path
    (messages, length) = (score.messages, score.length)
  }

  /// Advances by a block of `count` frames.
  func read(_ count: Int) {
    (start, end) = (end, end + count)
    var last = block.upperBound
    while last < messages.count, messages[last].frame < end { last += 1 }
    block = block.upperBound..<last
  }

  /// Appends the block's messages; `frame` is the block's first frame.
  func play(_ events: EventBuffer, from frame: Int64) {
    for message in messages[block] {
      events.append(midi: message, at: frame + Int64(message.frame - start))
    }
  }
}

extension EventBuffer {
  /// Appends a message of a MIDI file.
  fileprivate func append(midi message: MIDIFile.Message, at frame: Int64) {
    let header = EventHeader(frame: frame, type: EventHeader.midi, size: UInt32(message.count))
    withUnsafeBytes(of: (message.status, message.first, message.second)) { bytes in
      guard let base = bytes.baseAddress else { return }
      append(header, bytes: base)
    }
  }
}
