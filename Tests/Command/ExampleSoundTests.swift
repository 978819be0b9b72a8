// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The examples of effects with a tap, of a recorder and of a session, checked by their sound.
extension JackGraphTests {
  /// Expects the mix of the example: drums through an echo of 110 ms at −3 dB, keys panned to the left.
  ///
  /// - Parameter start: the frame at which both players start.
  private func judgeMix(_ heard: [[Float]], from start: Int, _ drums: KnownNoise, _ keys: KnownNoise) {
    let count = drums.samples.count, delay = 5280
    let gain = Float(pow(10, -3 / 20.0)), right = Float(sin(Double.pi / 8) / sin(Double.pi / 4))
    let wrong = (0..<heard[0].count - start).first { frame in
      let repeated = frame < delay ? 0 : drums.samples[(frame - delay) % count]
      let echo = gain * (0.7 * drums.samples[frame % count] + 0.3 * repeated)
      let key = keys.samples[frame % keys.samples.count]
      return abs(heard[0][start + frame] - echo - key) > 1e-5
        || abs(heard[1][start + frame] - echo - right * key) > 1e-5
    }
    #expect(wrong == nil, "frame \(wrong ?? 0) of \(heard[0].count - start)")
  }

  //  drums ──► echo ───── −3 dB ──┐
  //  keys ─────── pan −0.5 ───────┴──► main mixer ──► tap
  @Test func `a tap after the main mixer gets echo, level and pan, exact to the sample`() throws {
    let drums = KnownNoise(count: 47_123, seed: 21), keys = KnownNoise(count: 31_001, seed: 22)
    try drums.write("drums.wav", times: [1, 1], in: swiftlet)
    try keys.write("keys.wav", times: [1, 1], in: swiftlet)
    try manifest("TappedMix", "tapped-mix.yaml")
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        export JACK_DEFAULT_SERVER=$name
        TappedMix drums.wav keys.wav 4 > words 2>&1; echo "status $?"
        kill -TERM $server; wait $server
        swiftlet render tapped-mix.yaml --for 4 -o rendered.wav 2>&1; echo "render $?"
        """, limit: 150)
    let words = scratch.text("words")
    #expect(
      outcome.output.contains("status 0\n") && outcome.output.contains("render 0\n"), "\(outcome) \(words)")
    // The tap delivers buffers of 1024 frames.
    #expect(words.contains("mix.wav: 192512 frames, 0 lost\n"), "\(words)")
    let live = try (0..<2).map { try #require(VoiceFixture.channel($0, of: 2, "\(scratch.path)/mix.wav")) }
    let start = try #require(live[0].firstIndex { $0 != 0 }, "nothing is heard")
    try #require(live[0].count == 192_512 && start < 48_000)
    judgeMix(live, from: start, drums, keys)
    let rendered = try (0..<2).map {
      try #require(VoiceFixture.channel($0, of: 2, "\(scratch.path)/rendered.wav"))
    }
    #expect(rendered[0].count == 192_000)
    judgeMix(rendered, from: 0, drums, keys)
  }

  /// Fits a sine to a part of a recording: returns its amplitude, and the remainder relative to it.
  private func fit(_ frequency: Double, at rate: Double, _ part: ArraySlice<Float>) -> (Double, rest: Double)
  {
    let step = 2 * Double.pi * frequency / rate
    var sine = 0.0, cosine = 0.0
    for (frame, sample) in part.enumerated() {
      sine += Double(sample) * sin(step * Double(frame))
      cosine += Double(sample) * cos(step * Double(frame))
    }
    (sine, cosine) = (2 * sine / Double(part.count), 2 * cosine / Double(part.count))
    let rest = part.enumerated().reduce(0.0) { sum, next in
      let angle = step * Double(next.offset)
      return sum + pow(Double(next.element) - sine * sin(angle) - cosine * cos(angle), 2)
    }
    let amplitude = (sine * sine + cosine * cosine).squareRoot()
    return (amplitude, (2 * rest / Double(part.count)).squareRoot() / max(amplitude, 1e-9))
  }

  @Test func `both memos contain the sung tone for the requested time`() throws {
    let outcome = try runWithInput("voice.wav", into: "voice-memo:main-input", "VoiceMemo 2")
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(scratch.text("words"))")
    // Both are lossy: IMA 4:1 has four bits per sample, and the AAC encoder leaves 3 % of noise beside a tone.
    for (name, rate) in [("memo-001.caf", 22_050), ("memo-001.m4a", 48_000)] {
      _ = try swiftlet.shell("ffmpeg -v error -i takes/\(name) -f f32le -ac 1 \(name).raw")
      let bytes = FileManager.default.contents(atPath: "\(scratch.path)/\(name).raw") ?? Data()
      let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(abs(samples.count - 2 * rate) <= 1024, "\(name): \(samples.count)")
      // 0.1 s has whole periods of 440 Hz. On a busy machine the server skips periods, so only most parts must match.
      let parts = stride(from: rate / 5, to: samples.count - rate / 5, by: rate / 10).map {
        fit(440, at: Double(rate), samples[$0..<$0 + rate / 10])
      }
      let good = parts.filter { abs($0.0 - 0.5) < 0.01 && $0.rest < 0.05 }
      #expect(parts.count >= 14 && good.count > parts.count / 2, "\(name): \(parts)")
    }
  }

  /// Expects noise with one pause of at least a third of a second, after which it continues at the frame where it
  /// stopped.
  func judgePause(_ heard: [Float], of song: KnownNoise) throws {
    let first = try #require(heard.firstIndex { $0 != 0 }, "nothing is heard")
    // The engine fades its first sound in over 300 ms.
    var pause = 0..<0, silence = first
    for frame in first..<heard.count {
      if heard[frame] != 0 { silence = frame + 1 }
      // Silence after the last sound is not a pause.
      if frame + 1 < heard.count, heard[frame + 1] != 0, frame + 1 - silence > pause.count {
        pause = silence..<frame + 1
      }
    }
    try #require(pause.count > 16_000 && pause.lowerBound > first + 16_000, "\(first) \(pause)")
    let loopLength = song.samples.count
    let before = song.part(of: heard, at: pause.lowerBound - 1000, among: 0...loopLength)
    let after = song.part(of: heard, at: pause.upperBound + 1000, among: 0...loopLength)
    for part in [before, after] {
      #expect(part.likeness > 0.9999 && abs(part.gain - 1) < 1e-3, "\(part)")
    }
    let moved = (after.position - before.position + 2 * loopLength) % loopLength
    // A fade begins or ends with silent frames.
    #expect(abs(moved - 2000) <= 16, "\(moved) frames of the song in 2000 of sound")
  }
}
