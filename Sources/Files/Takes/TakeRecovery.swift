// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
public import SwiftletTimeline

/// Finishes the takes that a crash or a power cut left unfinished.
public enum TakeRecovery {
  /// The result for one take.
  public struct Result: Sendable, Equatable {
    /// The take's file, or the journal that could not be used.
    public var path: String
    /// How many frames the file has, at its own rate; nil where it could not be finished. A take of 0 frames is removed if
    /// its file names Swiftlet as the program that made it.
    public var frameCount: Int?
    /// How long the recorded sound plays; 0 where it could not be finished. A conversion to another rate may make the
    /// file shorter or longer by a frame or two.
    public var duration: MediaTime
    /// How many frames of the file are silence in place of lost sound.
    public var lostFrames: Int
    /// Why it could not be finished; nil where all went well.
    public var failure: String?
  }

  /// Finishes every take in a folder, and in the folders inside it, that is unfinished and that no running program is
  /// recording.
  ///
  /// Headers are made to fit the sound that is there, gaps are marked, and what was journaled is encoded into
  /// its final format. Sound whose journal is lost becomes a file of its own. Nothing is overwritten; sound that cannot be
  /// finished is left where it is, and does not keep other takes from being finished. A sound file that does not name
  /// Swiftlet as the program that made it is not changed, unless it is Wave64, which has no field for that. Temporary files
  /// that no program writes any more are removed. A file with the name of a journal that is none, or of a later version, stays
  /// and is reported.
  ///
  /// - Parameter directory: a path or a `file:` URL.
  /// - Throws: ``FileError`` if the folder cannot be read, or another recovery of it is running; of kind `badName` for a
  ///   URL that is not a folder of this machine.
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

  /// The takes in a folder that ``recover(directory:)`` would finish; empty if the folder cannot be read, or is a URL that
  /// is not a folder of this machine.
  public static func unfinishedTakes(in directory: some FileLocation) -> [String] {
    guard let path = try? directory.filePath else { return [] }
    return unfinishedTakes(in: path, levels: UnfinishedTake.deepest)
  }

  /// As the public one, but so many levels of folders inside the folder are looked through.
  package static func unfinishedTakes(in directory: String, levels: Int) -> [String] {
    let unfinished = (try? UnfinishedTake.all(in: directory, levels: levels)) ?? []
    return unfinished.filter { $0.hasSound && !$0.isHeld }.map(\.take)
  }

  /// Locks a folder for the one recovery that may run in it; nil if the folder or its file system cannot be locked: then
  /// the locks of the takes decide which recovery finishes which take.
  private static func lock(_ directory: String) throws(FileError) -> OpenFolder? {
    guard let folder = try? OpenFolder(directory) else { return nil }
    do throws(DiskError) { try FileLock.take(folder.descriptor) } catch {
      guard error == .system(EWOULDBLOCK) else { return nil }
      throw FileError(
        .unwritable, directory, "is being recovered by another program that runs; wait until it ends")
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
    // Held until the end, so that two recoveries never work on one take.
    let lock: Int32
    do throws(FileError) {
      guard let taken = try unfinished.lock() else {
        return failed(
          unfinished.take, "is being recorded or recovered by a program that runs; stop that first")
      }
      lock = taken
    } catch {
      // Another recovery has finished the take meanwhile.
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
    let story = try TakeJournal.read(journal), folder = FilePath.path(journal, renamed: "")
    let (path, recorded, stored) = try finish(story, folder)
    guard unlink(journal) == 0 || errno == ENOENT else { throw .writing(journal, errno: errno) }
    return Result(
      path: path, frameCount: stored.frameCount, duration: recorded.duration,
      lostFrames: SoundLength.frames(
        story.gaps.map(\.count).reduce(0, +), from: story.head.sampleRate, to: stored.sampleRate))
  }

  /// Brings a take to its end.
  ///
  /// - Returns: its path, the length of the recorded sound as far as that is known, and the length of the finished file.
  private static func finish(
    _ story: TakeJournal.Story, _ folder: String
  ) throws(FileError) -> (path: String, recorded: SoundLength, stored: SoundLength) {
    let none = SoundLength(frameCount: 0, sampleRate: story.head.sampleRate)
    let (take, sound) = (folder + story.head.take, folder + story.head.sound)
    let format = try story.head.format(take)
    let isTaken = take != sound && UnfinishedTake.isThere(take)
    if !UnfinishedTake.isThere(sound) {
      // The crash came between the last two steps, and the take is finished; or before the first, and nothing was recorded.
      let isFinished =
        isTaken && (!story.head.overwrites || UnfinishedTake.isNewer(take, than: story.head.date))
      guard isFinished else { return (take, none, none) }
      let stored = SoundLength(try AudioFileReader(take).info)
      return (take, stored, stored)
    }
    try UnfinishedTake.requireRegularFile(sound)
    // What is no such file itself was journaled as WAV.
    let container = format.survivesCrash ? format.container : .wav
    // A journal may have been planted beside any file.
    guard container == .w64 || UnfinishedTake.isOurs(sound) else {
      guard try isBare(sound, container) else {
        throw FileError(
          .unreadable, sound,
          "does not name Swiftlet as the program that made it, and is not changed; if it needs no recovery, remove "
            + "'\(TakeJournal.path(of: take))'")
      }
      return (take, none, none)
    }
    try HeaderRepair.repair(sound, container, frames: story.frames)
    let recorded = SoundLength(try AudioFileReader(sound, acceptsTruncated: true).info)
    let gaps = story.gaps.filter { $0.frame < recorded.frameCount }
    guard recorded.frameCount > 0 else {
      if UnfinishedTake.isOurs(sound) { unlink(sound) }
      return (take, none, none)
    }
    var path = take
    if isTaken, !story.head.overwrites {
      // The crash came before the last step: the encoded take has its name and the journaled sound is still there.
      if let stored = try? EncodedTake.verify(take, take: take, against: sound, format) {
        unlink(sound)
        return (take, recorded, stored)
      }
      path = TakeRescue.freePath(beside: take)
    }
    let stored = try TakeFile.complete(
      path, sound: sound, format: format, recorded: recorded, origin: story.head.origin, gaps: gaps,
      overwrites: story.head.overwrites)
    return (path, recorded, stored)
  }

  /// Whether a file has no sound yet. A take names Swiftlet in its file with its first sound at the latest; only Wave64 has
  /// no field for that.
  private static func isBare(_ sound: String, _ container: AudioContainer) throws(FileError) -> Bool {
    switch container {
    case .aiff, .caf: UnfinishedTake.size(of: sound) <= 4096  // what a header takes, at the most
    default: try WaveFile(sound, writable: false).presentFrames == 0
    }
  }

  /// Makes a file of its own of sound whose journal is lost: how the take was to be encoded is not known.
  private static func adopt(_ sound: String, of take: String) throws(FileError) -> Result {
    try UnfinishedTake.requireRegularFile(sound)
    let isWave = sound.hasSuffix(".rf64")
    let container: AudioContainer = isWave ? .rf64 : AudioContainer(path: take) ?? .wav
    try HeaderRepair.repair(sound, container, frames: nil)
    let info = try AudioFileReader(sound, acceptsTruncated: true).info
    guard info.frameCount > 0 else {
      // Not every kind of file says who made it.
      guard UnfinishedTake.isOurs(sound) else { throw .empty(sound) }
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
