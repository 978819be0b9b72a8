// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Sing to a song in another key: `swift run Karaoke song.flac -2 180` plays it two semitones lower for three minutes,
// with a JACK server running. On disk are the mix as it was heard, and song and voice by themselves: there the voice,
// with its effects, lies where it was sung to the song, however long sound takes through the studio.

import Swiftlet

@main struct Karaoke {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst()), numbers = words.dropFirst().compactMap(Double.init)
    guard numbers.count == 2 else { return print("usage: Karaoke FILE SEMITONES SECONDS") }
    let engine = try AudioEngine(client: "karaoke")
    let song = try engine.attachPlayer(enablesStretch: true)
    try song.setStretch(Stretch(pitch: numbers[0]))
    try song.schedule(.file(words[0]))
    let voice = try engine.attachInput(name: "voice")
    let level = try engine.attach(Compressor.self, channels: 1, name: "level")
    let hall = try engine.attach(Reverb.self, name: "hall")
    let main = try engine.attachMixer(name: "main")
    let desk = try engine.attachOutput(ceiling: .decibels(-1), name: "desk")
    hall.mix.value = .percent(25)
    try engine.connect(voice, level, hall, main, desk)
    try engine.connect(song, to: main).gain.value = .decibels(-6)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("mix", on: main, file: "{tap}-{take}.wav")
    try recorder.add("song", on: song, file: "{tap}-{take}.wav")
    try recorder.add("voice", on: hall, file: "{tap}-{take}.wav", options: .init(heardThrough: desk))
    try engine.start()
    try recorder.start()
    try song.play()
    print("sing to \(words[0]), \(numbers[0]) semitones away, for \(numbers[1]) s")
    let end = engine.currentTime.seconds + numbers[1]
    while engine.currentTime.seconds < end { try await Task.sleep(for: .milliseconds(20)) }
    for take in recorder.finish() {
      print("\(take.path): \(take.frameCount) frames, peak \(Int(take.peak)) dBFS")
    }
    engine.close()
  }
}
