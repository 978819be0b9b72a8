// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

/// The programs in `Examples` and their manifests, on a JACK server.
extension JackGraphTests {
  /// Copies an example's manifest into the test's folder.
  func manifest(_ example: String, _ name: String) throws {
    let source = URL(filePath: #filePath).appending(path: "../../../Examples/\(example)/\(name)")
    try FileManager.default.copyItem(atPath: source.standardized.path, toPath: "\(scratch.path)/\(name)")
  }

  /// Writes a file of noise, so that no frame equals another.
  private func noise(_ name: String, seconds: Int, channels: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = Data()
    for _ in 0..<seconds * 48_000 * channels {
      withUnsafeBytes(of: Float.random(in: -0.3...0.3, using: &generator)) { bytes.append(contentsOf: $0) }
    }
    try bytes.write(to: URL(filePath: "\(scratch.path)/raw"))
    _ = try swiftlet.shell("sox -t raw -e floating-point -b 32 -c \(channels) -r 48000 raw \(name) && rm raw")
  }

  /// Runs a command while another client plays a looped sound into one of its ports: noise by default.
  func runWithInput(_ sound: String? = nil, into port: String, _ line: String) throws -> Command.Outcome {
    if sound == nil { try noise("noise.wav", seconds: 3, channels: 1, seed: 5) }
    try scratch.write(
      """
      swiftlet: 1
      name: singer
      nodes: { song: { player: \(sound ?? "noise.wav"), loop: forever }, mouth: { playback: mono, connect: "\(port)" } }
      wires: [ song -> mouth ]
      """, to: "singer.yaml")
    return try swiftlet.shell(
      Self.mortal
        + """
        server
        export JACK_DEFAULT_SERVER=$name
        swiftlet run singer.yaml -q > singer 2>&1 & singer=$!
        for n in $(seq 300); do timeout -s KILL 10 jack_lsp -s $name | grep -q singer:mouth && break; sleep 0.1; done
        sleep 0.5
        timeout -s KILL 10 jack_lsp -s $name -l > latencies
        \(line) > words 2>&1; echo "status $?"
        kill -INT $singer; wait $singer
        kill -TERM $server; wait $server
        """, limit: 150)
  }

  /// Returns one channel of a take, as read by sox.
  func samples(_ name: String, _ channel: Int = 1) throws -> [Float] {
    _ = try swiftlet.shell("sox \(name) -t f32 raw remix \(channel)")
    let bytes = FileManager.default.contents(atPath: "\(scratch.path)/raw") ?? Data()
    return bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map {
        Float(bitPattern: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
      }
    }
  }

  /// Returns the latency of one kind that JACK reports for a port, in frames.
  func latency(_ port: String, _ kind: String) throws -> Int {
    let lines = scratch.text("latencies").split(separator: "\n")
    let start = try #require(lines.firstIndex { $0 == port }, "\(port) is not among \(lines)")
    let line = try #require(lines[start...].first { $0.contains("port \(kind) latency") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.last)
  }

  @Test(arguments: [
    ("DryAndWet 3", "main-input"), ("swiftlet run dry-and-wet.yaml --for 3 --takes takes", "voice"),
  ]) func `takes before and after a reverb are aligned to the sample`(line: String, port: String) throws {
    try manifest("DryAndWet", "dry-and-wet.yaml")
    let outcome = try runWithInput(into: "dry-and-wet:\(port)", line)
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(scratch.text("words"))")
    #expect(scratch.text("words").contains("takes/wet-001.wav"), "\(scratch.text("words"))")
    let dry = try samples("takes/dry-001.wav"), wet = try samples("takes/wet-001.wav")
    // On a busy machine the server skips periods.
    try #require(dry.count == wet.count && dry.count > 90_000, "\(dry.count) \(wet.count)")
    // The dry voice is at the same frame in both takes, despite the limiter's look-ahead before the wet one.
    let start = 30_000, length = 20_000
    func likeness(_ shift: Int) -> Float {
      (start..<start + length).reduce(Float(0)) { $0 + dry[$1] * wet[$1 + shift] }
    }
    #expect((-400...400).max { likeness($0) < likeness($1) } == 0)
  }

  @Test(arguments: [
    ("Karaoke song.wav 3 3", "main-input"),
    ("swiftlet run karaoke.yaml --set song.pitch=3 --for 3 --takes takes", "voice"),
  ]) func `karaoke records the mix, the transposed song and the voice`(line: String, port: String) throws {
    try VoiceFixture.sine("\(scratch.path)/song.wav", seconds: 20)
    try manifest("Karaoke", "karaoke.yaml")
    let outcome = try runWithInput(into: "karaoke:\(port)", line)
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(scratch.text("words"))")
    // Three semitones above 440 Hz; sox estimates the frequency of one channel only.
    _ = try swiftlet.shell("sox takes/song-001.wav song-left.wav remix 1")
    let pitch = try #require(try VoiceFixture.stat("\(scratch.path)/song-left.wav", "Rough   frequency"))
    #expect(abs(pitch - 523.25) < 6, "\(pitch) Hz")
    let mix = try samples("takes/mix-001.wav"), song = try samples("takes/song-001.wav")
    let voice = try samples("takes/voice-001.wav")
    // On a busy machine the server skips periods.
    let shortest = min(mix.count, song.count, voice.count)
    try #require(shortest > 76_000)
    #expect(voice.contains { abs($0) > 0.05 })
    // The mix is song plus voice. In its own take the voice is earlier by the latency from the song through the
    // outputs and inputs.
    let gain = Float(pow(10, -6.0 / 20))
    func isSum(_ late: Int) -> Bool {
      stride(from: 20_000, to: 70_000, by: 7).allSatisfy { frame in
        abs(mix[frame + late] - gain * song[frame + late] - voice[frame]) < 1e-5
      }
    }
    let late = (0..<6000).first(where: isSum)
    // The limiter's look-ahead at 48 kHz, and the latency of the card that the server reports.
    let card = try latency("system:capture_1", "capture") + latency("system:playback_1", "playback")
    #expect(
      card >= 1024 && late == card + 91, "\(late ?? -1), not \(card) + 91: \(scratch.text("latencies"))")
  }

