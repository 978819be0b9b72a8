// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// A small text file beside a take while it is recorded: what recovery needs to finish it.
///
/// One line of JSON says what the take is. Then comes a line for each gap, and one when all sound is written.
final class TakeJournal {
  /// What the take is.
  struct Head: Codable, Equatable {
    var version = TakeJournal.knownVersion
    /// The take's final name and the name it is recorded under, both in the journal's folder.
    var take: String, sound: String
    /// The encoding by name; the rate that the file gets, and what its codec may leave out, where that was
    /// asked for.
    var encoding: String
    var rate: Int?, quality: Double?, bitRate: Int?
    var sampleRate: Int
    var channelCount: Int
    var description: String
    var date: Date
    var timeReference: Int?
    /// Whether the finished take replaces a file that is there.
    var overwrites: Bool

    /// What the finished take is to be.
    func format(_ path: String) throws(FileError) -> RecordingFormat {
      let asked: CodingQuality? = bitRate.map { .bitRate($0) } ?? quality.map { .quality($0) }
      // Journals of old call every codec lossy.
      let name = RecordingFormat.names.contains(encoding) ? encoding : nil
      return try RecordingFormat(path: path, named: name, rate: rate.map(Double.init), quality: asked)
    }

    var origin: TakeOrigin { TakeOrigin(description, date: date, timeReference: timeReference) }
  }

  /// What a journal says.
  struct Story: Equatable {
    var head: Head
    var gaps: [TakeReport.Gap] = []
    /// How many frames the take has; nil where it was not written to its end.
    var frames: Int?
  }

  /// The version of journals that are written, and the only one that can be read.
  static let knownVersion = 1

  let path: String
  private let sink: FileSink
  private let head: Head

  /// Where the journal of a take is.
  static func path(of take: String) -> String { take + ".journal" }

  /// Where the sound of a take is while it is recorded: under its own name, unless it is encoded in the end,
  /// or replaces a file that stays until then.
  static func soundPath(of take: String, _ format: RecordingFormat, overwrites: Bool) -> String {
    format.survivesCrash ? (overwrites ? take + ".new" : take) : take + ".rf64"
  }

  /// Every path that says a take's name is in use.
  static func traces(of take: String) -> [String] {
    [path(of: take), GapList.path(of: take)] + sounds(of: take)
  }

  private static func sounds(of take: String) -> [String] { [take] + soundSuffixes.map { take + $0 } }

  /// What stands behind a take's name where its sound is, if that is not in the take's own file.
  static let soundSuffixes = [".new", ".rf64"]

  /// Begins a journal; that claims the take's name.
  ///
  /// - Parameter take: the path of the take in `folder`.
  init(for take: String, in folder: OpenFolder, _ head: Head) throws(FileError) {
    (path, self.head) = (TakeJournal.path(of: take), head)
    do {
      sink = try FileSink(path, in: folder, .named)
    } catch  where error.kind == .exists {
      throw FileError(
        .exists, take, "was left unfinished; first recover the takes in its folder", mayBeUnfinishedTake: true
      )
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    guard var line = try? encoder.encode(head) else {
      throw FileError(.badName, take, "cannot be told to a journal")
    }
    line.append(10)
    do throws(FileError) {
      try write(line)
      sink.flush()
      if let error = sink.error { throw error }
      try folder.flushed(for: take)
    } catch {
      sink.file.discard()
      throw error
    }
  }

  /// The same journal for a take that goes on under another name.
  convenience init(_ other: TakeJournal, for take: String, sound: String, in folder: OpenFolder)
    throws(FileError)
  {
    var head = other.head
    (head.take, head.sound) = (FilePath.name(of: take), FilePath.name(of: sound))
    try self.init(for: take, in: folder, head)
  }

  /// Whether the journal still has its name.
  var isInPlace: Bool { sink.file.isInPlace }

  func note(_ gap: TakeReport.Gap) throws(FileError) {
    try write(Data("gap \(gap.frame) \(gap.count)\n".utf8))
  }

  func noteEnd(frames: Int) throws(FileError) { try write(Data("end \(frames)\n".utf8)) }

  /// The take is finished: nothing is left to recover.
  func remove() { sink.file.discard() }

  private func write(_ line: Data) throws(FileError) {
    let written = line.withUnsafeBytes { buffer in
      buffer.baseAddress.map { sink.write($0, buffer.count) } ?? 0
    }
    if written < line.count { throw sink.error ?? FileError(.unwritable, path, "cannot be written") }
  }

  /// Reads a journal that a crash left.
  ///
  /// - Throws: ``FileError`` where it is none, or names files outside its folder.
  static func read(_ path: String) throws(FileError) -> Story {
    try story(contents(of: path), path)
  }

  /// The bytes of a regular file, 16 MiB at most.
  static func contents(of path: String) throws(FileError) -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .opening(path, errno: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.notAudio, path, "is no journal of a take")
    }
    // An empty file is read as nil.
    do { return try handle.read(upToCount: 1 << 24) ?? Data() } catch {
      throw .opening(path, errno: EIO)
    }
  }

  /// The most bytes and levels of a journal's first line.
  static let mostBytes = 1 << 16, mostLevels = 1
  /// The rates and widths that a take can have; others say that the journal is damaged.
  private static let rates = 1...1_536_000, widths = 1...1024

  /// Reads the bytes of the journal at `path`.
  static func story(_ data: Data, _ path: String) throws(FileError) -> Story {
    // A line that has no end was not written whole, and its numbers may be cut off.
    let lines = data.split(separator: 10, omittingEmptySubsequences: false).dropLast().filter { !$0.isEmpty }
    guard let first = lines.first,
      let head = try? BoundedJSON.decode(
        Head.self, from: first, byteLimit: mostBytes, depthLimit: mostLevels, hasISODates: true),
      head.version == knownVersion, rates.contains(head.sampleRate), widths.contains(head.channelCount),
      !FilePath.hasSlash(head.take), !FilePath.hasSlash(head.sound),
      TakeJournal.path(of: head.take) == FilePath.name(of: path),
      sounds(of: head.take).contains(head.sound)
    else { throw FileError(.notAudio, path, "is no journal of a take") }
    var story = Story(head: head)
    for line in lines.dropFirst() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch (words.first, numbers.count) {
      case ("gap", 2):
        // So far that the sum of all gaps of a journal can be counted.
        story.gaps.append(TakeReport.Gap(frame: max(numbers[0], 0), count: min(max(numbers[1], 0), 1 << 36)))
      case ("end", 1): story.frames = numbers[0] > 0 ? numbers[0] : nil
      default: break
      }
    }
    return story
  }

  /// Whether a running program still holds the file.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FileLock.isHeld(descriptor)
  }
}
