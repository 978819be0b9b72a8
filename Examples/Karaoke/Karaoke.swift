// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Sing to a song in another key: `swift run Karaoke song.flac -2 180` plays it two semitones lower for three minutes,
// with a JACK server running. It records the mix as it is heard, and song and voice separately. The voice, with its
// effects, is aligned with the song: the latency of playback and capture is removed.

import Swiftlet

@main struct Karaoke {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst()), numbers = words.dropFirst().compactMap(Double.init)
    guard numbers.count == 2 else { return print("usage: Karaoke FILE SEMITONES SECONDS") }
    let engine = try AudioEngine(client: "karaoke")
    let song = try engine.attachPlayer(enablesStretch: true)
    try song.setStretch(Stretch(pitch: numbers[0]))
    try song.schedule(.file(words[0]))
    let level = try engine.attach(Compressor.self, channels: 1)
    let hall = try engine.attach(Reverb.self)
    let limiter = try engine.attach(Limiter.self, preset: .safety)
    hall.mix.value = .percent(25)
    try engine.connect(engine.mainInput, level, hall, engine.mainMixer, limiter, engine.mainOutput)
    try engine.connect(song, to: engine.mainMixer).gain.value = .decibels(-6)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("mix", on: engine.mainMixer, file: "{tap}-{take}.wav")
    try recorder.add("song", on: song, file: "{tap}-{take}.wav")
    try recorder.add(
      "voice", on: hall, file: "{tap}-{take}.wav", options: .init(heardThrough: engine.mainOutput))
    try engine.start()
    try recorder.start()
    try song.play()
    print("playing \(words[0]), transposed by \(numbers[0]) semitones, for \(numbers[1]) s")
    let end = engine.now.seconds + numbers[1]
    while engine.now.seconds < end { try await Task.sleep(for: .milliseconds(20)) }
    for take in recorder.finish() {
      print("\(take.path): \(take.frameCount) frames, peak \(Int(take.peak)) dBFS")
    }
    engine.close()
  }
}
