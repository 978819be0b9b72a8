// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletDisk

/// A sound file that is written from beginning to end.
///
/// Whole-number formats are rounded to the nearest step and clip at full scale; 32-float keeps everything.
/// The sound is brought to the rate that the format asks for, or that its codec knows. One thread at a time
/// uses a writer; ``close()`` it to be told of errors, or let it go.
package final class AudioFileWriter {
  /// Where the file is.
  package let path: String
  /// Container and encoding.
  package let format: RecordingFormat
  /// Frames a second, of what is written here; the file's own rate may differ for some codecs.
  package var sampleRate: Double { Double(wholeRate) }
  /// As ``sampleRate``: files have whole rates.
  package let wholeRate: Int
  /// Channels of each frame.
  package let channelCount: Int
  /// The tags that the file was given.
  package let tags: FileTags
  /// How many frames have been written.
  package private(set) var frameCount = 0

  /// Where the file is now: under its temporary name until it is published.
  package var currentPath: String { sink.currentPath }

  let sink: FileSink
  private var encoder: (any FrameEncoder)?
  /// Whether the file is finished and does not have its name yet.
  private var isWaiting = false
  private var resampler: Resampler?
  private var mixed: [Float] = []
  /// The folders that were made for the file.
  private var madeFolders: [String] = []
  private static let batch = 16384

  /// Makes a file, and with it the folders that lead to it.
  ///
  /// - Parameters:
  ///   - path: where it will be; its extension must fit the format's container or name none.
  ///   - format: container and encoding.
  ///   - sampleRate: frames a second, a whole number from 1000 to 1536000.
  ///   - channelCount: 1 to the container's limit.
  ///   - tags: what the file tells of its content, as far as it holds such.
  ///   - overwrites: whether a regular file that is there is replaced, when this one is whole; otherwise that is an error.
  /// - Throws: ``FileError``.
  package convenience init(
    _ path: String, format: RecordingFormat, sampleRate: Double, channelCount: Int,
    tags: FileTags = FileTags(), overwrites: Bool = false
  ) throws(FileError) {
    guard let rate = Int(exactly: sampleRate) else { throw .unwritableRate(path, sampleRate) }
    try self.init(
      path, overwrites ? .whole(overwrites: true) : .named, format: format, sampleRate: rate,
      channelCount: channelCount, tags: tags)
  }

  /// As the shorter one, in a folder that may be open already.
  ///
  /// - Parameters:
  ///   - way: how the file comes to its name.
  ///   - origin: what the file tells of its making; nil for nothing.
  ///   - comment: a note for the file's tags, where the format has such.
  ///   - tags: what the file tells of its content, as far as it holds such: ``FileTags/losses(in:movie:)``. They
  ///     go before what `origin` and `comment` say.
  ///   - picture: what is put beside the sound, into a movie: `format` is then one of
  ///     ``MovieContainer/sound``, and the extension that of the movie; nil for sound alone.
  ///   - isUnwanted: whether nobody wants a movie any more, which makes its writing fail with an error of kind
  ///     `cancelled`; asked ten times a second, on the thread that writes, while that has to wait.
  package convenience init(
    _ path: String, in folder: OpenFolder? = nil, _ way: NewFile.Way, format: RecordingFormat,
    sampleRate: Int,
    channelCount: Int, origin: TakeOrigin? = nil, comment: String? = nil, tags: FileTags = FileTags(),
    picture: PicturePlan? = nil, unless isUnwanted: (() -> Bool)? = nil
  ) throws(FileError) {
    try AudioFileWriter.check(path, format: format, sampleRate: sampleRate, channelCount: channelCount)
    try tags.check(path)
    let home: OpenFolder
    if let folder { home = folder } else { home = try AudioFileWriter.makeFolder(of: path) }
    do throws(FileError) {
      // ffmpeg opens the file itself, by its path.
      let sink = try FileSink(path, in: home, format.needsFFmpeg || picture != nil ? way.byProgram : way)
      do throws(FileError) {
        try self.init(
          sink: sink, format: format, sampleRate: sampleRate, channelCount: channelCount, origin: origin,
          comment: comment, tags: tags, picture: picture, unless: isUnwanted)
      } catch {
        sink.file.discard()
        throw error
      }
    } catch {
      for folder in home.made { rmdir(folder) }
      throw error
    }
    madeFolders = home.made
  }

  init(
    sink: FileSink, format: RecordingFormat, sampleRate: Int, channelCount: Int, origin: TakeOrigin? = nil,
    comment: String? = nil, tags: FileTags = FileTags(), picture: PicturePlan? = nil,
    unless isUnwanted: (() -> Bool)? = nil
  ) throws(FileError) {
    (self.sink, path, self.format, self.tags) = (sink, sink.path, format, tags)
    (wholeRate, self.channelCount) = (sampleRate, channelCount)
    let rate = format.writtenRate(for: sampleRate)
    if let picture {
      encoder = try FFmpegEncoder(
        sink: sink, format: format, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags, picture: picture, unless: isUnwanted)
    } else {
      encoder = try format.makeEncoder(sink, rate: rate, channelCount: channelCount, origin, comment, tags)
    }
    guard rate != sampleRate else { return }
    resampler = Resampler(channelCount: channelCount, from: sampleRate, to: rate, quality: .best)
    if resampler == nil {
      throw FileError(.unsupported, path, "cannot be converted from \(sampleRate) to \(rate) Hz")
    }
  }

  deinit { encoder?.abandon() }

  /// Has the file removed if the program ends by a crash before the file is finished.
  package func removeOnCrash() { sink.file.removeOnCrash() }

  /// Refuses what cannot work before a file is made.
  static func check(
    _ path: String, format: RecordingFormat, sampleRate: Int, channelCount: Int
  ) throws(FileError) {
    guard AudioFileReader.rates.contains(sampleRate) else { throw .unwritableRate(path, Double(sampleRate)) }
    try format.check(path)
    try format.check(channelCount: channelCount, soundRate: sampleRate, path: path)
    if format.needsFFmpeg { try FFmpeg.find("ffmpeg", for: path) }
  }

  /// Writes frames, one array a channel and all of one length.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails otherwise.
  package func write(_ channels: [[Float]]) throws(FileError) {
    let count = channels.first?.count ?? 0
    guard channels.count == channelCount, channels.allSatisfy({ $0.count == count }) else {
      throw FileError(.unsupported, path, "wants \(channelCount) channels of one length")
    }
    try write(count) { place, run, mixed in
      for (channel, samples) in channels.enumerated() {
        for frame in 0..<run { mixed[frame * channelCount + channel] = samples[place + frame] }
      }
    }
  }

  /// Writes `count` frames from one pointer a channel.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  package func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) {
    let sound = Channels(channels, count: channelCount)
    try write(count) { place, run, mixed in sound.from(place).interleave(run, to: mixed) }
  }

  /// Writes `count` frames of silence.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  package func writeSilence(_ count: Int) throws(FileError) {
    try write(count) { _, run, mixed in mixed.update(repeating: 0, count: run * channelCount) }
  }

  /// Writes `count` frames that `fill` lays channel beside channel: it is given the first frame that is wanted, how
  /// many are, and where they go.
  func write(_ count: Int, _ fill: (Int, Int, UnsafeMutablePointer<Float>) -> Void) throws(FileError) {
    var place = 0
    while place < count {
      let run = min(count - place, AudioFileWriter.batch)
      if mixed.count < run * channelCount { mixed = [Float](repeating: 0, count: run * channelCount) }
      mixed.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { fill(place, run, base) }
      }
      try convert(run)
      place += run
    }
  }

  /// Stores the first `count` frames that lie ready, at the file's rate.
  private func convert(_ count: Int) throws(FileError) {
    let samples = mixed
    if let resampler {
      try store(converted(by: resampler, samples, count, isLast: false))
    } else {
      try store(samples, count)
    }
    frameCount += count
  }

  private func converted(
    by resampler: Resampler, _ samples: [Float], _ count: Int, isLast: Bool
  ) throws(FileError) -> [Float] {
    guard let result = resampler.push(samples, count: count, isLast: isLast) else {
      throw FileError(.unwritable, path, "cannot be written: its sound cannot be brought to another rate")
    }
    return result
  }

  private func store(_ samples: [Float]) throws(FileError) {
    try store(samples, samples.count / channelCount)
  }

  private func store(_ samples: [Float], _ count: Int) throws(FileError) {
    guard let encoder else { throw FileError(.unwritable, path, "is closed already") }
    if count > 0 { try encoder.write(samples, count: count) }
  }

  /// Brings the header up to date, if more than a second has been written since, so that a crash leaves a
  /// file that can be read. Does nothing for formats that cannot stand it.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails otherwise.
  package func updateHeader() throws(FileError) { try encoder?.updateHeader() }

  /// Finishes the file. Afterwards nothing more can be written.
  ///
  /// - Throws: ``FileError`` where its end cannot be written, or its name was taken meanwhile; what was
  ///   written before stays.
  package func close() throws(FileError) {
    try finish()
    try publish()
  }

  /// Writes the end of the file, which keeps the name that it has until it is whole. Where several files are to
  /// appear together, all are finished before the first is published.
  ///
  /// - Throws: ``FileError`` where its end cannot be written.
  package func finish() throws(FileError) {
    guard let encoder else { return }
    defer { self.encoder = nil }
    if let resampler {
      try store(converted(by: resampler, [], 0, isLast: true))
    }
    try encoder.finish()
    isWaiting = sink.file.isTemporary
  }

  /// Gives a finished file its name. Twice is fine.
  ///
  /// - Throws: ``FileError`` where that was taken meanwhile.
  package func publish() throws(FileError) {
    guard isWaiting else { return }
    do throws(DiskError) { try sink.file.publish() } catch { throw .making(path, error) }
    isWaiting = false
  }

  /// Gives up, and removes the file, also one that is whole already; but for one that took another's place, which
  /// cannot be brought back.
  package func discard() {
    encoder?.abandon()
    encoder = nil
    sink.file.discard()
    isWaiting = false
    // Others' files in them keep them.
    for folder in madeFolders { rmdir(folder) }
  }

  /// Removes the folders that were made for files which have been discarded, as far as they are empty: those inside
  /// before those around them, since one file's folder may have been made for another.
  package static func removeFolders(of writers: [AudioFileWriter]) {
    for folder in writers.flatMap(\.madeFolders).sorted(by: { $0.utf8.count > $1.utf8.count }) {
      rmdir(folder)
    }
  }
}

extension FileError {
  fileprivate static func unwritableRate(_ path: String, _ rate: Double) -> FileError {
    FileError(
      .unsupported, path,
      "cannot be written at \(RecordingFormat.text(rate)) Hz; whole rates from 1000 to 1536000 Hz are supported"
    )
  }
}

extension RecordingFormat {
  fileprivate func makeEncoder(
    _ sink: FileSink, rate: Int, channelCount: Int, _ origin: TakeOrigin?, _ comment: String?,
    _ tags: FileTags
  ) throws(FileError) -> any FrameEncoder {
    if needsFFmpeg {
      try FFmpegEncoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    } else if encoding == .ima4 && container != .wav {
      try IMA4Encoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    } else {
      try SndFileEncoder(
        sink: sink, format: self, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
        tags: tags)
    }
  }
}
