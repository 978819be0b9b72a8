// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletDisk

/// Writes a sound file from beginning to end.
///
/// Integer encodings are rounded to the nearest step and clip at full scale; 32-bit float keeps everything. The sound
/// is resampled to the rate that the format requests or its codec supports. Use a writer from one thread at a time.
/// ``close()`` reports errors at the end of the file; releasing the writer does not.
package final class AudioFileWriter {
  /// The path of the file.
  package let path: String
  /// Container and encoding.
  package let format: RecordingFormat
  /// The rate of the frames that are written here, in frames per second. The file's own rate may differ for some
  /// codecs.
  package var sampleRate: Double { Double(wholeRate) }
  /// ``sampleRate`` as an integer; files have whole rates.
  package let wholeRate: Int
  /// The number of channels.
  package let channelCount: Int
  /// The tags of the file.
  package let tags: FileTags
  /// The number of frames written.
  package private(set) var frameCount = 0

  /// The current path of the file: a temporary name until it is published.
  package var currentPath: String { sink.currentPath }

  let sink: FileSink
  private var encoder: (any FrameEncoder)?
  /// Whether the file is complete but does not have its final name yet.
  private var isWaiting = false
  private var resampler: Resampler?
  private var mixed: [Float] = []
  /// The folders that were created for the file.
  private var madeFolders: [String] = []
  private static let batch = 16384

  /// Creates a file, and missing folders on the way.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Its extension must match the format's container or be unknown.
  ///   - format: container and encoding.
  ///   - sampleRate: frames per second, a whole number from 1000 to 1536000.
  ///   - channelCount: the number of channels, from 1 to the container's limit.
  ///   - tags: the tags of the file, as far as the format supports them; the default is none.
  ///   - overwrites: whether an existing regular file is replaced once this one is complete. The default is false: an
  ///     existing file is an error.
  /// - Throws: ``FileError`` if the file cannot be created or the format does not support the rate or channels.
  package convenience init(
    _ path: String, format: RecordingFormat, sampleRate: Double, channelCount: Int,
    tags: FileTags = FileTags(), overwrites: Bool = false
  ) throws(FileError) {
    guard let rate = Int(exactly: sampleRate) else { throw .unwritableRate(path, sampleRate) }
    try self.init(
      path, overwrites ? .whole(overwrites: true) : .named, format: format, sampleRate: rate,
      channelCount: channelCount, tags: tags)
  }

  /// Creates a file in a folder that may be open already.
  ///
  /// - Parameters:
  ///   - naming: how the file gets its name.
  ///   - origin: the origin that the file stores; nil, the default, for none.
  ///   - comment: a comment for the file's tags, if the format supports one.
  ///   - tags: the tags of the file, as far as the format supports them: ``FileTags/losses(in:movie:)``. They take
  ///     precedence over `origin` and `comment`.
  ///   - picture: the picture of a movie; nil, the default, for sound alone. For a movie, `format` has the container
  ///     ``MovieContainer/sound``, and the extension is that of the movie.
  ///   - isUnwanted: returns true once the movie is not needed any more; writing then fails with an error of kind
  ///     `cancelled`. Called ten times a second on the writing thread while it waits.
  package convenience init(
    _ path: String, in folder: OpenFolder? = nil, _ naming: NewFile.Naming, format: RecordingFormat,
    sampleRate: Int,
    channelCount: Int, origin: TakeOrigin? = nil, comment: String? = nil, tags: FileTags = FileTags(),
    picture: PicturePlan? = nil, unless isUnwanted: (() -> Bool)? = nil
  ) throws(FileError) {
    try AudioFileWriter.check(path, format: format, sampleRate: sampleRate, channelCount: channelCount)
    try tags.check(path)
    let home: OpenFolder
    if let folder { home = folder } else { home = try AudioFileWriter.makeFolder(of: path) }
    do throws(FileError) {
      // ffmpeg opens the file by its path.
      let sink = try FileSink(
        path, in: home, format.needsFFmpeg || picture != nil ? naming.byProgram : naming)
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

  /// Removes the file if the program ends by a crash before the file is complete.
  package func removeOnCrash() { sink.file.removeOnCrash() }

  /// Throws if the file cannot be written, before it is created.
  static func check(
    _ path: String, format: RecordingFormat, sampleRate: Int, channelCount: Int
  ) throws(FileError) {
    guard AudioFileReader.rates.contains(sampleRate) else { throw .unwritableRate(path, Double(sampleRate)) }
    try format.check(path)
    try format.check(channelCount: channelCount, soundRate: sampleRate, path: path)
    if format.needsFFmpeg { try FFmpeg.find("ffmpeg", for: path) }
  }

  /// Writes frames: one array per channel, all of the same length.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails for another reason.
  package func write(_ channels: [[Float]]) throws(FileError) {
    let count = channels.first?.count ?? 0
    guard channels.count == channelCount, channels.allSatisfy({ $0.count == count }) else {
      throw FileError(.unsupported, path, "requires \(channelCount) channels of equal length")
    }
    try write(count) { first, run, mixed in
      for (channel, samples) in channels.enumerated() {
        for frame in 0..<run { mixed[frame * channelCount + channel] = samples[first + frame] }
      }
    }
  }

  /// Writes `count` frames from one pointer per channel.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  package func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) {
    let sound = Channels(channels, count: channelCount)
    try write(count) { first, run, mixed in sound.from(first).interleave(run, to: mixed) }
  }

  /// Writes `count` frames of silence.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  package func writeSilence(_ count: Int) throws(FileError) {
    try write(count) { _, run, mixed in mixed.update(repeating: 0, count: run * channelCount) }
  }

  /// Writes `count` frames that `fill` provides interleaved. Its arguments are the index of the first frame, the number
  /// of frames and the destination.
  func write(_ count: Int, _ fill: (Int, Int, UnsafeMutablePointer<Float>) -> Void) throws(FileError) {
    var first = 0
    while first < count {
      let run = min(count - first, AudioFileWriter.batch)
      if mixed.count < run * channelCount { mixed = [Float](repeating: 0, count: run * channelCount) }
      mixed.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { fill(first, run, base) }
      }
      try convert(run)
      first += run
    }
  }

  /// Writes the first `count` staged frames at the file's rate.
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
      throw FileError(.unwritable, path, "cannot be written: its sound cannot be resampled")
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

  /// Updates the header if more than a second has been written since the last update, so that the file stays readable
  /// after a crash. Does nothing for formats that do not support it.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails for another reason.
  package func updateHeader() throws(FileError) { try encoder?.updateHeader() }

  /// Completes the file. No frames can be written afterwards.
  ///
  /// - Throws: ``FileError`` if the end cannot be written, or another file took the name in the meantime. Frames that
  ///   were written before are kept.
  package func close() throws(FileError) {
    try finish()
    try publish()
  }

  /// Writes the end of the file without giving it its final name. If several files are to appear together, finish all
  /// of them before publishing the first.
  ///
  /// - Throws: ``FileError`` if the end cannot be written.
  package func finish() throws(FileError) {
    guard let encoder else { return }
    defer { self.encoder = nil }
    if let resampler {
      try store(converted(by: resampler, [], 0, isLast: true))
    }
    try encoder.finish()
    isWaiting = sink.file.isTemporary
  }

  /// Gives a complete file its final name. May be called twice.
  ///
  /// - Throws: ``FileError`` if another file took the name in the meantime.
  package func publish() throws(FileError) {
    guard isWaiting else { return }
    do throws(DiskError) { try sink.file.publish() } catch { throw .making(path, error) }
    isWaiting = false
  }

  /// Stops writing and removes the file, even if it is complete. A file that it has already replaced cannot be
  /// restored.
  package func discard() {
    encoder?.abandon()
    encoder = nil
    sink.file.discard()
    isWaiting = false
    // Folders that contain other files are kept.
    for folder in madeFolders { rmdir(folder) }
  }

  /// Removes the empty folders that were created for discarded files, inner folders first, since one file's folder may
  /// have been created for another.
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
