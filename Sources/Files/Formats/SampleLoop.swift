// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile

/// The loop that a sampler would play: in a WAV file from its `smpl` chunk, in an AIFF file from `INST` and `MARK`.
enum SampleLoop {
  /// The first loop of an open file of so many frames, counted from 0; nil where there is none that turns forwards and
  /// lies in the sound.
  static func first(of file: OpaquePointer, frameCount: Int) -> Range<Int>? {
    var first: UInt32 = 0, last: UInt32 = 0
    guard swiftlet_first_loop(file, &first, &last) else { return nil }
    let (start, end) = (Int(first), Int(last))
    guard start < end, end <= frameCount else { return nil }
    return start..<end
  }
}
