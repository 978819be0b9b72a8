// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Loops that start on one frame and have one rate: `swift run Looper drums.wav bass.wav keys.wav`, with a JACK
// server running. Every four seconds all change to another rate on one frame; ^C ends.

import Swiftlet

@main struct Looper {
  static func main() async throws {
    let files = CommandLine.arguments.dropFirst().prefix { Double($0) == nil }
    guard !files.isEmpty else { return print("usage: Looper FILE... [SECONDS]") }
    let seconds = CommandLine.arguments.last.flatMap(Double.init) ?? 3600
    let engine = try AudioEngine(client: "looper")
    let players = try files.map { try AudioPlayer($0, on: engine, to: engine.mainOutput, enablesRate: true) }
    for player in players {
      try player.loop(.forever)
      try player.setVolume(0.5)
      try player.prepare()
    }
    // Far enough ahead for each call to be in time.
    let start = engine.now + .milliseconds(200)
    for player in players { try player.play(at: start) }
    for turn in 1...max(Int(seconds / 4), 1) {
      try await Task.sleep(for: .seconds(min(seconds, 4)))
      let next = engine.now + .milliseconds(500), rate = turn % 2 == 0 ? 1 : 1.25
      for player in players { try player.setRate(rate, at: next) }
      print(
        "at \(rate) of the speed:",
        players.map { "\(Int($0.currentTime.seconds * 1000)) ms" }.joined(separator: ", "))
    }
    // A player ends with its last reference: this keeps all players until the engine has faded out.
    withExtendedLifetime(players) { engine.close() }
  }
}
