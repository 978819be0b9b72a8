// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Plays a song and records the main input, and survives the end of the JACK server: `swift run Comeback song.wav 60`.
// Kill and restart the server meanwhile: player and takes continue where they stopped, with the same connections.

import Swiftlet

@main struct Comeback {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 2, let seconds = Double(words[1]) else { return print("Comeback FILE SECONDS") }
    let engine = try AudioEngine(client: "comeback")
    let song = try engine.attachPlayer(name: "song")
    try song.schedule(.file(words[0]))
    try engine.connect(song, to: engine.mainOutput)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("voice", on: engine.mainInput, file: "{tap}-{take}.wav")
    try recorder.add("song", on: song, file: "{tap}-{take}.wav")
    let observation = engine.observe { event in
      switch event {
      case .interruption(.began(let reason)): print("began: \(reason), at \(engine.now.seconds) s")
      case .interruption(.ended(_, let resumes)): print("ended: \(resumes ? "plays on" : "paused")")
      default: break
      }
    }
    defer { observation.cancel() }
    try engine.start()
    try recorder.start()
    try song.play()
    print("plays \(words[0]) and records for \(seconds) s")
    while engine.now.seconds < seconds { try await Task.sleep(for: .milliseconds(20)) }

    for take in recorder.finish() {
      for gap in take.gaps { print("\(take.path): \(gap.count) frames lost at frame \(gap.frame)") }
    }
    engine.close()
  }
}
