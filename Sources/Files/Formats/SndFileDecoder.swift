// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Reads what libsndfile reads.
final class SndFileDecoder: FrameDecoder {
  /// Why it does not read a file.
  struct Refusal: Error {
    var error: FileError
    /// Whether the file may be a whole one, of an encoding that libsndfile does not know.
    var isUnknownEncoding = false
  }

  private(set) var info: AudioFileInfo
  private let file: OpaquePointer
  let beginsAnywhere: Bool
  private let isVorbis: Bool
  /// Where the last page of Vorbis begins.
  private lazy var lastPageStart = OggTail(info.path)?.lastPageStart ?? 0

  /// Encodings of samples that rest on none before them, or on few.
  private static let exact = [
    SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT,
    SF_FORMAT_DOUBLE,
  ]
  /// More frames than a block of Vorbis has.
  private static let lead = 16_384

  /// Reads from an open descriptor, and closes it in the end, or where it fails.
  init(_ path: String, _ descriptor: Int32, acceptsTruncated: Bool) throws(Refusal) {
    var format = SF_INFO()
    // From here on the descriptor is libsndfile's.
    guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &format, 1) else {
      throw SndFileDecoder.refusal(of: path)
    }
    self.file = file
    isVorbis = Int(format.format) & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS
    beginsAnywhere = SndFileDecoder.exact.contains(Int(format.format) & SF_FORMAT_SUBMASK)
    info = AudioFileInfo(
      path: path, container: SndFileDecoder.name(of: Int(format.format) & SF_FORMAT_TYPEMASK),
      encoding: SndFileDecoder.name(of: Int(format.format) & SF_FORMAT_SUBMASK),
      sampleRate: Double(format.samplerate),
      channelCount: Int(format.channels), frameCount: Int(clamping: format.frames), tags: FileTags(file))
    if Int(format.format) == SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM {
      trim(WaveFile.announcedFrames(descriptor))
    }
    guard !acceptsTruncated, 1...AudioFileReader.channelLimit ~= info.channelCount else { return }
    if let cut = Truncation.of(path, file: file, format: format) {
      let detail = "is cut short: \(cut); get a whole copy, or try 'swiftlet recover'"
      throw Refusal(error: FileError(.truncated, path, detail))
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

  func read(into buffer: UnsafeMutablePointer<Float>, count: Int) -> Int {
    Int(sf_readf_float(file, buffer, sf_count_t(count)))
  }

  /// Where libsndfile 1.2.0 has sought in Vorbis, some frames are garbage, and in the last page they are at
  /// the wrong place: so it is sent to a place ahead of both, and the rest is read.
  func seek(to frame: Int) throws(FileError) {
    let landing = isVorbis ? max(0, min(frame, lastPageStart) - SndFileDecoder.lead) : frame
    guard sf_seek(file, sf_count_t(landing), SEEK_SET) == landing else {
      let reason = String(cString: sf_strerror(file)).trimmingCharacters(in: .whitespaces)
      throw FileError(.unreadable, info.path, "cannot be sought to frame \(frame): \(reason)")
    }
    var skipped = [Float](repeating: 0, count: min(frame - landing, 4096) * info.channelCount)
    var left = frame - landing
    while left > 0 {
      let got = read(into: &skipped, count: min(left, 4096))
      guard got > 0 else { return }
      left -= got
    }
  }

  /// What libsndfile's refusal to open means.
  private static func refusal(of path: String) -> Refusal {
    let code = sf_error(nil)
    if Truncation.isCutCAF(path) {
      let detail = "is cut short; get a whole copy, or try 'swiftlet recover'"
      return Refusal(error: FileError(.truncated, path, detail))
    }
    // Opus without a frame is no file that libsndfile opens, though it writes it.
    if let tail = OggTail(path), tail.isEmpty { return Refusal(error: .empty(path)) }
    let reason = String(cString: sf_strerror(nil)).trimmingCharacters(in: CharacterSet(charactersIn: " ."))
    switch code {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT):
      let detail = "is not a sound file that can be read; convert it to WAV or FLAC"
      return Refusal(error: FileError(.notAudio, path, detail), isUnknownEncoding: true)
    case Int32(SF_ERR_SYSTEM):
      return Refusal(error: FileError(.unreadable, path, "cannot be read: \(reason)"))
    default:
      let detail = "looks like a sound file but is broken: \(reason)"
      return Refusal(
        error: FileError(.notAudio, path, detail),
        isUnknownEncoding: code == Int32(SF_ERR_UNSUPPORTED_ENCODING))
    }
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
