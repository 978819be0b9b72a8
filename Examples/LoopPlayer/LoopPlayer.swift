// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Play a file in a loop, a little slower and to the left, and print its level: `swift run LoopPlayer song.flac`, with a
// JACK server running. The optional second argument is the time in seconds.

import Swiftlet

@main struct LoopPlayer {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first else { return print("usage: LoopPlayer FILE [SECONDS]") }
    let seconds = arguments.dropFirst().first.flatMap(Double.init) ?? 60
    let player = try AudioPlayer(path)
    try player.loop(.forever)
    try player.setRate(0.9)
    try player.setPan(-0.3)
    try player.setVolume(0)
    try player.play()
    try player.setVolume(0.8, over: .seconds(1))
    print("\(path): \(player.duration), again and again")

    let meter = try player.engine.installMeter(on: player.player)
    var left = Int(15 * seconds)
    for await reading in meter.readings(every: .milliseconds(66)) {
      let levels = reading.channels.map { "\(Int($0.averagePower)) dB, peak \(Int($0.peakPower)) dB" }
      print(Int(player.currentTime.seconds * 1000), "ms:", levels.joined(separator: " | "))
      left -= 1
      if left <= 0 { break }
    }
    player.stop()
  }
}
