// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

/// The programs in `Examples` and their manifests, run as a user runs them.
@Suite struct ExampleTests {
  private static let rate = 48_000
  private let scratch: Scratch
  private let swiftlet: Command

  init() throws {
    scratch = try Scratch()
    swiftlet = Command(folder: scratch.path)
  }

  /// Writes a stereo file of noise, so that no frame equals another.
  private func noise(_ name: String, seconds: Int, seed: UInt64) throws -> [Float] {
    var generator = SeededGenerator(seed: seed)
    let samples = (0..<seconds * Self.rate).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    var bytes = Data()
    for sample in samples { for _ in 0..<2 { withUnsafeBytes(of: sample) { bytes.append(contentsOf: $0) } } }
    try bytes.write(to: URL(filePath: "\(scratch.path)/raw"))
    _ = try swiftlet.shell(
      "sox -t raw -e floating-point -b 32 -c 2 -r \(Self.rate) raw \(name) && rm raw")
    return samples
  }

  private func program(_ name: String, _ arguments: String...) throws {
    let path = (Command.path as NSString).deletingLastPathComponent + "/" + name
    let outcome = try swiftlet.run(program: path, arguments, limit: 120)
    #expect(outcome.status == 0, "\(outcome.messages)")
  }

  /// Renders the manifest of an example, in the folder of the sounds.
  private func manifest(_ example: String, _ name: String, _ arguments: String...) throws {
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/\(example)/\(name)").standardized.path
    try FileManager.default.copyItem(atPath: source, toPath: "\(scratch.path)/\(name)")
    let outcome = try swiftlet.run(program: Command.path, ["render", name] + arguments, limit: 120)
    #expect(outcome.status == 0, "\(outcome.messages)")
  }

  /// Returns the number that a shell command prints.
  private func count(_ line: String) throws -> Int? {
    Int(try swiftlet.shell(line).output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test func `a medley is exact to the sample, in WAV and M4A, from program and manifest`() throws {
    let one = try noise("one.wav", seconds: 11, seed: 1), other = try noise("other.wav", seconds: 6, seed: 2)
    try program("Medley", "one.wav", "other.wav")
    try manifest("Medley", "medley.yaml", "-o", "manifest.wav")
    let five = other[..<(5 * Self.rate)]
    let model = one[..<(10 * Self.rate)] + five + five
    for name in ["medley.wav", "manifest.wav"] {
      for channel in 0..<2 {
        let heard = try #require(VoiceFixture.channel(channel, of: 2, "\(scratch.path)/\(name)"))
        #expect(heard.count == 20 * Self.rate)
        let worst = zip(heard, model).enumerated().map { frame, pair in
          let time = Double(frame) / Double(Self.rate)
          let volume = time < 3 ? 1 : time < 6 ? 0.1 + 0.8 * (time - 3) / 3 : 0.9
          return abs(Double(pair.0) - Double(pair.1) * volume)
        }.max()
        #expect((worst ?? 1) < 1e-6)
      }
    }
    #expect(
      VoiceFixture.samples("\(scratch.path)/medley.wav")
        == VoiceFixture.samples("\(scratch.path)/manifest.wav"))
    // The length as other programs report it.
    #expect(try count("soxi -s medley.wav") == 960_000)
    #expect(
      try swiftlet.shell("ffprobe -v error -show_entries stream=duration -of csv=p=0 medley.m4a").output
        == "20.000000\n")
    // The M4A is aligned with the WAV to the frame.
    let best = try count(
      """
      ffmpeg -v error -i medley.m4a -f f32le -ac 2 coded.raw
      python3 -c "
      import array
      a = array.array('f'); a.frombytes(open('coded.raw', 'rb').read()[:960000 * 8])
      b = array.array('f'); b.frombytes(open('medley.wav', 'rb').read()[-960000 * 8:])
      start, length = 700000, 3000
      def match(shift): return sum(a[2 * (start + shift + i)] * b[2 * (start + i)] for i in range(length))
      print(max(range(-30, 31), key=match))"
      """)
    #expect(best == 0)
  }

