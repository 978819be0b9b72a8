// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Encodes the formats that libsndfile writes: all but MPEG-4.
final class SndFileEncoder: FrameEncoder {
  private let sink: FileSink
  private let format: RecordingFormat
  private let channelCount: Int
  private var file: OpaquePointer?
  private var quantizer: Quantizer?
  /// The type of integer samples, if they are packed without libsndfile, and a buffer for them.
  private let plain: PlainSamples?
  private var bytes: [UInt8] = []
  private var storedFrames = 0
  private var dirtyFrames = 0
  private let rate: Int

  init(
    sink: FileSink, format: RecordingFormat, rate: Int, channelCount: Int, origin: TakeOrigin?,
    comment: String?, tags: FileTags = FileTags()
  ) throws(FileError) {
    (self.sink, self.format, self.rate, self.channelCount) = (sink, format, rate, channelCount)
    quantizer = format.encoding.bits.map { Quantizer(bits: $0, dithers: format.isDithered) }
    plain = quantizer == nil ? nil : PlainSamples(format: Int(format.soundFileNumber))
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channelCount)
    info.format = format.soundFileNumber
    var callbacks = FileSink.callbacks
    let context = Unmanaged.passUnretained(sink).toOpaque()
    guard let file = sf_open_virtual(&callbacks, Int32(SFM_WRITE), &info, context) else {
      let detail =
        "cannot be written in this format at \(rate) Hz with \(channelCount) channels: "
        + "\(LibraryReason.soundFile(nil)); choose another format"
      throw sink.error ?? FileError(.unsupported, sink.path, detail)
    }
    self.file = file
    describe(file, origin: origin, comment: comment, tags: tags)
  }

  deinit { abandon() }

  private func describe(_ file: OpaquePointer, origin: TakeOrigin?, comment: String?, tags: FileTags) {
    if format.container == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1) }
    // The existing header has reserved space that would be read as sound.
    if format.container == .aiff { sink.empty() }
    // A peak chunk holds the time of writing, so the same sound would give different files. libsndfile ignores this
    // command for RF64, where the time is cleared at the end.
    sf_command(file, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    if format.encoding.isLossy { setCompressionLevel(file) }
    sf_set_string(file, Int32(SF_STR_SOFTWARE), TakeOrigin.originator)
    // Broadcast WAV has its own chunk for the origin.
    let isBroadcast = format.container == .wav || format.container == .rf64
    for (name, text) in tags.filled(from: isBroadcast ? nil : origin, comment).written {
      if let number = FileTags.numbers[name] { sf_set_string(file, Int32(number), text) }
    }
    guard isBroadcast, let origin else { return }
    var info = origin.broadcastInfo(sampleRate: rate)
    sf_command(file, Int32(SFC_SET_BROADCAST_INFO), &info, Int32(MemoryLayout<SF_BROADCAST_INFO>.size))
  }

  /// Sets the compression level of libsndfile: from 0, least compression, to 1. Each codec interprets it in its own
  /// way.
  private func setCompressionLevel(_ file: OpaquePointer) {
    var level = 1 - format.encoding.defaultQuality
    var mode = Int32(SF_BITRATE_MODE_VARIABLE)
    switch format.quality {
    case nil: break
    case .quality(let quality): level = 1 - quality
    case .bitRate(let asked):
      if let range = format.encoding.bitRates(channelCount: channelCount, sampleRate: rate) {
        let above = Double(asked - range.lowerBound), width = Double(range.upperBound - range.lowerBound)
        level = 1 - min(max(above / width, 0), 1)
      }
      // LAME's average bit rate stays far below the requested one if the sound is simple.
      mode = Int32(format.encoding == .mp3 ? SF_BITRATE_MODE_CONSTANT : SF_BITRATE_MODE_AVERAGE)
    }
    sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
    sf_command(file, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
  }

  func write(_ samples: [Float], count: Int) throws(FileError) {
    guard let file else { throw FileError(.unwritable, sink.path, "is closed already") }
    guard count > 0 else { return }
    let size = (storedFrames + count) * channelCount * format.encoding.byteCount
    guard size < format.container.byteLimit else {
      throw FileError(.unwritable, sink.path, "is full: AIFF holds 2 GiB at most; use .wav or .caf")
    }
    let written: Int
    if quantizer != nil {
      quantizer?.round(samples, count * channelCount)
      written = quantizer.map { store($0.whole, count, in: file) } ?? 0
    } else if format.encoding.isPlain {
      written = Int(sf_writef_float(file, samples, sf_count_t(count)))
    } else {
      let safe = samples.prefix(count * channelCount).map { $0.isNaN ? 0 : min(max($0, -1), 1) }
      written = Int(sf_writef_float(file, safe, sf_count_t(count)))
    }
    storedFrames += written
    dirtyFrames += written
    guard written == count, sink.failure == 0 else { throw failure(of: file) }
  }

  /// Writes frames of integers, and returns the number of frames written.
  private func store(_ whole: [Int32], _ count: Int, in file: OpaquePointer) -> Int {
    guard let plain else { return Int(sf_writef_int(file, whole, sf_count_t(count))) }
    let size = plain.byteCount * channelCount
    if bytes.count < count * size { bytes = [UInt8](repeating: 0, count: count * size) }
    bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress { plain.pack(whole, into: base, count: count * channelCount) }
    }
    return Int(sf_write_raw(file, bytes, sf_count_t(count * size))) / size
  }

  private func failure(of file: OpaquePointer) -> FileError {
    sink.error
      ?? FileError(
        .unwritable, sink.path,
        "cannot be written: \(LibraryReason.soundFile(file)); try another format or another disk")
  }

  /// Updates the header at most once for each second of sound.
  func updateHeader() throws(FileError) {
    guard let file, format.survivesCrash, dirtyFrames > rate else { return }
    dirtyFrames = 0
    sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    if sink.failure != 0 { throw failure(of: file) }
  }

  func finish() throws(FileError) {
    abandon()
    if let error = sink.error { throw error }
  }

  func abandon() {
    guard let file else { return }
    sf_close(file)
    self.file = nil
    if format.container == .wav || format.container == .rf64 { WaveFile.clearPeakTime(sink) }
    // libsndfile counts whole blocks.
    if format.encoding == .ima4 { WaveFile.announce(frames: storedFrames, in: sink) }
  }
}

