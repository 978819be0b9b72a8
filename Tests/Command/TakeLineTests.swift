// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletCommand
@testable import SwiftletFiles

@Suite struct TakeLineTests {
  @Test(arguments: [
    (0, 0, ""), (480, 0, "  480 frames lost (10 ms of silence): JACK skipped them"),
    (480, 480, "  480 frames lost (10 ms of silence): the disk was too slow"),
    (1, 1, "  1 frame lost (1 ms of silence): the disk was too slow"),
    (
      480, 96,
      "  480 frames lost (10 ms of silence): the disk was too slow for 96 of them, JACK skipped the others"
    ),
  ]) func `a take's line states lost frames and their cause`(lost: Int, overrun: Int, text: String) {
    let line = FileSummary(
      path: "a.wav", frameCount: 96_000, sampleRate: 48_000, peak: -6, lostFrames: lost,
      overrunFrames: overrun)
    #expect(FileSummary.text([line]) == ["a.wav  0:02.0  peak -6.0 dBFS\(text)"])
  }

  @Test func `a take's line states that the graph was overloaded`() {
    var line = FileSummary(
      path: "a.wav", frameCount: 96_000, sampleRate: 48_000, peak: -6, lostFrames: 480, isOverloaded: true)
    let start: StyledText = "a.wav  0:02.0  peak -6.0 dBFS  480 frames lost (10 ms of silence): "
    let overload: StyledText = ", and the graph was too slow at times"
    #expect(FileSummary.text([line]) == [start + "JACK skipped them" + overload])
    line.overrunFrames = 96
    #expect(
      FileSummary.text([line])
        == [start + "the disk was too slow for 96 of them, JACK skipped the others" + overload])
  }

  @Test func `a take without frames is listed as not kept`() {
    var line = FileSummary(path: "b.wav", frameCount: 0, sampleRate: 48_000, peak: -160)
    line.isKept = false
    let whole = FileSummary(path: "a.wav", frameCount: 96_000, sampleRate: 48_000, peak: -6)
    #expect(FileSummary.text([line]) == ["b.wav  not kept: it ended before any sound came"])
    let gap = String(repeating: " ", count: 26)
    #expect(
      FileSummary.text([whole, line])
        == ["a.wav  0:02.0  peak -6.0 dBFS", "b.wav\(gap)not kept: it ended before any sound came"])
  }

  private func report(frames: Int = 96_000, failure: String? = nil, isPresent: Bool = true) -> TakeReport {
    TakeReport(
      tap: "tap", path: "a.wav", frameCount: frames, sampleRate: 48_000, peak: -6, lostFrames: 0,
      overrunFrames: 0,
      gaps: [], failure: failure, isPresent: isPresent)
  }

  @Test func `a take whose file is missing has no line`() {
    let gone = report(failure: "is not finished: its folder is gone", isPresent: false)
    let cut = report(failure: "ended early: no more sound arrived"), whole = report()
    #expect(!gone.hasSummary && cut.hasSummary && whole.hasSummary)
    // A take that failed, and one that was stopped, before its first frame.
    #expect(!report(frames: 0, failure: "is not finished").hasSummary)
    #expect(!report(frames: 0, failure: "is not finished", isPresent: false).hasSummary)
    var discarded = report(frames: 0)
    discarded.isDiscarded = true
    #expect(discarded.hasSummary)
    let lines = FileSummary.text([gone, whole].filter(\.hasSummary).map { FileSummary($0) })
    #expect(lines == ["a.wav  0:02.0  peak -6.0 dBFS"])
  }
}
