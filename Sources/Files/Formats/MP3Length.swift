// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Determines the length of an MP3 file that does not announce it; libsndfile then only estimates it from the file's
/// size.
enum MP3Length {
  /// Whether the first frame announces the number of frames. Most programs write such a frame, which holds no sound.
  static func isAnnounced(in descriptor: Int32) -> Bool {
    let file = ByteFile(descriptor)
    let first = file.bytes(at: MPEGFrames.tagSize([UInt8](file.bytes(at: 0, count: 10))), count: 2048)
    return ["Xing", "Info", "VBRI"].contains { first.range(of: Data($0.utf8)) != nil }
  }

  /// Whether the file has more frames than libsndfile estimated. libsndfile would not read the surplus. This occurs if
  /// the first frames have more bytes than the others.
  static func isMore(in descriptor: Int32, than guessed: Int) -> Bool {
    var frames = MPEGFrames(descriptor)
    // The estimate is rounded, by less than a frame.
    let most = min(guessed, 1 << 50) + MPEGFrames.mostSamples
    return frames.count(upTo: most) > most
  }

  /// Counts the frames if there are no more than estimated. The file is then at its first frame.
  static func counted(_ file: OpaquePointer, _ format: SF_INFO) -> Int {
    guard format.seekable != 0, 1..<(1 << 50) ~= format.frames else { return Int(clamping: format.frames) }
    defer { sf_seek(file, 0, SEEK_SET) }
    var buffer = [Float](repeating: 0, count: 4096 * Int(max(format.channels, 1)))
    var ahead: sf_count_t = 16_384
    while true {
      let start = max(format.frames - ahead, 0)
      var end = start
      if sf_seek(file, start, SEEK_SET) == start {
        while case let got = sf_readf_float(file, &buffer, 4096), got > 0 { end += got }
      }
      // A seek past the true end reads nothing, so the search then starts farther ahead.
      if end > start || start == 0 { return Int(end) }
      ahead *= 8
    }
  }
}
