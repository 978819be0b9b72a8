// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// A timeline with its own time, as plugins receive it.
@Suite struct PlainTimelineTests {
  /// Returns the frames at which a metronome starts to sound after at least 2000 silent frames.
  private func beats(tempo: String, seconds: Int) throws -> [Int] {
    let scratch = try Scratch()
    let swiftlet = Command(folder: scratch.path)
    try scratch.write(
      """
      swiftlet: 1
      nodes:
        metro: { lv2: "http://lv2plug.in/plugins/eg-metro" }
        desk:  { playback: mono, connect: none }
      timeline:
        tempo: \(tempo)
      wires: [ metro -> desk ]
      """, to: "metro.yaml")
    let outcome = try swiftlet.run(
      "render", "metro.yaml", "--for", "\(seconds)", "--rate", "48000", "--output", "o.wav", "--format",
      "wav32f")
    #expect(outcome.status == 0, "\(outcome.messages)")
    let raw = try swiftlet.shell("sox o.wav -t f32 o.raw")
    #expect(raw.status == 0, "\(raw.messages)")
    let samples = (scratch.bytes("o.raw") ?? Data()).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(samples.count == seconds * 48_000)
    var found: [Int] = [], last = -2001
    for (frame, sample) in samples.enumerated() where abs(sample) > 1e-4 {
      if frame - last > 2000 { found.append(frame) }
      last = frame
    }
    return found
  }

  @Test func `a metronome plugin follows the tempo of the timeline`() throws {
    // A beat is a sine, so its first sample is 0.
    #expect(try beats(tempo: "120", seconds: 3) == [1, 24_001, 48_001, 72_001, 96_001, 120_001])
    #expect(try beats(tempo: "100", seconds: 2) == [1, 28_801, 57_601, 86_401])
  }
}