extension RecordingFormat {
  /// libsndfile's number for the container and the encoding.
  var soundFileNumber: Int32 {
    let (kind, isSigned) =
      switch container {
      // Only RF64 reserves space in a WAV header for growing beyond 4 GiB. IMA 4:1 is supported in plain WAV only.
      case .wav: (encoding.isPlain ? SF_FORMAT_RF64 : SF_FORMAT_WAV, false)
      case .rf64: (SF_FORMAT_RF64, false)
      case .w64: (SF_FORMAT_W64, false)
      case .flac: (SF_FORMAT_FLAC, true)
      case .ogg, .opus: (SF_FORMAT_OGG, true)
      case .mp3: (SF_FORMAT_MPEG, true)
      case .aiff: (SF_FORMAT_AIFF, true)
      case .caf, .m4a: (SF_FORMAT_CAF, true)
      }
    let subtype =
      switch encoding {
      case .int8: isSigned ? SF_FORMAT_PCM_S8 : SF_FORMAT_PCM_U8
      case .int16: SF_FORMAT_PCM_16
      case .int24: SF_FORMAT_PCM_24
      case .int32: SF_FORMAT_PCM_32
      case .float32: SF_FORMAT_FLOAT
      case .float64: SF_FORMAT_DOUBLE
      case .alac24: SF_FORMAT_ALAC_24
      case .alac16: SF_FORMAT_ALAC_16
      case .ima4: SF_FORMAT_IMA_ADPCM
      case .vorbis: SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OPUS
      case .mp3, .aac: SF_FORMAT_MPEG_LAYER_III
      }
    return Int32(kind | subtype)
  }
}
