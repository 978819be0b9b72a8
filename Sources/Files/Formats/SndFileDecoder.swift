// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Decodes the formats that libsndfile reads. libsndfile opens each file and identifies its format; uncompressed
/// samples are then read without it.
final class SndFileDecoder: FrameDecoder {
  /// An error for a file that cannot be decoded here.
  struct Refusal: Error {
    var error: FileError
    /// Whether the file may be valid, but has an encoding that libsndfile does not support.
    var isUnknownEncoding = false
    /// The format of the file, if its first bytes do not determine it.
    var kind: SoundSignature?
  }

  private(set) var info: AudioFileInfo
  private let file: OpaquePointer
  let supportsRandomAccess: Bool
  private let isVorbis: Bool
  /// The type of the samples, if they can be read without libsndfile.
  private let plain: PlainSamples?
  private var bytes: [UInt8] = []
  /// The range of `bytes` that was read from the file but not returned yet.
  private var held = 0..<0
  private(set) var hasTaken = true
  private var deinterleaver = Deinterleaver()
  /// The frame at which the last page of Vorbis begins.
  private lazy var lastPageStart = OggTail(info.path)?.lastPageStart ?? 0

  /// The encodings whose samples do not depend on earlier ones.
  private static let exact = [
    SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
    SF_FORMAT_DOUBLE,
  ]
  /// The sizes of Apple Lossless of which libsndfile 1.2.0 reads the second channel wrong if the sound could not be
  /// compressed.
  private static let misread = [SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24, SF_FORMAT_ALAC_32]
  /// The number of bytes that are read at once.
  private static let batch = 1 << 16
  /// More frames than a Vorbis block has.
  private static let prerollFrames = 16_384

  /// Takes ownership of an open descriptor, which it closes at its end or if this initializer throws.
  init(_ path: String, _ descriptor: Int32, acceptsTruncated: Bool) throws(Refusal) {
    var format = SF_INFO()
    // libsndfile owns the descriptor from here on.
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
    supportsRandomAccess = SndFileDecoder.exact.contains(Int(format.format) & SF_FORMAT_SUBMASK)
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
        let detail = "does not announce its length, and libsndfile would not read it to its end"
        throw Refusal(
          error: FileError(.unsupported, path, detail), isUnknownEncoding: true, kind: .mp3)
      }
      // The length of such a file is counted, so truncation cannot be detected.
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

  /// libsndfile counts whole blocks, of which the last may be partly filled. Uses the header's frame count if it is
  /// plausible.
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
        plain.deinterleave(base + held.lowerBound, into: channels.from(done), count: run)
      }
      held = held.lowerBound + run * size..<held.upperBound
      done += run
    }
    return done
  }

  /// Reads the next bytes from the file: as many whole frames as fit, or as are left.
  private func take(wholes size: Int) {
    let most = SndFileDecoder.batch / size * size
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: most + 1) }
    let got = Int(sf_read_raw(file, &bytes, sf_count_t(most)))
    held = 0..<max(got, 0) / size * size
  }

  /// Seeks to a frame. After a seek in Vorbis, libsndfile 1.2.0 returns some garbage frames, and in the last page it
  /// returns frames from a wrong position. So for Vorbis it seeks to an earlier frame and reads up to the target.
  func seek(to frame: Int) throws(FileError) {
    let landing = isVorbis ? max(0, min(frame, lastPageStart) - SndFileDecoder.prerollFrames) : frame
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

  /// Returns the error for a file that libsndfile refused to open.
  private static func refusal(of path: String) -> Refusal {
    let code = sf_error(nil)
    if let cut = cutCAF(path) { return cut }
    // libsndfile does not open an Opus file of 0 frames, although it writes one.
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

  /// Returns an error if the file is a truncated CAF file, otherwise nil.
  private static func cutCAF(_ path: String) -> Refusal? {
    guard Truncation.isCutCAF(path) else { return nil }
    let detail = "is cut short; get a whole copy, or recover it"
    return Refusal(error: FileError(.truncated, path, detail, mayBeUnfinishedTake: true))
  }

  /// Returns the loop for samplers: the first of a WAV file's `smpl` chunk, counted from 0; nil if there is no forward
  /// loop within the sound.
  private static func firstLoop(of file: OpaquePointer, frameCount: Int) -> Range<Int>? {
    var start: UInt32 = 0, end: UInt32 = 0
    guard swiftlet_first_loop(file, &start, &end), start < end, Int(end) <= frameCount else { return nil }
    return Int(start)..<Int(end)
  }

  /// Returns libsndfile's name for a container or an encoding.
  private static func name(of format: Int) -> String {
    var entry = SF_FORMAT_INFO(format: Int32(format), name: nil, extension: nil)
    let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
    guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &entry, size) == 0, let name = entry.name else {
      return "unknown"
    }
    return String(cString: name)
  }
}