  @Test(arguments: [
    ("VoiceOver voice.wav bed.wav", "voice-over", "show.wav", 16),
    ("Underlay bed.wav voice.wav", "underlay", "mix.wav", 10),
  ]) func `a voice over a bed sounds the same live as exported`(
    line: String, client: String, file: String, seconds: Int
  ) throws {
    try noise("voice.wav", seconds: 6, channels: 2, seed: 3)
    try noise("bed.wav", seconds: 17, channels: 2, seed: 4)
    try writeEar(hearing: "\(client):main-output_1", "\(client):main-output_2")
    let outcome = try swiftlet.shell(
      Self.mortal
        + """
        \(line)
        server
        listen
        \(line) live > words; echo "status $?"
        kill -INT $ear; wait $ear; echo "ear $?"
        kill -TERM $server; wait $server
        """, limit: 150)
    #expect(outcome.output.contains("status 0\near 0\n"), "\(outcome.output) \(outcome.messages)")
    #expect(scratch.text("words").contains("\(seconds)"), "\(scratch.text("words"))")
    for channel in 0..<2 {
      let show = try #require(VoiceFixture.channel(channel, of: 2, "\(scratch.path)/\(file)"))
      let heard = try #require(VoiceFixture.channel(channel, of: 2, "\(scratch.path)/heard.wav"))
      let pattern = show[48_000..<48_032]
      let index = try #require(
        heard.indices.dropLast(32).first { index in
          heard[index] == pattern.first && heard[index..<index + 32].elementsEqual(pattern)
        })
      // From the end of the engine's fade-in of 300 ms to the end.
      let start = index - 48_000, from = 14_400, to = min(show.count, heard.count - start)
      #expect(to == seconds * 48_000)
      #expect(show[from..<to].elementsEqual(heard[(start + from)..<(start + to)]))
    }
  }

  @Test func `the manifests of players and a recorder do what the programs do`() throws {
    for (example, name) in [
      ("LoopPlayer", "loop-player.yaml"), ("Looper", "looper.yaml"), ("VoiceMemo", "voice-memo.yaml"),
    ] { try manifest(example, name) }
    try noise("song.wav", seconds: 1, channels: 1, seed: 7)
    for file in ["drums", "bass", "keys"] { _ = try swiftlet.shell("cp song.wav \(file).wav") }
    let outcome = try runWithInput(
      into: "voice-memo:voice",
      """
      { swiftlet run loop-player.yaml --for 1 && swiftlet run looper.yaml --for 1 \\
        && swiftlet run voice-memo.yaml --for 1; }
      """)
    let words = scratch.text("words")
    #expect(outcome.output.contains("status 0\n"), "\(outcome.output) \(words)")
    #expect(words.contains("song -"), "\(words)")
    let probe = "ffprobe -v error -show_entries stream=codec_name,sample_rate,channels -of csv=p=0"
    #expect(try swiftlet.shell("\(probe) memo-001.caf").output == "adpcm_ima_qt,22050,1\n")
    #expect(try swiftlet.shell("\(probe) memo-001.m4a").output == "aac,48000,1\n")
  }
}
