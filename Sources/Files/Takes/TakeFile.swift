// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The file of one take and its journal, from the first frame to the finished file.
final class TakeFile {
  /// Where the finished file will be.
  let path: String
  let writer: AudioFileWriter
  private let format: RecordingFormat
  private let origin: TakeOrigin
  private let overwrites: Bool
  private let journal: TakeJournal
  private(set) var gaps: [TakeGap] = []

  /// Makes the take's folder, its journal and the file that its sound goes to.
  ///
  /// - Parameter prepare: is given the file before anything is written; a test stalls the disk here.
  init(
    _ path: String, format: RecordingFormat, sampleRate: Int, channelCount: Int, origin: TakeOrigin,
    overwrites: Bool, prepare: ((FileSink) -> Void)? = nil
  ) throws(FileError) {
    (self.path, self.format, self.origin, self.overwrites) = (path, format, origin, overwrites)
    try AudioFileWriter.check(path, format: format, sampleRate: sampleRate, channelCount: channelCount)
    try AudioFileWriter.makeFolder(of: path)
    // A name that is taken is refused now, not when the take ends.
    guard overwrites || access(path, F_OK) != 0 else { throw .writing(path, errno: EEXIST) }
    let sound = TakeJournal.soundPath(of: path, format, overwrites: overwrites)
    journal = try TakeJournal(
      for: path,
      TakeJournal.Head(
        take: (path as NSString).lastPathComponent, sound: (sound as NSString).lastPathComponent,
        encoding: format.encoding.rawValue, rate: format.rate, quality: format.quality?.share,
        bitRate: format.quality?.bitRate, sampleRate: sampleRate, channelCount: channelCount,
        description: origin.description, date: origin.date, timeReference: origin.timeReference,
        overwrites: overwrites))
    do {
      let direct = format.survivesCrash
      writer = try AudioFileWriter(
        sound, format: direct ? format : TakeFile.journalFormat(format), sampleRate: sampleRate,
        channelCount: channelCount, origin: origin, overwrites: overwrites)
    } catch {
      journal.remove()
      throw error
    }
    prepare?(writer.sink)
  }

  /// What a take is journaled as: WAV that grows into RF64, with all that the final encoding will keep.
  private static func journalFormat(_ format: RecordingFormat) -> RecordingFormat {
    // Whatever is brought to another rate keeps all of its bits until then.
    RecordingFormat(container: .wav, encoding: format.rate == nil ? format.encoding.journaled : .float32)
  }

  /// How many bytes a second it takes while it is recorded.
  var bytesPerSecond: Int { writer.sampleRate * writer.channelCount * writer.format.encoding.byteCount }

  /// Whether the sound is no longer where it was put. In a folder that was moved the journal is beside it still, and
  /// recovery finishes it there.
  private var isGone: Bool { access(writer.path, F_OK) != 0 && errno == ENOENT }

  /// Puts silence where frames were lost, and remembers the place.
  func writeGap(_ count: Int) throws(FileError) {
    let gap = TakeGap(frame: writer.frameCount, count: count)
    gaps.append(gap)
    try writer.writeSilence(count)
    try journal.note(gap)
  }

  /// Ends the take: closes the file, encodes it if it was journaled, marks gaps, removes the journal.
  ///
  /// - Throws: ``FileError``; what was recorded stays on disk, and the journal
  ///   with it if there is more to do.
  func finish() throws(FileError) {
    try writer.close()
    try? journal.noteEnd(frames: writer.frameCount)
    guard !isGone else {
      throw FileError(.missing, path, "was removed, renamed or moved with its folder while it was recorded")
    }
    try TakeFile.complete(
      path, sound: writer.path, format: format, sampleRate: writer.sampleRate, origin: origin, gaps: gaps,
      overwrites: overwrites)
    journal.remove()
  }

  /// Leaves a take that could not be finished: what is there stays on disk.
  ///
  /// - Returns: where the sound is, if that is known and is not the take's own file.
  func giveUp() -> String? {
    if isGone { return nil }
    if writer.path == path && (try? AudioFileReader(path)) != nil {
      journal.remove()
      return nil
    }
    return writer.path
  }

  /// Removes every trace: for a take that never began.
  func discard() {
    writer.discard()
    journal.remove()
  }

  /// The last steps of a take, whether it ended well or is recovered.
  static func complete(
    _ path: String, sound: String, format: RecordingFormat, sampleRate: Int, origin: TakeOrigin,
    gaps: [TakeGap], overwrites: Bool
  ) throws(FileError) {
    if format.survivesCrash {
      if format.container == .wav || format.container == .rf64 {
        try CueMarks.add(gaps, to: sound)
      } else {
        try GapList.write(gaps, of: path, sampleRate: sampleRate)
      }
      if sound != path { try TakeEncoder.publish(sound, as: path, overwrites: overwrites) }
    } else {
      try TakeEncoder.encode(sound, to: path, format, origin: origin, gaps: gaps, overwrites: overwrites)
      unlink(sound)
    }
  }
}
