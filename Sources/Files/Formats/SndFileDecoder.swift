// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Reads what libsndfile reads. It opens each file and says what it is; plain samples are taken without it.
final class SndFileDecoder: FrameDecoder {
  /// Why it does not read a file.
  struct Refusal: Error {
    var error: FileError
    /// Whether the file may be a whole one, of an encoding that libsndfile does not know.
    var isUnknownEncoding = false
    /// What the file is, where its first bytes do not tell.
    var kind: SoundSignature?
  }

  private(set) var info: AudioFileInfo
  private let file: OpaquePointer
  let beginsAnywhere: Bool
  private let isVorbis: Bool
  /// How samples lie in the file, where they can be taken as they are.
  private let plain: PlainSamples?
  private var bytes: [UInt8] = []
  /// Which of those were taken from the file, and not from here yet.
  private var held = 0..<0
  private(set) var hasTaken = true
  private var deinterleaver = Deinterleaver()
  /// Where the last page of Vorbis begins.
  private lazy var lastPageStart = OggTail(info.path)?.lastPageStart ?? 0

  /// Encodings of samples that rest on none before them, or on few.
  private static let exact = [
    SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
    SF_FORMAT_DOUBLE,
  ]
  /// Of Apple Lossless of so many bits libsndfile 1.2.0 reads the second channel wrong where the sound could not be
  /// made smaller.
  private static let misread = [SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24, SF_FORMAT_ALAC_32]
  /// How many bytes are taken at once.
  private static let batch = 1 << 16
  /// More frames than a block of Vorbis has.
  private static let lead = 16_384

  /// Reads from an open descriptor, and closes it in the end, or where it fails.
  init(_ path: String, _ descriptor: Int32, acceptsTruncated: Bool) throws(Refusal) {
    var format = SF_INFO()
    // From here on the descriptor is libsndfile's.
    guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &format, 1) else {
      throw SndFileDecoder.refusal(of: path)
    }
    if SndFileDecoder.misread.contains(Int(format.format) & SF_FORMAT_SUBMASK) {
      sf_close(file)
      if let cut = SndFileDecoder.cutCAF(path) { throw cut }
      let detail = "is Apple Lossless of more than 16 bits, which libsndfile reads wrong"
      throw Refusal(error: FileError(.unsupported, path, detail), isUnknownEncoding: true)
    }
    self.file = file
    isVorbis = Int(format.format) & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS
    plain = PlainSamples(format: Int(format.format))
    beginsAnywhere = SndFileDecoder.exact.contains(Int(format.format) & SF_FORMAT_SUBMASK)
    info = AudioFileInfo(
      path: path, container: SndFileDecoder.name(of: Int(format.format) & SF_FORMAT_TYPEMASK),
      encoding: SndFileDecoder.name(of: Int(format.format) & SF_FORMAT_SUBMASK),
      sampleRate: Double(format.samplerate),
      channelCount: Int(format.channels), frameCount: Int(clamping: format.frames), tags: FileTags(file),
      sampleLoop: SndFileDecoder.firstLoop(of: file, frameCount: Int(clamping: format.frames)))
    if Int(format.format) == SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM {
      trim(WaveFile.announcedFrames(descriptor))
    }
    if Int(format.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_MPEG, !MP3Length.isAnnounced(in: descriptor) {
      guard !MP3Length.isMore(in: descriptor, than: Int(clamping: format.frames)) else {
        let detail = "does not say how long it is, and libsndfile would not read it to its end"
        throw Refusal(
          error: FileError(.unsupported, path, detail), isUnknownEncoding: true, kind: .mp3)
      }
      // Nobody knows what such a file has lost.
      info.frameCount = MP3Length.counted(file, format)
      return
    }
    guard !acceptsTruncated, 1...AudioFileReader.channelLimit ~= info.channelCount else { return }
    if let cut = Truncation.of(path, file: file, format: format) {
      let detail = "is cut short: \(cut); get a whole copy, or recover it"
      throw Refusal(error: FileError(.truncated, path, detail, mayBeUnfinishedTake: true))
    }
  }

  deinit { sf_close(file) }