  @Test func `a movie keeps its picture, with its own sound, a voice and a ducked bed`() throws {
    _ = try swiftlet.shell(
      """
      ffmpeg -v error -f lavfi -i testsrc=s=160x90:r=25:d=12 -f lavfi -i \
      "aevalsrc='if(eq(n,336000),0.9,0)':s=48000:d=12" -c:v libx264 -g 50 -keyint_min 50 -sc_threshold 0 \
      -pix_fmt yuv420p -c:a alac movie.mp4
      """)
    // The voice is silent, so that only the bed is heard.
    _ = try swiftlet.shell("sox -n -r 48000 -c 2 voice.wav trim 0 3")
    let bed = try noise("bed.wav", seconds: 9, seed: 5)
    try program("Movie", "movie.mp4", "bed.wav", "voice.wav")
    try manifest("Movie", "movie.yaml", "-o", "manifest.mp4", "-o", "manifest.wav")
    #expect(try swiftlet.shell("cmp film.mp4 manifest.mp4").status == 0)
    let frames = "-map 0:v -c copy -f framemd5 - | grep -v '#' | awk '{print $NF}'"
    let same = try swiftlet.shell(
      "ffmpeg -v error -i movie.mp4 \(frames) | sed -n 51,250p > a; ffmpeg -v error -i film.mp4 \(frames) | cmp - a"
    )
    #expect(same.status == 0, "\(same.messages)")
    #expect(try count("wc -l < a") == 200)
    let heard = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/manifest.wav"))
    #expect(heard.count == 8 * Self.rate)
    // The click at 7 s of the movie is at 5 s of the film, and the bed is ducked from 2 s to 5 s.
    #expect(abs(heard[240_000] - 0.9) < 0.3 && abs(heard[240_000] - bed[240_000]) > 0.5)
    for (time, wanted) in [(1.0, 1), (2, 0.2512), (4.9, 0.2512), (5.6, 1), (7.5, 0.5)] {
      let first = Int(time * Double(Self.rate))
      let frame = try #require((first..<first + 40).first { abs(bed[$0]) > 0.1 })
      #expect(abs(Double(heard[frame] / bed[frame]) - wanted) < 2e-3 + wanted * 2e-3, "at \(time) s")
    }
  }

  @Test func `a bed fades in, is ducked under a voice, returns, and fades out`() throws {
    let voice = try noise("voice.wav", seconds: 6, seed: 3), bed = try noise("bed.wav", seconds: 17, seed: 4)
    try program("VoiceOver", "voice.wav", "bed.wav")
    try manifest("VoiceOver", "voice-over.yaml", "-o", "manifest.wav")
    #expect(
      VoiceFixture.samples("\(scratch.path)/show.wav") == VoiceFixture.samples("\(scratch.path)/manifest.wav")
    )
    let heard = try #require(VoiceFixture.channel(0, of: 2, "\(scratch.path)/show.wav"))
    #expect(heard.count == 16 * Self.rate)
    /// The factor of the bed at a frame of the output.
    func factor(_ frame: Int) -> Double {
      let time = Double(frame) / Double(Self.rate)
      let spoken: Float =
        switch time {
        case 4..<6: voice[frame - 4 * Self.rate]
        case 9..<12: voice[frame - 7 * Self.rate]
        default: 0
        }
      return Double(heard[frame] - spoken) / Double(bed[frame])
    }
    let down = 0.8 * pow(10, -12.0 / 20)
    let expected: [(Double, Double)] = [
      (0, 0), (1, 0.4), (2, 0.8), (3.79, 0.8),
      // The attack takes 200 ms: after 100 ms half of the decibels are reached.
      (3.9, 0.8 * pow(10, -6.0 / 20)), (4, down), (5.5, down), (6, down),
      // The release takes 500 ms.
      (6.25, 0.8 * pow(10, -6.0 / 20)), (6.5, 0.8), (8.79, 0.8), (9, down), (11.9, down), (12.5, 0.8),
      (14, 0.8),
      (15, 0.4), (15.75, 0.1),
    ]
    for (time, wanted) in expected {
      // A sample near 0 yields no precise factor.
      let first = Int((time * Double(Self.rate)).rounded())
      let frame = try #require((first..<first + 40).first { abs(bed[$0]) > 0.1 })
      #expect(abs(factor(frame) - wanted) < 2e-3 + wanted * 2e-3, "at \(time) s: \(factor(frame))")
    }
  }

  @Test func `music with three volume ramps plays under a voice that enters twice`() throws {
    let music = try noise("music.wav", seconds: 11, seed: 6),
      voice = try noise("voice.wav", seconds: 4, seed: 7)
    try program("Underlay", "music.wav", "voice.wav")
    try manifest("Underlay", "underlay.yaml", "-o", "manifest.wav")
    #expect(
      VoiceFixture.samples("\(scratch.path)/mix.wav") == VoiceFixture.samples("\(scratch.path)/manifest.wav"))
    func volume(_ time: Double) -> Double {
      switch time {
      case ..<2: 0.5
      case ..<3: 0.5 - 0.4 * (time - 2)
      case ..<5: 0.1
      case ..<6: 0.1 + 0.4 * (time - 5)
      case ..<7: 0.5
      case ..<8: 0.5 + 0.4 * (time - 7)
      default: 0.9
      }
    }
    func spoken(_ frame: Int) -> Double {
      for entrance in [2 * Self.rate, 6 * Self.rate]
      where (entrance..<entrance + 3 * Self.rate).contains(frame) {
        return Double(voice[frame - entrance])
      }
      return 0
    }
    for channel in 0..<2 {
      let heard = try #require(VoiceFixture.channel(channel, of: 2, "\(scratch.path)/mix.wav"))
      #expect(heard.count == 10 * Self.rate)
      let worst = heard.indices.map { frame in
        abs(
          Double(heard[frame]) - Double(music[frame]) * volume(Double(frame) / Double(Self.rate))
            - spoken(frame))
      }.max()
      #expect((worst ?? 1) < 1e-6)
    }
  }
}
