// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Two players, one of them through an echo, meet in the main mixer, and a tap there writes the mix to a file: `swift
// run TappedMix drums.wav keys.wav 10` plays them with a JACK server running, and writes ten seconds to mix.wav.

import Swiftlet

@main struct TappedMix {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 3, let seconds = Double(words[2]) else {
      return print("usage: TappedMix DRUMS KEYS SECONDS")
    }
    let engine = try AudioEngine(client: "tapped-mix")
    let drums = try engine.attachPlayer(), keys = try engine.attachPlayer()
    let echo = try engine.attach(Delay.self, preset: .slapback)
    echo.lowPass.value = .hertz(20_000)
    try engine.connect(drums, to: echo)
    try engine.connect(echo, to: engine.mainMixer).gain.value = .decibels(-3)
    try engine.connect(keys, to: engine.mainMixer).pan.value = -0.5

    let format = try AudioFormat(sampleRate: engine.sampleRate, channelCount: 2)
    let file = try AudioFile(writing: "mix.wav", format: format)
    try engine.start()
    let tap = try engine.installTap(on: engine.mainMixer)
    let start = engine.now + .milliseconds(300)
    for (player, path) in [(drums, words[0]), (keys, words[1])] {
      try player.schedule(.file(path, loop: .forever))
      try player.play(at: start)
    }
    for await buffer in tap {
      try file.write(buffer.samples)
      if file.length >= Int(seconds * engine.sampleRate) { break }
    }
    engine.close()
    try file.close()
    print("mix.wav: \(file.length) frames, \(tap.lostFrames) lost")
  }
}
