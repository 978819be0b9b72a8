// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// A sound file that is written from beginning to end.
///
/// Whole-number formats are rounded to the nearest step and clip at full scale; 32-float keeps everything. A
/// rate that the codec does not know is converted. One thread at a time uses a writer; ``close()`` it to be
/// told of errors, or let it go.
public final class AudioFileWriter {
  /// Where the file is.
  public let path: String
  /// Container and encoding.
  public let format: RecordingFormat
  /// Frames a second, of what is written here; the file's own rate may differ for some codecs.
  public let sampleRate: Int
  /// Channels of each frame.
  public let channelCount: Int
  /// How many frames have been written.
  public private(set) var frameCount = 0

  let sink: FileSink
  private var file: OpaquePointer?
  private var resampler: Resampler?
  private var mixed: [Float] = []
  private var whole: [Int32] = []
  private var storedFrames = 0
  private var dirtyFrames = 0
  private static let batch = 16384

  /// Makes a file, and with it the folders that lead to it.
  ///
  /// - Parameters:
  ///   - path: where it will be; its extension must fit the format's container or name none.
  ///   - format: container and encoding.
  ///   - sampleRate: frames a second, 1000 to 1536000.
  ///   - channelCount: 1 to the container's limit.
  ///   - origin: what the file tells of its making; nil for nothing.
  ///   - comment: a note for the file's tags, where the format has such.
  ///   - overwrites: whether a file that is there is replaced; else that is an error.
  /// - Throws: ``FileError``.
  public convenience init(
    _ path: String, format: RecordingFormat, sampleRate: Int, channelCount: Int, origin: TakeOrigin? = nil,
    comment: String? = nil, overwrites: Bool = false
  ) throws(FileError) {
    try AudioFileWriter.check(path, format: format, sampleRate: sampleRate, channelCount: channelCount)
    try AudioFileWriter.makeFolder(of: path)
    let sink = try FileSink(path: path, overwrites: overwrites)
    do {
      try self.init(
        sink: sink, format: format, sampleRate: sampleRate, channelCount: channelCount, origin: origin,
        comment: comment)
    } catch {
      unlink(path)
      throw error
    }
  }

  init(
    sink: FileSink, format: RecordingFormat, sampleRate: Int, channelCount: Int, origin: TakeOrigin? = nil,
    comment: String? = nil
  ) throws(FileError) {
    (self.sink, path, self.format) = (sink, sink.path, format)
    (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
    let rate = format.container.writtenRate(for: sampleRate)
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channelCount)
    info.format = format.container.format(format.encoding)
    var callbacks = FileSink.callbacks
    let context = Unmanaged.passUnretained(sink).toOpaque()
    guard let file = sf_open_virtual(&callbacks, Int32(SFM_WRITE), &info, context) else {
      let reason = String(cString: sf_strerror(nil))
      throw sink.error ?? FileError(.unsupported, path, "cannot be written in this format: \(reason)")
    }
    self.file = file
    if rate != sampleRate {
      let resampler = Resampler(channelCount: channelCount, from: sampleRate, to: rate, quality: .best)
      guard let resampler else {
        throw FileError(.unsupported, path, "cannot be converted from \(sampleRate) to \(rate) Hz")
      }
      self.resampler = resampler
    }
    describe(file, rate: rate, origin: origin, comment: comment)
  }

  deinit { finish() }

  /// Refuses what cannot work before a file is made.
  static func check(
    _ path: String, format: RecordingFormat, sampleRate: Int, channelCount: Int
  ) throws(FileError) {
    try format.check(channelCount: channelCount, path: path)
    guard AudioFileReader.rates.contains(sampleRate) else {
      throw FileError(
        .unsupported, path, "cannot be written at \(sampleRate) Hz; 1000 to 1536000 Hz are supported")
    }
  }