  /// libsndfile counts whole blocks, of which the last may not be full: the header says so, if it is to be
  /// believed.
  private func trim(_ announced: Int?) {
    guard let announced, announced > 0, info.frameCount - 65_536..<info.frameCount ~= announced else {
      return
    }
    info.frameCount = announced
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    guard let plain else {
      return try deinterleaver.read(into: channels, count: count) {
        Int(sf_readf_float(file, $0, sf_count_t($1)))
      }
    }
    let size = plain.byteCount * channels.count
    var done = 0
    hasTaken = count > held.count / size
    while done < count {
      if held.isEmpty { take(wholes: size) }
      let run = min(count - done, held.count / size)
      guard run > 0 else { break }
      bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        plain.lay(base + held.lowerBound, into: channels.from(done), count: run)
      }
      held = held.lowerBound + run * size..<held.upperBound
      done += run
    }
    return done
  }

  /// Takes the next bytes from the file: as many whole frames as there is room for, or as are left.
  private func take(wholes size: Int) {
    let most = SndFileDecoder.batch / size * size
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: most + 1) }
    let got = Int(sf_read_raw(file, &bytes, sf_count_t(most)))
    held = 0..<max(got, 0) / size * size
  }

  /// Where libsndfile 1.2.0 has sought in Vorbis, some frames are garbage, and in the last page they are at
  /// the wrong place: so it is sent to a place ahead of both, and the rest is read.
  func seek(to frame: Int) throws(FileError) {
    let landing = isVorbis ? max(0, min(frame, lastPageStart) - SndFileDecoder.lead) : frame
    held = 0..<0
    guard sf_seek(file, sf_count_t(landing), SEEK_SET) == landing else {
      let detail = "cannot be read from frame \(frame) on: \(LibraryReason.soundFile(file)); get another copy"
      throw FileError(.unreadable, info.path, detail)
    }
    let skipped = ChannelMemory(channelCount: info.channelCount, frameCount: min(frame - landing, 4096))
    var left = frame - landing
    while left > 0 {
      let got = try read(into: skipped.channels, count: min(left, 4096))
      guard got > 0 else { return }
      left -= got
    }
  }

  /// What libsndfile's refusal to open means.
  private static func refusal(of path: String) -> Refusal {
    let code = sf_error(nil)
    if let cut = cutCAF(path) { return cut }
    // Opus without a frame is no file that libsndfile opens, though it writes it.
    if let tail = OggTail(path), tail.isEmpty { return Refusal(error: .empty(path)) }
    let reason = LibraryReason.soundFile(nil)
    switch code {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT):
      let detail = "is not a sound file that can be read; convert it to WAV or FLAC"
      return Refusal(error: FileError(.notAudio, path, detail), isUnknownEncoding: true)
    case Int32(SF_ERR_SYSTEM):
      let detail = "cannot be read: \(reason); check the disk and the file's permissions"
      return Refusal(error: FileError(.unreadable, path, detail))
    default:
      let detail = "looks like a sound file but is broken: \(reason); get another copy"
      return Refusal(
        error: FileError(.notAudio, path, detail),
        isUnknownEncoding: code == Int32(SF_ERR_UNSUPPORTED_ENCODING))
    }
  }

  /// That a CAF is cut short, where it is.
  private static func cutCAF(_ path: String) -> Refusal? {
    guard Truncation.isCutCAF(path) else { return nil }
    let detail = "is cut short; get a whole copy, or recover it"
    return Refusal(error: FileError(.truncated, path, detail, mayBeUnfinishedTake: true))
  }

  /// The loop that a sampler would play: the first of a WAV file's `smpl` chunk, counted from 0; nil where there is none that
  /// turns forwards and lies in the sound.
  private static func firstLoop(of file: OpaquePointer, frameCount: Int) -> Range<Int>? {
    var start: UInt32 = 0, end: UInt32 = 0
    guard swiftlet_first_loop(file, &start, &end), start < end, Int(end) <= frameCount else { return nil }
    return Int(start)..<Int(end)
  }

  /// libsndfile's name for a container or an encoding.
  private static func name(of format: Int) -> String {
    var entry = SF_FORMAT_INFO(format: Int32(format), name: nil, extension: nil)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &entry, size) == 0, let name = entry.name else {
      return "unknown"
    }
    return String(cString: name)
  }
}
