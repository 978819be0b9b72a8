// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// A small text file beside a take during the recording, with everything that recovery needs to finish the take.
///
/// The first line is JSON and describes the take. Then comes a line for each gap, and a last line once all sound is
/// written.
final class TakeJournal {
  /// The description of the take.
  struct Head: Codable, Equatable {
    var version = TakeJournal.knownVersion
    /// The take's final name and the name of the file that receives its sound, both in the journal's folder.
    var take: String, sound: String
    /// The name of the encoding, and the requested rate and quality or bit rate of the codec, if any.
    var encoding: String
    var rate: Int?, quality: Double?, bitRate: Int?
    var sampleRate: Int
    var channelCount: Int
    var description: String
    var date: Date
    var timeReference: Int?
    /// Whether the finished take replaces an existing file.
    var overwrites: Bool

    /// Returns the format of the finished take.
    func format(_ path: String) throws(FileError) -> RecordingFormat {
      let asked: CodingQuality? = bitRate.map { .bitRate($0) } ?? quality.map { .quality($0) }
      // Earlier versions wrote a name for lossy codecs that is not an encoding.
      let name = RecordingFormat.names.contains(encoding) ? encoding : nil
      return try RecordingFormat(path: path, named: name, rate: rate.map(Double.init), quality: asked)
    }

    var origin: TakeOrigin { TakeOrigin(description, date: date, timeReference: timeReference) }
  }

  /// The content of a journal.
  struct Contents: Equatable {
    var head: Head
    var gaps: [TakeReport.Gap] = []
    /// The number of frames in the take; nil if it was not written to its end.
    var frames: Int?
  }

  /// The version of journals that are written, and the only version that can be read.
  static let knownVersion = 1

  let path: String
  private let sink: FileSink
  private let head: Head

  /// Returns the path of a take's journal.
  static func path(of take: String) -> String { take + ".journal" }

  /// Returns the path of a take's sound during the recording. It is the take's own path, unless the sound is encoded at
  /// the end or the take replaces an existing file.
  static func soundPath(of take: String, _ format: RecordingFormat, overwrites: Bool) -> String {
    format.survivesCrash ? (overwrites ? take + ".new" : take) : take + ".rf64"
  }

  /// All paths that show that a take's name is in use.
  static func traces(of take: String) -> [String] {
    [path(of: take), GapList.path(of: take)] + sounds(of: take)
  }

  private static func sounds(of take: String) -> [String] { [take] + soundSuffixes.map { take + $0 } }

  /// The suffixes after a take's name of files that hold its sound during the recording.
  static let soundSuffixes = [".new", ".rf64"]

  /// Creates a journal, which reserves the take's name.
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
      throw FileError(.badName, take, "cannot be described in a journal; choose another name")
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

  /// Creates a copy of a journal for a take that continues under another name.
  convenience init(_ other: TakeJournal, for take: String, sound: String, in folder: OpenFolder)
    throws(FileError)
  {
    var head = other.head
    (head.take, head.sound) = (FilePath.name(of: take), FilePath.name(of: sound))
    try self.init(for: take, in: folder, head)
  }

  /// Whether the journal's name still leads to the journal.
  var isInPlace: Bool { sink.file.isInPlace }

  func note(_ gap: TakeReport.Gap) throws(FileError) {
    try write(Data("gap \(gap.frame) \(gap.count)\n".utf8))
  }

  func noteEnd(frames: Int) throws(FileError) { try write(Data("end \(frames)\n".utf8)) }

  /// Removes the journal of a finished take.
  func remove() { sink.file.discard() }

  private func write(_ line: Data) throws(FileError) {
    let written = line.withUnsafeBytes { buffer in
      buffer.baseAddress.map { sink.write($0, buffer.count) } ?? 0
    }
    if written < line.count { throw sink.error ?? FileError(.unwritable, path, "cannot be written") }
  }

  /// Reads a journal that a crash left.
  ///
  /// - Throws: ``FileError`` if the file is not a journal, or names files outside its folder.
  static func read(_ path: String) throws(FileError) -> Contents {
    try parse(contents(of: path), path)
  }

  /// Returns the bytes of a regular file, up to 16 MiB.
  static func contents(of path: String) throws(FileError) -> Data {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .opening(path, errno: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw FileError(.notAudio, path, "is not a take journal")
    }
    // `FileHandle` returns nil for an empty file.
    do { return try handle.read(upToCount: 1 << 24) ?? Data() } catch {
      throw .opening(path, errno: EIO)
    }
  }

  /// The maximum bytes and nesting levels of a journal's first line.
  static let mostBytes = 1 << 16, mostLevels = 1
  /// The valid rates, in frames per second, and channel counts of a take. Other values mean that the journal is
  /// damaged.
  private static let rates = 1...1_536_000, widths = 1...1024

  /// Parses the bytes of the journal at `path`.
  static func parse(_ data: Data, _ path: String) throws(FileError) -> Contents {
    // A line without a newline was not written completely, and its numbers may be cut off.
    let lines = data.split(separator: 10, omittingEmptySubsequences: false).dropLast().filter { !$0.isEmpty }
    guard let first = lines.first,
      let head = try? BoundedJSON.decode(
        Head.self, from: first, byteLimit: mostBytes, depthLimit: mostLevels, hasISODates: true),
      head.version == knownVersion, rates.contains(head.sampleRate), widths.contains(head.channelCount),
      !FilePath.hasSlash(head.take), !FilePath.hasSlash(head.sound),
      TakeJournal.path(of: head.take) == FilePath.name(of: path),
      sounds(of: head.take).contains(head.sound)
    else { throw FileError(.notAudio, path, "is not a take journal") }
    var contents = Contents(head: head)
    for line in lines.dropFirst() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      switch (words.first, numbers.count) {
      case ("gap", 2):
        // The limit keeps the sum of all gaps in a journal within `Int`.
        contents.gaps.append(
          TakeReport.Gap(frame: max(numbers[0], 0), count: min(max(numbers[1], 0), 1 << 36)))
      case ("end", 1): contents.frames = numbers[0] > 0 ? numbers[0] : nil
      default: break
      }
    }
    return contents
  }

  /// Whether a running program holds the file's lock.
  static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return FileLock.isHeld(descriptor)
  }
}