  /// Makes the folders that lead to a file.
  static func makeFolder(of path: String) throws(FileError) {
    let folder = SwiftletFiles.folder(of: path)
    guard !folder.isEmpty else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw FileError(.unwritable, path, "cannot be made: its folder '\(folder)' cannot be made")
    }
  }

  private func describe(_ file: OpaquePointer, rate: Int, origin: TakeOrigin?, comment: String?) {
    if format.container == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1) }
    // A peak chunk carries the hour of its writing: the same sound would give another file each time. RF64
    // does not listen; there the hour is wiped out in the end.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    if var level = format.container.compressionLevel {
      var mode = Int32(SF_BITRATE_MODE_VARIABLE)
      sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
      sf_command(file, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
    }
    sf_set_string(file, Int32(SF_STR_SOFTWARE), TakeOrigin.originator)
    if let comment { sf_set_string(file, Int32(SF_STR_COMMENT), comment) }
    guard let origin else { return }
    if format.container == .wav || format.container == .rf64 {
      var info = origin.broadcastInfo(sampleRate: rate)
      sf_command(file, Int32(SFC_SET_BROADCAST_INFO), &info, Int32(MemoryLayout<SF_BROADCAST_INFO>.size))
    } else {
      sf_set_string(file, Int32(SF_STR_TITLE), origin.description)
      sf_set_string(file, Int32(SF_STR_DATE), TakeOrigin.texts(of: origin.date).date)
    }
  }

  /// Writes frames, one array a channel and all of one length.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails otherwise.
  public func write(_ channels: [[Float]]) throws(FileError) {
    let count = channels.first?.count ?? 0
    guard channels.count == channelCount, channels.allSatisfy({ $0.count == count }) else {
      throw FileError(.unsupported, path, "wants \(channelCount) channels of one length")
    }
    try write(count) { channel, place, target, stride, run in
      for frame in 0..<run { target[frame * stride] = channels[channel][place + frame] }
    }
  }

  /// Writes `count` frames from one pointer a channel.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  public func write(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) {
    try write(count) { channel, place, target, stride, run in
      for frame in 0..<run { target[frame * stride] = channels[channel][place + frame] }
    }
  }

  /// Writes `count` frames of silence.
  ///
  /// - Throws: ``FileError``, as ``write(_:)``.
  public func writeSilence(_ count: Int) throws(FileError) {
    try write(count) { _, _, target, stride, run in
      for frame in 0..<run { target[frame * stride] = 0 }
    }
  }

  /// Writes `count` frames that `fill` lays channel beside channel: it is given a channel, the first frame
  /// that is wanted, where that goes, how far apart frames are, and how many are wanted.
  func write(
    _ count: Int, _ fill: (Int, Int, UnsafeMutablePointer<Float>, Int, Int) -> Void
  ) throws(FileError) {
    var place = 0
    while place < count {
      let run = min(count - place, AudioFileWriter.batch)
      if mixed.count < run * channelCount { mixed = [Float](repeating: 0, count: run * channelCount) }
      mixed.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        for channel in 0..<channelCount { fill(channel, place, base + channel, channelCount, run) }
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
    guard let file else { throw FileError(.unwritable, path, "is closed already") }
    guard count > 0 else { return }
    let size = (storedFrames + count) * channelCount * format.encoding.byteCount
    guard size < format.container.byteLimit else {
      throw FileError(.unwritable, path, "is full: AIFF holds 2 GiB at most; use .wav or .caf")
    }
    let written: Int
    switch format.encoding {
    case .float32: written = Int(sf_writef_float(file, samples, sf_count_t(count)))
    case .lossy:
      let safe = samples.prefix(count * channelCount).map { $0.isNaN ? 0 : min(max($0, -1), 1) }
      written = Int(sf_writef_float(file, safe, sf_count_t(count)))
    case .int16, .int24:
      quantize(samples, count * channelCount)
      written = Int(sf_writef_int(file, whole, sf_count_t(count)))
    }
    storedFrames += written
    dirtyFrames += written
    guard written == count, sink.failure == 0 else { throw failure(of: file) }
  }

  /// Rounds to the nearest step of the encoding, and lays the bits at the top of
  /// 32, where libsndfile wants them.
  private func quantize(_ samples: [Float], _ count: Int) {
    if whole.count < count { whole = [Int32](repeating: 0, count: count) }
    let bits: Int32 = format.encoding == .int16 ? 16 : 24
    let scale = Float(1 << (bits - 1))
    for index in 0..<count {
      let steps = (samples[index] * scale).rounded()
      let value = steps.isNaN ? 0 : Int32(min(max(steps, -scale), scale - 1))
      whole[index] = value << (32 - bits)
    }
  }

  private func failure(of file: OpaquePointer) -> FileError {
    sink.error ?? FileError(.unwritable, path, "cannot be written: \(String(cString: sf_strerror(file)))")
  }

  /// Brings the header up to date, if more than a second has been written since, so that a crash leaves a
  /// file that can be read. Does nothing for formats that cannot stand it.
  ///
  /// - Throws: ``FileError``: the disk is full, or writing fails otherwise.
  public func updateHeader() throws(FileError) {
    guard let file, format.container.survivesCrash, dirtyFrames > sampleRate else { return }
    dirtyFrames = 0
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    if sink.failure != 0 { throw failure(of: file) }
  }

  /// Finishes the file. Afterwards nothing more can be written.
  ///
  /// - Throws: ``FileError`` where its end cannot be written; what was written before stays.
  public func close() throws(FileError) {
    guard file != nil else { return }
    defer { finish() }
    if let resampler {
      try store(converted(by: resampler, [], 0, isLast: true))
    }
    finish()
    if let error = sink.error { throw error }
  }

  /// Gives up, and removes the file.
  public func discard() {
    finish()
    unlink(path)
  }

  private func finish() {
    guard let file else { return }
    sf_close(file)
    self.file = nil
    if format.container == .wav || format.container == .rf64 { WaveFile.clearPeakTime(sink) }
  }
}
