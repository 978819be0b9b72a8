// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletTimeline

/// Finishes the takes that a crash or a power cut left unfinished.
public enum TakeRecovery {
  /// What became of one of them.
  public struct Result: Sendable, Equatable {
    /// The take's file.
    public var path: String
    /// How many frames it has; nil where it could not be finished. A take of 0 frames is removed.
    public var frameCount: Int?
    /// How long it plays; 0 where it could not be finished.
    public var duration: MediaTime
    /// How many frames of it are silence in place of lost sound.
    public var lostFrames: Int
    /// Why it could not be finished; nil where all went well.
    public var failure: String?
  }

  /// Finishes every take in a folder that has a journal and that no running program is recording.
  ///
  /// Headers are made to fit the sound that is there, gaps are marked, and what was journaled is encoded into
  /// its final format. Nothing is overwritten; sound that cannot be finished is left where it is.
  ///
  /// - Throws: ``FileError`` where the folder cannot be read.
  public static func recover(directory: String) throws(FileError) -> [Result] {
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .opening(directory, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(.unreadable, directory, "is no folder; name the folder that the takes are in")
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      throw .opening(directory, errno: EACCES)
    }
    let folder = directory.hasSuffix("/") ? directory : directory + "/"
    // A pipe of such a name would be waited for.
    return names.filter { $0.hasSuffix(".journal") && isFile(folder + $0) }.sorted().compactMap { name in
      finish(folder + name, in: folder)
    }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func finish(_ journal: String, in folder: String) -> Result? {
    let take = String(journal.dropLast(".journal".count))
    if TakeJournal.isHeld(journal) {
      return Result(
        path: take, duration: .zero, lostFrames: 0,
        failure: "is being recorded by a program that runs; stop that first")
    }
    do throws(FileError) {
      let story = try TakeJournal.read(journal)
      let frames = try finish(story, folder)
      unlink(journal)
      return Result(
        path: take, frameCount: frames,
        duration: MediaTime(frames: Int64(frames), at: Double(story.head.sampleRate)),
        lostFrames: story.gaps.map(\.count).reduce(0, +))
    } catch  where error.kind == .notAudio && error.path == journal {
      // Some other program's journal, unless there is sound that only we would have left.
      guard let sound = TakeJournal.remains(of: take) else { return nil }
      return Result(
        path: take, duration: .zero, lostFrames: 0,
        failure: "'\(journal)' is damaged; the take's sound is in '\(sound)', which other programs may open")
    } catch {
      return Result(path: take, duration: .zero, lostFrames: 0, failure: error.description)
    }
  }

  /// Brings a take to its end; tells how many frames it has.
  private static func finish(_ story: TakeJournal.Story, _ folder: String) throws(FileError) -> Int {
    let (take, sound) = (folder + story.head.take, folder + story.head.sound)
    let format = try story.head.format(take)
    if access(sound, F_OK) != 0, access(take, F_OK) == 0 {
      // The crash came between the last two steps: the take is finished.
      return try AudioFileReader(take).info.frameCount
    }
    // What is no such file itself was journaled as WAV.
    let container = format.survivesCrash ? format.container : .wav
    try HeaderRepair.repair(sound, container, frames: story.frames)
    let frames = try AudioFileReader(sound, acceptsTruncated: true).info.frameCount
    let gaps = story.gaps.filter { $0.frame < frames }
    guard frames > 0 else {
      unlink(sound)
      return 0
    }
    try TakeFile.complete(
      take, sound: sound, format: format, sampleRate: story.head.sampleRate, origin: story.head.origin,
      gaps: gaps, overwrites: story.head.overwrites)
    return frames
  }
}
