// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Ten seconds of music whose volume falls, rises, and rises again, under a voice that enters at 2 s and at 6 s: `swift
// run Underlay music.wav voice.wav` makes mix.wav, `… live` plays the same samples in JACK, as a player's item.
// underlay.yaml does the same.

import Swiftlet

@main struct Underlay {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count > 1 else { return print("usage: Underlay music.wav voice.wav [live]") }
    var piece = Composition()
    for track: TrackID in ["music", "voice"] { try piece.add(track) }
    try piece.insert(.zero..<(.seconds(10)), of: AssetReference(words[0]), in: "music")
    for entrance in [2, 6] {
      try piece.insert(
        .zero..<(.seconds(3)), of: AssetReference(words[1]), at: .seconds(entrance), in: "voice")
    }
    var mix = AudioMix()
    try mix["music"].setVolume(0.5, at: .zero)
    try mix["music"].setVolumeRamp(from: 0.5, to: 0.1, in: .seconds(2)..<(.seconds(3)))
    try mix["music"].setVolumeRamp(from: 0.1, to: 0.5, in: .seconds(5)..<(.seconds(6)))
    try mix["music"].setVolumeRamp(from: 0.5, to: 0.9, in: .seconds(7)..<(.seconds(8)))

    guard words.last == "live" else {
      let files = try await ExportSession(piece, mix: mix).run(to: ["mix.wav"])
      return print("\(files[0].path): peak \(files[0].peak) dBFS")
    }
    let engine = try AudioEngine(client: "underlay")
    let player = try engine.attachPlayer()
    try engine.connect(player, to: engine.mainOutput)
    try player.schedule(.composition(piece, mix: mix))
    try player.play()
    try engine.start()
    print("playing for \(piece.duration)")
    while player.isPlaying || engine.now.seconds < 10.1 {
      try await Task.sleep(for: .milliseconds(20))
    }
    engine.close()
  }
}
