// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletCommand

@Suite struct TakeLineTests {
  @Test(arguments: [
    (0, 0, ""), (480, 0, "  480 frames lost (10 ms of silence): JACK skipped them"),
    (480, 480, "  480 frames lost (10 ms of silence): the disk was too slow"),
    (1, 1, "  1 frame lost (1 ms of silence): the disk was too slow"),
    (
      480, 96,
      "  480 frames lost (10 ms of silence): the disk was too slow for 96 of them, JACK skipped the others"
    ),
  ]) func `a take says what it lost, and whose fault that was`(lost: Int, overrun: Int, text: String) {
    let line = TakeLine(
      path: "a.wav", frameCount: 96_000, sampleRate: 48_000, peak: -6, lostFrames: lost,
      overrunFrames: overrun)
    #expect(TakeLine.text([line]) == ["a.wav  0:02.0  peak -6.0 dBFS" + text])
  }
}
