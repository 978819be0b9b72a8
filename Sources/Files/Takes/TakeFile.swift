// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The file of one take and its journal, from the first frame to the finished file.
final class TakeFile {
  /// The path of the finished file. Differs from ``askedPath`` if ``loss`` gives a reason.
  private(set) var path: String
  /// The requested path of the finished file.
  let askedPath: String
  /// The reason why the take's files did not stay in place during the recording; nil if they did.
  private(set) var loss: String?
  let writer: AudioFileWriter
  let format: RecordingFormat
  private let origin: TakeOrigin
  let overwrites: Bool
  private(set) var folder: OpenFolder
  /// The folder that confines the take, and the take's folder, as absolute paths from when the take began.
  let initialFolders: (root: String?, folder: String)
  /// Whether ``loss`` already states that the file was shortened.
  var isShortened = false
  private(set) var journal: TakeJournal
  private(set) var gaps: [TakeReport.Gap] = []
  /// The progress of copying the sound of a take that lost its file.
  var rescue: TakeRescue?

  /// Creates the take's folder, its journal and the file that receives its sound.
  ///
  /// - Parameters:
  ///   - root: the folder that the path must not leave; nil for a path that a user typed.
  ///   - prepare: receives the file before anything is written. A test stalls the disk here.
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
    initialFolders = (root.flatMap { (try? OpenFolder($0))?.currentPath }, home)
    // A name that is in use is an error now, not when the take ends.
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

  /// The format of the journaled sound: WAV that grows into RF64, with all precision that the final encoding keeps.
  private static func journalFormat(_ format: RecordingFormat) -> RecordingFormat {
    // Sound that is converted to another rate keeps full precision until then.
    RecordingFormat(container: .wav, encoding: format.rate == nil ? format.encoding.journaled : .float32)
  }

  /// The data rate during the recording, in bytes per second.
  var bytesPerSecond: Int { writer.wholeRate * writer.channelCount * writer.format.encoding.byteCount }

  /// Writes silence for lost frames, and records the gap.
  func writeGap(_ count: Int) throws(FileError) {
    let gap = TakeReport.Gap(frame: writer.frameCount, count: count)
    gaps.append(gap)
    try writer.writeSilence(count)
    try journal.note(gap)
  }

  /// Flushes everything that was written from the kernel to the disk. Any thread.
  ///
  /// - Returns: the `errno` of a failure; 0 if there was none.
  func flush() -> Int32 { fdatasync(writer.sink.descriptor) == 0 || errno == EINVAL ? 0 : errno }

  /// Moves the take to another name or folder.
  ///
  /// - Parameter reason: what happened to its files.
  func move(to path: String, in folder: OpenFolder, _ journal: TakeJournal, because reason: String) {
    self.journal.remove()
    (self.path, self.folder, self.journal) = (path, folder, journal)
    note(loss: reason)
  }

  /// Adds a reason to ``loss``, once.
  func note(loss text: String) {
    guard loss?.contains(text) != true else { return }
    loss = loss.map { "\($0); \(text)" } ?? text
  }

  /// The length of the written sound, at the recording rate.
  var recorded: SoundLength { SoundLength(frameCount: writer.frameCount, sampleRate: writer.wholeRate) }

  /// Finishes the take: closes the file, encodes journaled sound, marks gaps, removes the journal.
  ///
  /// - Returns: the frame count and the rate of the finished file.
  /// - Throws: ``FileError``. The recorded sound stays on disk, with the journal if recovery has work left.
  @discardableResult
  func finish() throws(FileError) -> SoundLength {
    var fault: FileError?
    do throws(FileError) { try writer.close() } catch { fault = error }
    // Runs even if closing failed: sound without a name is lost once its file is closed.
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
    if !isDirect { try chooseFreeNameIfTaken() }
    let stored = try TakeFile.complete(
      path, sound: sound, format: format, recorded: recorded, origin: origin, gaps: gaps,
      overwrites: overwrites)
    journal.remove()
    return stored
  }

  /// The name of the file that holds the sound.
  private var soundName: String { FilePath.name(of: writer.currentPath) }

  /// Whether the sound is in a file with the take's name.
  var isSoundUnderTakeName: Bool {
    soundName == FilePath.name(of: path) && writer.sink.file.isInPlace
  }

  /// The take's folder if it was moved; nil if it is in place.
  private var movedFolder: String? { folder.isInPlace ? nil : folder.currentPath }

  /// Chooses a free name if another file took the take's name during the recording.
  private func chooseFreeNameIfTaken() throws(FileError) {
    var facts = stat()
    guard lstat(path, &facts) == 0, !(overwrites && facts.st_mode & S_IFMT == S_IFREG) else { return }
    path = TakeRescue.freePath(beside: path)
    note(loss: "another file took its name while it was recorded")
  }

  /// Abandons a take that could not be finished. Its sound stays on disk.
  ///
  /// - Returns: the path of the sound, if it is known and is not the take's own file.
  func abandon() -> String? {
    try? keepInPlace(isLast: true)
    guard writer.sink.file.isInPlace else { return nil }
    if soundName == FilePath.name(of: path) && (try? AudioFileReader(path)) != nil {
      journal.remove()
      return nil
    }
    return writer.currentPath
  }

  /// Removes the sound and the journal of a take that never began.
  func discard() {
    writer.discard()
    journal.remove()
  }

  /// Completes a take that has ended or is being recovered. Removes a file only after the finished file is on the disk.
  ///
  /// - Parameters:
  ///   - recorded: the length of the recorded sound.
  ///   - gaps: the gaps, in frames of the recorded sound.
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
