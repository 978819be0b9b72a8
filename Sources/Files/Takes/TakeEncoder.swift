// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Encodes the journaled sound of a take into its finished file.
enum TakeEncoder {
  /// Encodes into a temporary file of its own. The file gets the take's name only if the encoder succeeds and the
  /// decoded file matches the sound.
  ///
  /// - Returns: the frame count and the rate of the encoded file.
  /// - Throws: ``FileError``. The journaled sound is then unchanged.
  static func encode(
    _ sound: String, to take: String, _ format: RecordingFormat, origin: TakeOrigin, gaps: [TakeReport.Gap],
    overwrites: Bool
  ) throws(FileError) -> SoundLength {
    let reader = try AudioFileReader(sound)
    let rate = Int(reader.info.sampleRate), written = format.writtenRate(for: rate)
    // The comment lists gaps in frames of the encoded file.
    let gaps = gaps.converted(from: rate, to: written)
    let writer = try AudioFileWriter(
      take, .whole(overwrites: overwrites), format: format, sampleRate: rate,
      channelCount: reader.info.channelCount, origin: origin,
      comment: GapList.comment(on: gaps, sampleRate: written))
    do {
      while true {
        let frames = try reader.read(65536)
        guard let first = frames.first, !first.isEmpty else { break }
        try writer.write(frames)
        FinishingProgress.step()
      }
      try writer.finish()
      FinishingProgress.step()
      let stored = try EncodedTake.verify(writer.currentPath, take: take, against: sound, format)
      try writer.publish()
      return stored
    } catch {
      writer.discard()
      throw error
    }
  }
}
