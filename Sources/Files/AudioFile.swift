// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A sound file that is open for reading or writing, buffer by buffer.
///
/// ```swift
/// let song = try AudioFile(reading: "song.flac")
/// let copy = try AudioFile(writing: "copy.wav", format: song.format)
/// while case let buffer = try song.read(65_536), buffer.frameCount > 0 { try copy.write(buffer) }
/// try copy.close()
/// ```
///
/// Reads all formats that libsndfile reads, and MPEG-4, AAC, Matroska and others if the program `ffmpeg` is installed.
/// Samples are converted through 32-bit floats, so 32-bit integers and 64-bit floats keep 25 bits. Use a file from one
/// thread at a time, and not from the audio thread.
public final class AudioFile {
  /// The format of the buffers that are read. For a file that is open for writing: the rate and the channel count that
  /// written buffers must have.
  public let format: AudioFormat

  private enum State {
    case reading(AudioFileReader)
    case writing(AudioFileWriter)
    case closed(AudioFileInfo, length: Int, position: Int)
  }
  private var state: State

  /// Opens a file to read it from its first frame.
  ///
  /// - Throws: ``FileError``: the location is not in the file system, the file is missing, empty, truncated, not audio,
  ///   unreadable, a directory or unsupported, or its format needs a program that is not installed.
  public init(reading location: some FileLocation) throws(FileError) {
    let reader = try AudioFileReader(try location.filePath)
    format = AudioFormat(unchecked: reader.info.sampleRate, reader.info.channelCount)
    state = .reading(reader)
  }

  /// Creates a file, and the folders that lead to it. Call ``close()`` to complete it and to get its errors.
  ///
  /// - Parameters:
  ///   - location: the path of the file. Its extension selects the container.
  ///   - format: the rate and the channels of the buffers. The rate must be a whole number.
  ///   - storage: container and encoding. The default is the container of the extension with the encoding of the
  ///     format's sample type; if the type is a 32-bit float, or the container lacks that encoding, the container's
  ///     best encoding. The default dithers encodings of 8 to 24 bits.
  ///   - tags: the file's tags. Tags that the container does not support are left out. The default is none.
  ///   - overwrites: whether an existing regular file is replaced once this one is complete. The default is false: an
  ///     existing file is an error.
  /// - Throws: ``FileError``: the location is not in the file system, the extension names no container, the rate or the
  ///   channel count does not fit, the file exists, or it cannot be created.
  public init(
    writing location: some FileLocation, format: AudioFormat, as storage: RecordingFormat? = nil,
    tags: FileTags = FileTags(), overwrites: Bool = false
  ) throws(FileError) {
    let path = try location.filePath
    guard format.sampleRate == format.sampleRate.rounded() else {
      throw FileError(
        .unsupported, path, "cannot be written at \(format.sampleRate) Hz; use a rate that is a whole number")
    }
    self.format = format
    let stored: RecordingFormat
    if let storage { stored = storage } else { stored = try RecordingFormat(path, for: format.sampleType) }
    state = .writing(
      try AudioFileWriter(
        path, format: stored, sampleRate: format.sampleRate, channelCount: format.channelCount,
        tags: tags,
        overwrites: overwrites))
  }

  /// The file's container, encoding, length and tags. While a file is being written, the length is that of the frames
  /// written so far.
  public var info: AudioFileInfo {
    switch state {
    case .reading(let reader): reader.info
    case .writing(let writer): writer.info
    case .closed(let info, _, _): info
    }
  }

  /// The number of frames in the file, at the rate of ``format``. For a file that is open for writing: the number of
  /// frames written so far.
  public var length: Int {
    switch state {
    case .reading(let reader): reader.info.frameCount
    case .writing(let writer): writer.frameCount
    case .closed(_, let length, _): length
    }
  }

  /// The index of the frame that is read or written next, from 0.
  public var position: Int {
    switch state {
    case .reading(let reader): reader.position
    case .writing(let writer): writer.frameCount
    case .closed(_, _, let position): position
    }
  }

