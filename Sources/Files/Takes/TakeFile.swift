// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The file of one take and its journal, from the first frame to the finished file.
final class TakeFile {
  /// Where the finished file will be. Another path than was asked for if ``loss`` says why.
  private(set) var path: String
  /// Where the file was to be.
  let askedPath: String
  /// What happened to the take's files while it was recorded; nil if they stayed where they were put.
  private(set) var loss: String?
  let writer: AudioFileWriter
  let format: RecordingFormat
  private let origin: TakeOrigin
  let overwrites: Bool
  private(set) var folder: OpenFolder
  /// The folder that the take may not leave, and the take's folder, as they were when it began, from the root of the file
  /// system.
  let places: (root: String?, folder: String)
  /// Whether the file's having been shortened has been noted.
  var isShortened = false
  private(set) var journal: TakeJournal
  private(set) var gaps: [TakeReport.Gap] = []
  /// How far the sound of a take that lost its file has been copied to another.
  var rescue: TakeRescue?

  /// Makes the take's folder, its journal and the file that its sound goes to.
  ///
  /// - Parameters:
  ///   - root: the folder that the path may not leave; nil for a path that a user typed.
  ///   - prepare: is given the file before anything is written; a test stalls the disk here.
  init(
    _ path: String, beneath root: String? = nil, format: RecordingFormat, sampleRate: Int, channelCount: Int,
    origin: TakeOrigin, overwrites: Bool, prepare: ((FileSink) -> Void)? = nil
  ) throws(FileError) {
    (self.path, askedPath) = (path, path)
    (self.format, self.origin, self.overwrites) = (format, origin, overwrites)
    try AudioFileWriter.check(path, format: format, sampleRate: sampleRate, channelCount: channelCount)
    guard FilePath.name(of: path).utf8.count <= TakeRescue.longestName else {
      throw FileError(.badName, path, "has a name of more than \(TakeRescue.longestName) bytes; shorten it")
    }
    let folder = try AudioFileWriter.makeFolder(of: path, beneath: root)
    self.folder = folder
    let home = folder.currentPath ?? folder.path
    places = (root.flatMap { (try? OpenFolder($0))?.currentPath }, home)
    // A name that is taken is refused now, not when the take ends.
    var facts = stat()
    let isTaken = fstatat(folder.descriptor, FilePath.name(of: path), &facts, AT_SYMLINK_NOFOLLOW) == 0
    guard !isTaken || overwrites && facts.st_mode & S_IFMT == S_IFREG else {
      throw overwrites ? .making(path, .link) : .writing(path, errno: EEXIST)
    }
    let sound = TakeJournal.soundPath(of: path, format, overwrites: overwrites)
    journal = try TakeJournal(
      for: path, in: folder,
      TakeJournal.Head(
        take: FilePath.name(of: path), sound: FilePath.name(of: sound),
        encoding: format.encoding.rawValue, rate: format.wholeRate, quality: format.quality?.share,
        bitRate: format.quality?.bitRate, sampleRate: sampleRate, channelCount: channelCount,
        description: origin.description, date: origin.date, timeReference: origin.timeReference,
        overwrites: overwrites))
    do {
      let direct = format.survivesCrash
      writer = try AudioFileWriter(
        sound, in: folder, .named, format: direct ? format : TakeFile.journalFormat(format),
        sampleRate: sampleRate, channelCount: channelCount, origin: origin)
      try folder.flushed(for: path)
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
  var bytesPerSecond: Int { writer.wholeRate * writer.channelCount * writer.format.encoding.byteCount }

  /// Puts silence where frames were lost, and remembers the place.
  func writeGap(_ count: Int) throws(FileError) {
    let gap = TakeReport.Gap(frame: writer.frameCount, count: count)
    gaps.append(gap)
    try writer.writeSilence(count)
    try journal.note(gap)
  }

  /// Sees that everything that was written is on the disk, not only in the kernel. Any thread.
  ///
  /// - Returns: the `errno` of a failure; 0 if there was none.
  func flush() -> Int32 { fdatasync(writer.sink.descriptor) == 0 || errno == EINVAL ? 0 : errno }

  /// The take goes on under another name, or in another folder.
  ///
  /// - Parameter reason: what happened to its files.
  func move(to path: String, in folder: OpenFolder, _ journal: TakeJournal, because reason: String) {
    self.journal.remove()
    (self.path, self.folder, self.journal) = (path, folder, journal)
    note(loss: reason)
  }

  /// Notes what happened to the take's sound, once.
  func note(loss text: String) {
    guard loss?.contains(text) != true else { return }
    loss = loss.map { "\($0); \(text)" } ?? text
  }

  /// The frames that were written, at the rate that they came at.
  var recorded: SoundLength { SoundLength(frameCount: writer.frameCount, sampleRate: writer.wholeRate) }

  /// Ends the take: closes the file, encodes it if it was journaled, marks gaps, removes the journal.
  ///
  /// - Returns: the frame count and the rate of the finished file.
  /// - Throws: ``FileError``; what was recorded stays on disk, and the journal
  ///   with it if there is more to do.
  @discardableResult
  func finish() throws(FileError) -> SoundLength {
    var fault: FileError?
    do throws(FileError) { try writer.close() } catch { fault = error }
    // Whatever failed: sound that has no name any more is gone as soon as we let go of its file.
    try keepInPlace(isLast: true)
    if let fault { throw fault }
    let number = flush()
    guard number == 0 else { throw .writing(path, errno: number) }
    try? journal.noteEnd(frames: writer.frameCount)
    if let moved = movedFolder {
      note(loss: "its folder was moved while it was recorded")
      path = moved + "/" + FilePath.name(of: path)
    }
    let isDirect = soundName == FilePath.name(of: path)
    let sound = isDirect ? path : FilePath.path(path, renamed: soundName)
    if !isDirect { try leaveTakenName() }
    let stored = try TakeFile.complete(
      path, sound: sound, format: format, recorded: recorded, origin: origin, gaps: gaps,
      overwrites: overwrites)
    journal.remove()
    return stored
  }

  /// The name of the file that the sound is in.
  private var soundName: String { FilePath.name(of: writer.currentPath) }

  /// Whether the sound is in the take's own file, which has its name.
  var isSoundItsTake: Bool {
    soundName == FilePath.name(of: path) && writer.sink.file.isInPlace
  }

  /// Where the take's folder is now; nil if it is where it was.
  private var movedFolder: String? { folder.isInPlace ? nil : folder.currentPath }

  /// Chooses a free name if another program took the take's while it was recorded.
  private func leaveTakenName() throws(FileError) {
    var facts = stat()
    guard lstat(path, &facts) == 0, !(overwrites && facts.st_mode & S_IFMT == S_IFREG) else { return }
    path = TakeRescue.freePath(beside: path)
    note(loss: "another file took its name while it was recorded")
  }

  /// Leaves a take that could not be finished: what is there stays on disk.
  ///
  /// - Returns: where the sound is, if that is known and is not the take's own file.
  func giveUp() -> String? {
    try? keepInPlace(isLast: true)
    guard writer.sink.file.isInPlace else { return nil }
    if soundName == FilePath.name(of: path) && (try? AudioFileReader(path)) != nil {
      journal.remove()
      return nil
    }
    return writer.currentPath
  }

  /// Removes every trace: for a take that never began.
  func discard() {
    writer.discard()
    journal.remove()
  }

  /// The last steps of a take, whether it ended well or is recovered. Of these, what removes a file comes last, when the
  /// finished file is on the disk.
  ///
  /// - Parameters:
  ///   - recorded: the length of the sound as it was recorded.
  ///   - gaps: in frames of that sound.
  /// - Returns: the frame count and the rate of the finished file.
  static func complete(
    _ path: String, sound: String, format: RecordingFormat, recorded: SoundLength, origin: TakeOrigin,
    gaps: [TakeReport.Gap], overwrites: Bool
  ) throws(FileError) -> SoundLength {
    guard format.survivesCrash else {
      let stored = try TakeEncoder.encode(
        sound, to: path, format, origin: origin, gaps: gaps, overwrites: overwrites)
      unlink(sound)
      return stored
    }
    if format.container == .wav || format.container == .rf64 {
      try CueMarks.add(gaps, to: sound)
    } else {
      try GapList.write(gaps, of: path, sampleRate: recorded.sampleRate)
    }
    do throws(DiskError) {
      let folder = try OpenFolder(FilePath.folder(of: path))
      let (old, new) = (FilePath.name(of: sound), FilePath.name(of: path))
      try Renaming.flush(old, in: folder)
      if old != new { try Renaming.rename(old, to: new, in: folder, overwrites: overwrites) }
    } catch {
      throw .making(path, error)
    }
    return recorded
  }
}
