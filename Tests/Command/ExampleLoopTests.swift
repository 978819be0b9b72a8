// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The looping examples, checked by their sound: live, Swiftlet records the example's output; offline, the example's
/// manifest is rendered.
extension JackGraphTests {
  /// The length of the sound in frames: no simple fraction of a second, so that loops do not begin at clock
  /// boundaries.
  private static let loopLength = 47_123
  /// The largest error of a part's position at another speed, in frames: SoundTouch takes segments from where they
  /// fit best.
  private static let reach = 1800

  private static let known = KnownNoise(count: loopLength, seed: 11)
  private var noise: KnownNoise { Self.known }

  /// Returns the output of two ports while a program runs, from the first sound on both to the last.
  private func record(_ ports: [String], of line: String) throws -> [[Float]] {
    try writeEar(hearing: ports[0], ports[1])
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        server
        listen
        \(line) > words; echo "status $?"
        kill -INT $ear; wait $ear; echo "ear $?"
        kill -TERM $server; wait $server
        """, limit: 150)
    #expect(outcome.output.contains("status 0\near 0\n"), "\(outcome.output) \(outcome.messages)")
    let heard = try (0..<2).map { try #require(VoiceFixture.channel($0, of: 2, "\(scratch.path)/heard.wav")) }
    let first = try heard.map { try #require($0.firstIndex { $0 != 0 }, "nothing is heard") }.max() ?? 0
    let last = try heard.map { try #require($0.lastIndex { $0 != 0 }) }.min() ?? 0
    return heard.map { Array($0[first..<max(last, first)]) }
  }

  /// Renders an example's manifest.
  private func render(_ example: String, _ name: String, seconds: Int, _ more: String = "") throws
    -> [[Float]]
  {
    try manifest(example, name)
    let outcome = try swiftlet.shell(
      "swiftlet render \(name) --for \(seconds) -o rendered.wav --overwrite \(more)", limit: 120)
    #expect(outcome.status == 0, "\(outcome.messages)")
    return try (0..<2).map { try #require(VoiceFixture.channel($0, of: 2, "\(scratch.path)/rendered.wav")) }
  }

  /// Returns the part near a frame that is most like the noise: one within a single segment of SoundTouch, which
  /// crossfades segments for 8 ms of every 50.
  private func whole(
    _ heard: [Float], around frame: Int, _ position: (Int) -> Int, reach: Int = JackGraphTests.reach
  ) -> KnownNoise.Part {
    var best = KnownNoise.Part()
    for frame in stride(from: frame, to: frame + 2400, by: 400) where best.likeness < 0.9995 {
      let near = position(frame), part = noise.part(of: heard, at: frame, among: near - reach...near + reach)
      if part.likeness > best.likeness { best = part }
    }
    return best
  }

  private func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

  /// Checks the output of the example `LoopPlayer`: speed 0.9, volume 0.8 and pan −0.3, from a frame at which the
  /// volume has reached its value.
  private func judgePlayer(_ heard: [[Float]], from start: Int, seconds: Int) {
    let left = heard[0], right = heard[1]
    #expect(left.count >= start + (seconds - 1) * 48_000 && left.count == right.count)
    let first = whole(left, around: start, { _ in Self.loopLength / 2 }, reach: Self.loopLength / 2)
    // The expected position in the noise at a frame, at constant speed since the first part.
    func position(_ frame: Int) -> Int { first.position + Int(0.9 * Double(frame - first.frame)) }
    // The pan law has constant power over both sides.
    let gains = [0.8 * sin(.pi / 4 * 1.3), 0.8 * sin(.pi / 4 * 0.7)]
    for frame in stride(from: start, to: left.count - 4000, by: 12_000) {
      let part = whole(left, around: frame, position, reach: 2 * Self.reach)
      #expect(part.likeness > 0.999, "at \(frame): \(part)")
      // Both sides play the same frame of the noise, at the levels of the pan law.
      for (channel, gain) in zip(heard, gains) {
        let side = noise.part(of: channel, at: part.frame, among: part.position - 1...part.position + 1)
        #expect(
          side.position == part.position && abs(decibels(side.gain / gain)) < 0.05, "\(side), not \(gain)")
      }
    }
    // There is no gap, neither between segments nor between repetitions.
    let power = pow(10, noise.level / 10) * gains[0] * gains[0]
    for frame in stride(from: start, to: left.count - 512, by: 256) {
      let part = left[frame..<frame + 512].reduce(0.0) { $0 + Double($1) * Double($1) } / 512
      #expect(part > 0.3 * power, "at \(frame) it is \(10 * log10(part / power)) dB too soft")
    }
    judgeSeams(left, from: start, position, speed: 0.9)
  }

  /// Expects that each repetition begins where the last one ends: a part has frames of both, and no others.
  private func judgeSeams(_ heard: [Float], from start: Int, _ position: (Int) -> Int, speed: Double) {
    let passes = position(start) / Self.loopLength + 1...position(heard.count - 4000) / Self.loopLength
    #expect(passes.count >= 3)
    var found = 0
    for seamPass in passes {
      let seam = seamPass * Self.loopLength, middle = start + Int(Double(seam - position(start)) / speed)
      let likeness = stride(from: middle - 2000, to: middle + 2000, by: 100).map {
        noise.part(of: heard, at: $0, among: seam - 192...seam - 64).likeness
      }
      if (likeness.max() ?? 0) > 0.999 { found += 1 }
    }
    // Two segments may meet there, too: they do every 50 ms.
    #expect(found >= passes.count - 1 - passes.count / 4, "\(found) of \(passes.count) seams are whole")
  }

  @Test func `a player loops at its speed, volume and pan`() throws {
    try noise.write("song.wav", in: swiftlet)
    let heard = try record(["player:playback_1", "player:playback_2"], of: "LoopPlayer song.wav 7")
    try #require(heard[0].count > 5 * 48_000)
    judgePlayer(heard, from: 66_000, seconds: 5)

    // The volume rises linearly from 0 within a second; the engine's own fade ends after 0.3 s.
    let final = 0.8 * sin(.pi / 4 * 1.3)
    let known = whole(heard[0], around: 66_000, { _ in Self.loopLength / 2 }, reach: Self.loopLength / 2)
    let rise = stride(from: 12_000, to: 60_000, by: 1000).compactMap {
      frame -> (time: Double, gain: Double)? in
      let near = known.position + Int(0.9 * Double(frame - known.frame))
      let part = noise.part(of: heard[0], at: frame, among: near - 2 * Self.reach...near + 2 * Self.reach)
      return part.likeness > 0.999 ? (Double(frame) / 48_000, part.gain) : nil
    }.filter { 0.4 * final..<0.9 * final ~= $0.gain }
    let begin = try #require(rise.first), end = try #require(rise.last)
    #expect(end.time - begin.time > 0.3)
    for point in rise {
      let line = begin.gain + (point.time - begin.time) * final
      #expect(abs(point.gain - line) < 0.02 * final, "at \(point.time) s")
    }

    // The meter is before the pan, and is read 15 times per second.
    let lines = scratch.text("words").split(separator: "\n").dropFirst()
    #expect(lines.count == 105)
    for line in lines.dropFirst(30) {
      let words = line.split(separator: " ")
      let index = try #require(words.firstIndex(of: "dB,"))
      let level = try #require(Double(words[index - 1]))
      // Levels are printed in whole decibels, rounded towards zero.
      #expect(abs(level - (noise.level + decibels(0.8))) < 1.6, "\(line)")
    }
  }

  @Test func `the manifest of a player sounds like the program, and is exact at speed 1`() throws {
    try noise.write("song.wav", in: swiftlet)
    judgePlayer(try render("LoopPlayer", "loop-player.yaml", seconds: 6), from: 60_000, seconds: 4)
    try FileManager.default.removeItem(atPath: "\(scratch.path)/loop-player.yaml")
    let heard = try render("LoopPlayer", "loop-player.yaml", seconds: 4, "--set song.speed=1")
    for (channel, side) in zip(heard, [1.3, 0.7]) {
      let gain = Float(sin(.pi / 4 * side))
      #expect(channel.count == 192_000)
      // Over the first second the volume rises to 0.8.
      let wrong = channel.indices.first { frame in
        let volume = 0.8 * min(Float(frame) / 48_000, 1)
        return abs(channel[frame] - noise.samples[frame % Self.loopLength] * volume * gain) > 1e-6
      }
      #expect(wrong == nil, "frame \(wrong ?? 0)")
    }
  }

  /// Writes three files of one sound with different panning. SoundTouch takes the same segments of all three. If all
  /// three play the same frame, left equals right, at a level of 1 + √½ of one file; a difference of one frame would
  /// break this.
  private func writeThree() throws {
    let half = Float(0.5).squareRoot()
    try noise.write("drums.wav", times: [1, 0], in: swiftlet)
    try noise.write("bass.wav", times: [0, 1], in: swiftlet)
    try noise.write("keys.wav", times: [half, half], in: swiftlet)
  }

  /// Expects three players at the same frame all the time.
  private func judgeThree(_ heard: [[Float]], each gain: Double, among parts: [KnownNoise.Part]) {
    let apart = heard[0].indices.first { abs(heard[0][$0] - heard[1][$0]) > 1e-5 }
    #expect(apart == nil, "from frame \(apart ?? 0) on the three are not together")
    let wanted = decibels(gain * (1 + 0.5.squareRoot()))
    for part in parts {
      #expect(part.likeness > 0.999 && abs(decibels(part.gain) - wanted) < 0.05, "\(part), not \(wanted) dB")
    }
  }

  @Test func `three players start on one frame, and stay together at every playback rate`() throws {
    try writeThree()
    let heard = try record(
      ["looper:main-output_1", "looper:main-output_2"], of: "Looper drums.wav bass.wav keys.wav 8")
    try #require(heard[0].count > 7 * 48_000)
    // They start with the first frame, so their positions are known.
    var parts = [whole(heard[0], around: 16_000, { $0 })]
    while let last = parts.last, last.frame + 16_000 < heard[0].count {
      // At a speed of 1 or 1.25, regardless of where it changes.
      parts.append(
        whole(
          heard[0], around: last.frame + 12_000, { last.position + Int(1.125 * Double($0 - last.frame)) },
          reach: 1800 + 2 * Self.reach))
    }
    judgeThree(heard, each: 0.5, among: parts)
    // For four seconds each plays at speed 1 through all repetitions; then all play at 1.25 to the end.
    for part in parts.prefix(13) { #expect(abs(part.position - part.frame) < Self.reach, "\(part)") }
    let later = parts.suffix(9), end = try #require(later.last), start = try #require(later.first)
    let moved = Double(end.position - start.position), due = 1.25 * Double(end.frame - start.frame)
    #expect(abs(moved - due) < 2 * Double(Self.reach), "\(later)")
    #expect(end.position > 6 * Self.loopLength)
  }

  @Test func `three players of a manifest stay together while lanes change their speed`() throws {
    try writeThree()
    let heard = try render("Looper", "looper.yaml", seconds: 9)
    let parts = stride(from: 12_000, to: heard[0].count - 4000, by: 12_000).map { start in
      whole(heard[0], around: start) { frame in
        let time = Double(frame) / 48_000
        return Int((time + 0.25 * min(max(time - 4, 0), 4)) * 48_000)
      }
    }
    judgeThree(heard, each: pow(10, -6 / 20.0), among: parts)
  }
}
