// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// Reads sound in the order in which a looping timeline plays it; without a loop, in its own order.
final class LoopingReader: SoundReader {
  /// The range of the timeline that repeats.
  var loop: TimelineLoop?
  /// The next frame, counted continuously through all loops.
  private(set) var position = 0

  var path: String { sound.path }
  var channelCount: Int { sound.channelCount }
  var sampleRate: Int { sound.sampleRate }
  var length: Int? { loop == nil ? sound.length : nil }
  var isExpensive: Bool { sound.isExpensive }

  private let sound: any SoundReader
  /// The sequence that is read, if the sound is one.
  let sequence: ClipSequence?

  /// Creates a reader at the sound's current position, without a loop.
  init(_ sound: any SoundReader) {
    self.sound = sound
    sequence = (sound as? SequenceReader)?.sequence
    position = sound.position
  }

  func seek(to frame: Int) throws(FileError) {
    try sound.seek(to: Int(loop.timelineFrame(of: Int64(frame))))
    position = loop == nil ? sound.position : max(frame, 0)
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    guard let loop else {
      defer { position = sound.position }
      return try sound.read(into: channels, count: count)
    }
    var done = 0
    while done < count {
      let frame = Int(loop.timelineFrame(of: Int64(position))), run = min(count - done, Int(loop.end) - frame)
      let got = try read(from: frame, into: channels.from(done), count: run)
      // After the end of the sound, silence fills the rest of the loop.
      channels.from(done + got).clear(run - got)
      done += run
      position += run
    }
    return done
  }

  /// Reads contiguous frames of the sound; fewer at its end.
  private func read(from frame: Int, into channels: Channels, count: Int) throws(FileError) -> Int {
    if let length = sound.length, frame >= length { return 0 }
    if sound.position != frame { try sound.seek(to: frame) }
    return try sound.read(into: channels, count: count)
  }
}
