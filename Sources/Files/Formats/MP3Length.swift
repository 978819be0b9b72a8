// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// How long an MP3 is that does not say so: libsndfile makes a guess from the size of the file then.
enum MP3Length {
  /// Whether the first frame says how many follow: most programs write such a one, in the place of sound.
  static func isAnnounced(in descriptor: Int32) -> Bool {
    let file = ByteFile(descriptor)
    let first = file.bytes(at: MPEGFrames.tagSize([UInt8](file.bytes(at: 0, count: 10))), count: 2048)
    return ["Xing", "Info", "VBRI"].contains { first.range(of: Data($0.utf8)) != nil }
  }

  /// Whether there are more frames than were guessed, of which no more would be read: so it is where the first ones
  /// take more bytes than the others.
  static func isMore(in descriptor: Int32, than guessed: Int) -> Bool {
    var frames = MPEGFrames(descriptor)
    // The guess is rounded, by less than a frame.
    let most = min(guessed, 1 << 50) + MPEGFrames.mostSamples
    return frames.count(upTo: most) > most
  }

  /// How many frames there are, where there are no more than were guessed; the next that is read is the first.
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
      // Behind the true end there is nothing: then it is looked for further ahead.
      if end > start || start == 0 { return Int(end) }
      ahead *= 8
    }
  }
}
