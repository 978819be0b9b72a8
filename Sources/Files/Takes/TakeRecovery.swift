// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
public import SwiftletTimeline

/// Finishes takes that a crash or a power cut left unfinished.
///
/// The functions read and write files on the calling thread. Any thread may call them but the audio thread.
public enum TakeRecovery {
  /// The result of recovering one take.
  public struct Result: Sendable, Equatable {
    /// The take's file, or the journal that could not be used.
    public var path: String
    /// The number of frames in the file, at its own rate; nil if it could not be finished. A take of 0 frames is
    /// removed if its file names Swiftlet as its originator.
    public var frameCount: Int?
    /// The duration of the recorded sound; 0 if the take could not be finished. A rate conversion may make the file a
    /// frame or two shorter or longer.
    public var duration: MediaTime
    /// The number of silent frames in the file that replace lost sound.
    public var lostFrames: Int
    /// Why the take could not be finished; nil on success.
    public var failure: String?
  }

  /// Finishes every unfinished take in a folder, and in the folders inside it, that no running program is recording.
  ///
  /// Corrects headers to match the sound, marks gaps, and encodes journaled sound into its final format. Sound whose
  /// journal is lost becomes a file of its own. No file is overwritten. Sound that cannot be finished stays in place,
  /// and the other takes are still finished. A sound file that does not name Swiftlet as its originator is not changed,
  /// unless it is Wave64, which has no field for that. Temporary files that no program writes any more are removed. A
  /// file with the name of a journal that is not a journal, or has a later version, stays and is reported.
  ///
  /// - Parameter directory: a path or a `file:` URL.
  /// - Throws: ``FileError`` if the folder cannot be read or is already being recovered; of kind `badName` for a URL
  ///   that is not a folder of this machine.
  public static func recover(directory: some FileLocation) throws(FileError) -> [Result] {
    let directory = try directory.filePath
    let locked = try lock(directory)
    defer { if let locked { FileLock.free(locked.descriptor) } }
    let unfinished = try UnfinishedTake.all(in: directory)
    let results = unfinished.compactMap(recover)
    for path in Set([directory] + unfinished.map { FilePath.folder(of: $0.take) }) {
      guard let folder = try? OpenFolder(path) else { continue }
      Leftovers.remove(in: folder, waits: true)
      try folder.flushed(for: path)
    }
    return results
  }

  /// Returns the takes in a folder that ``recover(directory:)`` would finish. The list is empty if the folder cannot be
  /// read, or is a URL that is not a folder of this machine.
  public static func unfinishedTakes(in directory: some FileLocation) -> [String] {
    guard let path = try? directory.filePath else { return [] }
    return unfinishedTakes(in: path, levels: UnfinishedTake.deepest)
  }

  /// Returns the unfinished takes in a folder and in up to `levels` levels of folders inside it.
  package static func unfinishedTakes(in directory: String, levels: Int) -> [String] {
    let unfinished = (try? UnfinishedTake.all(in: directory, levels: levels)) ?? []
    return unfinished.filter { $0.hasSound && !$0.isHeld }.map(\.take)
  }

  /// Locks a folder, so that only one recovery runs in it. Returns nil if the folder or its file system does not
  /// support locks; then the locks of the takes decide which recovery finishes which take.
  private static func lock(_ directory: String) throws(FileError) -> OpenFolder? {
    guard let folder = try? OpenFolder(directory) else { return nil }
    do throws(DiskError) { try FileLock.take(folder.descriptor) } catch {
      guard error == .system(EWOULDBLOCK) else { return nil }
      throw FileError(
        .unwritable, directory, "is being recovered by another program; wait until it has ended")
    }
    return folder
  }

  private static func recover(_ unfinished: UnfinishedTake) -> Result? {
    if case .misnamed(let isFolder) = unfinished.kind {
      let what = isFolder ? "holds unfinished takes, and its name" : "is an unfinished take whose name"
      return failed(
        unfinished.take,
        "\(what) is not valid UTF-8 (%XX stands for a byte); rename \(isFolder ? "it" : "its files"), then recover it"
      )
    }
    if case .refused(let reason) = unfinished.kind { return failed(unfinished.take, reason) }
    // The lock is held until the end, so that two recoveries never work on one take.
    let lock: Int32
    do throws(FileError) {
      guard let taken = try unfinished.lock() else {
        return failed(
          unfinished.take, "is being recorded or recovered by a running program; stop that program first")
      }
      lock = taken
    } catch {
      // Another recovery has finished the take in the meantime.
      return error.kind == .missing ? nil : failed(unfinished.take, error.description)
    }
    defer { FileLock.close(lock) }
    do throws(FileError) {
      switch unfinished.kind {
      case .journal(let journal): return try finish(journal)
      case .sound(let sound):
        let result = try adopt(sound, of: unfinished.take)
        unfinished.removeDamagedJournal()
        return result
      case .nothing:
        unfinished.removeDamagedJournal()
        return nil
      case .misnamed, .refused: return nil
      }
    } catch {
      return failed(unfinished.take, error.description)
    }
  }

  private static func failed(_ take: String, _ why: String) -> Result {
    Result(path: take, duration: .zero, lostFrames: 0, failure: why)
  }