  /// Reads the next frames.
  ///
  /// - Parameter count: the number of frames, 0 or more.
  /// - Returns: `count` frames; fewer at the end of the file, and none after it.
  /// - Throws: ``FileError``: the file is open for writing or closed, it ends before its announced length, cannot be
  ///   read or has changed since it was opened, or there is not enough memory for so many frames.
  public func read(_ count: Int) throws(FileError) -> AudioBuffer {
    guard case .reading(let reader) = state else { throw refusal("cannot be read") }
    let frames = max(0, min(count, reader.info.frameCount - reader.position))
    let (size, isTooLarge) = frames.multipliedReportingOverflow(by: format.bytesPerFrame)
    // The factor 2 allows for the decoded channels that exist beside the buffer.
    guard !isTooLarge, size < Int.max / 2, MemoryBudget.grants(2 * size) else {
      throw FileError(
        .unsupported, info.path,
        "cannot be read at once: \(frames) frames do not fit into memory; read fewer at once")
    }
    return AudioBuffer(checked: try reader.read(frames), format.sampleRate)
  }

  /// Writes all frames of a buffer, which may have any sample type.
  ///
  /// - Throws: ``FileError``: the buffer has another rate or channel count than ``format``, in which case nothing is
  ///   written; the file is open for reading or closed; the disk is full, or writing fails for another reason.
  public func write(_ buffer: AudioBuffer) throws(FileError) {
    guard case .writing(let writer) = state else { throw refusal("cannot be written") }
    let own = (format.sampleRate, format.channelCount)
    guard (buffer.format.sampleRate, buffer.channelCount) == own else {
      throw FileError(
        .unsupported, writer.path,
        "cannot take the buffer: its format is \(buffer.format) instead of \(format); convert it with an AudioConverter"
      )
    }
    try writer.write(buffer.channels)
  }

  /// Seeks to a frame of a file that is open for reading. Frames outside the file are clamped to its range.
  ///
  /// - Throws: ``FileError``: the file is open for writing or closed, or does not support seeking.
  public func seek(to frame: Int) throws(FileError) {
    guard case .reading(let reader) = state else { throw refusal("cannot be sought in") }
    try reader.seek(to: frame)
  }

  /// Closes the file. A file that is open for writing is completed and, if it replaces another, gets its name. Closing
  /// a closed file does nothing.
  ///
  /// - Throws: ``FileError``: the end of the file cannot be written, or another file took its name in the meantime.
  public func close() throws(FileError) {
    let writer: AudioFileWriter? = if case .writing(let writer) = state { writer } else { nil }
    state = .closed(info, length: length, position: position)
    try writer?.close()
  }

  /// Closes the file. A file that is open for writing is removed; a file that it was to replace stays.
  public func discard() {
    let writer: AudioFileWriter? = if case .writing(let writer) = state { writer } else { nil }
    state = .closed(info, length: length, position: position)
    writer?.discard()
  }

  private func refusal(_ what: String) -> FileError {
    let reason =
      switch state {
      case .reading: "it was opened to be read; open it with AudioFile(writing:format:)"
      case .writing: "it was opened to be written; close it and open it with AudioFile(reading:)"
      case .closed: "it is closed; open it again"
      }
    return FileError(.unsupported, info.path, "\(what): \(reason)")
  }
}

extension AudioFileWriter {
  /// The properties of the file as written so far.
  fileprivate var info: AudioFileInfo {
    let rate = Double(format.writtenRate(for: wholeRate))
    return AudioFileInfo(
      path: path, container: format.container.rawValue, encoding: format.encoding.rawValue, sampleRate: rate,
      channelCount: channelCount, frameCount: Int((Double(frameCount) * rate / sampleRate).rounded()),
      tags: tags)
  }
}

extension RecordingFormat {
  /// The container of a path with the encoding of a sample type, if the container has that encoding; otherwise the
  /// container's best. Dithered.
  fileprivate init(_ path: String, for type: AudioFormat.SampleType) throws(FileError) {
    let encoding: SampleEncoding? =
      switch type {
      case .float32: nil
      case .float64: .float64
      case .int16: .int16
      case .int24: .int24
      case .int32: .int32
      }
    self = RecordingFormat(container: try RecordingFormat(path: path).container, encoding: encoding)
    isDithered = true
  }
}
