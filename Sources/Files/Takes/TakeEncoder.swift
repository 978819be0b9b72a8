// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Makes the finished file of a take from the sound that was journaled.
enum TakeEncoder {
  /// Encodes under another name first, so that no half of a file ever bears the take's name.
  ///
  /// - Throws: ``FileError``; the journaled sound is untouched.
  static func encode(
    _ sound: String, to take: String, _ format: RecordingFormat, origin: TakeOrigin, gaps: [TakeGap],
    overwrites: Bool
  ) throws(FileError) {
    let reader = try AudioFileReader(sound)
    let rate = Int(reader.info.sampleRate), written = format.writtenRate(for: rate)
    // Places are told in frames of the file that people will have.
    let places = gaps.map {
      TakeGap(frame: $0.frame * written / rate, count: ($0.count * written + rate / 2) / rate)
    }
    let writer = try AudioFileWriter(
      take, format: format, sampleRate: rate, channelCount: reader.info.channelCount, origin: origin,
      comment: GapList.comment(on: places, sampleRate: written), overwrites: overwrites,
      appearsWhole: true)
    do {
      while true {
        let frames = try reader.read(65536)
        guard let first = frames.first, !first.isEmpty else { break }
        try writer.write(frames)
      }
      try writer.close()
    } catch {
      writer.discard()
      throw error
    }
  }

  /// Gives the finished file its name, in one step that cannot overwrite.
  static func publish(_ part: String, as take: String, overwrites: Bool) throws(FileError) {
    if overwrites {
      guard rename(part, take) == 0 else { throw .writing(take, errno: errno) }
    } else if link(part, take) == 0 {
      unlink(part)
    } else if errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK {
      // A file system without links, such as a camera's card.
      guard access(take, F_OK) != 0 else { throw .writing(take, errno: EEXIST) }
      guard rename(part, take) == 0 else { throw .writing(take, errno: errno) }
    } else {
      throw .writing(take, errno: errno)
    }
  }
}