  private static func finish(_ journal: String) throws(FileError) -> Result {
    let contents = try TakeJournal.read(journal), folder = FilePath.path(journal, renamed: "")
    let (path, recorded, stored) = try finish(contents, folder)
    guard unlink(journal) == 0 || errno == ENOENT else { throw .writing(journal, errno: errno) }
    return Result(
      path: path, frameCount: stored.frameCount, duration: recorded.duration,
      lostFrames: SoundLength.frames(
        contents.gaps.map(\.count).reduce(0, +), from: contents.head.sampleRate, to: stored.sampleRate))
  }

  /// Finishes a take.
  ///
  /// - Returns: its path, the length of the recorded sound as far as it is known, and the length of the finished file.
  private static func finish(
    _ contents: TakeJournal.Contents, _ folder: String
  ) throws(FileError) -> (path: String, recorded: SoundLength, stored: SoundLength) {
    let none = SoundLength(frameCount: 0, sampleRate: contents.head.sampleRate)
    let (take, sound) = (folder + contents.head.take, folder + contents.head.sound)
    let format = try contents.head.format(take)
    let isTaken = take != sound && UnfinishedTake.isThere(take)
    if !UnfinishedTake.isThere(sound) {
      // The crash came between the last two steps, and the take is finished; or before the first step, and nothing was
      // recorded.
      let isFinished =
        isTaken && (!contents.head.overwrites || UnfinishedTake.isNewer(take, than: contents.head.date))
      guard isFinished else { return (take, none, none) }
      let stored = SoundLength(try AudioFileReader(take).info)
      return (take, stored, stored)
    }
    try UnfinishedTake.requireRegularFile(sound)
    // The sound of a format that does not survive a crash was journaled as WAV.
    let container = format.survivesCrash ? format.container : .wav
    // A journal does not prove that the sound beside it is Swiftlet's: any program may have put it there.
    guard container == .w64 || UnfinishedTake.isFromSwiftlet(sound) else {
      guard try hasNoSound(sound, container) else {
        throw FileError(
          .unreadable, sound,
          "does not name Swiftlet as the program that made it, and is not changed; if it needs no recovery, remove "
            + "'\(TakeJournal.path(of: take))'")
      }
      return (take, none, none)
    }
    try HeaderRepair.repair(sound, container, frames: contents.frames)
    let recorded = SoundLength(try AudioFileReader(sound, acceptsTruncated: true).info)
    let gaps = contents.gaps.filter { $0.frame < recorded.frameCount }
    guard recorded.frameCount > 0 else {
      if UnfinishedTake.isFromSwiftlet(sound) { unlink(sound) }
      return (take, none, none)
    }
    var path = take
    if isTaken, !contents.head.overwrites {
      // The crash came before the last step: the encoded take has its name, and the journaled sound still exists.
      if let stored = try? EncodedTake.verify(take, take: take, against: sound, format) {
        unlink(sound)
        return (take, recorded, stored)
      }
      path = TakeRescue.freePath(beside: take)
    }
    let stored = try TakeFile.complete(
      path, sound: sound, format: format, recorded: recorded, origin: contents.head.origin, gaps: gaps,
      overwrites: contents.head.overwrites)
    return (path, recorded, stored)
  }

  /// Whether a file has no sound yet. Takes name Swiftlet in their file before their first sound, except Wave64, which
  /// has no field for that.
  private static func hasNoSound(_ sound: String, _ container: AudioContainer) throws(FileError) -> Bool {
    switch container {
    case .aiff, .caf: UnfinishedTake.size(of: sound) <= 4096  // the maximum size of a header
    default: try WaveFile(sound, writable: false).presentFrames == 0
    }
  }

  /// Turns sound whose journal is lost into a file of its own, because the take's final encoding is unknown.
  private static func adopt(_ sound: String, of take: String) throws(FileError) -> Result {
    try UnfinishedTake.requireRegularFile(sound)
    let isWave = sound.hasSuffix(".rf64")
    let container: AudioContainer = isWave ? .rf64 : AudioContainer(path: take) ?? .wav
    try HeaderRepair.repair(sound, container, frames: nil)
    let info = try AudioFileReader(sound, acceptsTruncated: true).info
    guard info.frameCount > 0 else {
      // Not every file names its originator.
      guard UnfinishedTake.isFromSwiftlet(sound) else { throw .empty(sound) }
      unlink(sound)
      return Result(path: take, frameCount: 0, duration: .zero, lostFrames: 0)
    }
    let wanted = isWave ? FilePath.ending(of: take).stem + ".rf64" : take
    let path =
      sound == wanted ? sound : TakeRescue.freePath(beside: wanted, isFree: { !UnfinishedTake.isThere($0) })
    do throws(DiskError) {
      let folder = try OpenFolder(FilePath.folder(of: sound))
      try Renaming.flush(FilePath.name(of: sound), in: folder)
      if sound != path {
        try Renaming.rename(
          FilePath.name(of: sound), to: FilePath.name(of: path), in: folder, overwrites: false)
      }
    } catch {
      throw .making(path, error)
    }
    return Result(
      path: path, frameCount: info.frameCount,
      duration: MediaTime(frames: Int64(info.frameCount), at: info.sampleRate), lostFrames: 0)
  }
}
