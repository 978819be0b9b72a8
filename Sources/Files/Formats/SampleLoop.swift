// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile

/// The loop that a sampler would play: of a WAV file, the first of its `smpl` chunk.
enum SampleLoop {
  /// The first loop of an open file of so many frames, counted from 0; nil where there is none that turns forwards and
  /// lies in the sound.
  static func first(of file: OpaquePointer, frameCount: Int) -> Range<Int>? {
    var start: UInt32 = 0, end: UInt32 = 0
    guard swiftlet_first_loop(file, &start, &end), start < end, Int(end) <= frameCount else { return nil }
    return Int(start)..<Int(end)
  }
}
