// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Plays a song on what is called headphones, for so many seconds: `swift run Unplugged song.wav 60`. Where those are
// unplugged it pauses, and says on what it was heard; where they come back it goes on.

import Swiftlet

@main struct Unplugged {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 2, let seconds = Double(words[1]) else { return print("Unplugged FILE SECONDS") }
    let engine = try AudioEngine(client: "unplugged")
    let song = try engine.attachPlayer(name: "song")
    try song.schedule(.file(words[0], loop: .forever))
    let desk = try engine.attachOutput(connect: .ports(["headphones"]), name: "desk")
    try engine.connect(song, desk)
    let observation = engine.observe { event in
      guard case .routeChange(let change, let paused) = event else { return }
      if !paused.isEmpty {
        print("\(paused[0]) paused; it was heard on \(change.previous.physicalOutputs.sorted())")
      } else if change.reason == .newDeviceAvailable, !change.current.physicalOutputs.isEmpty {
        print("\(engine.resumePlayers()) goes on, heard on \(change.current.physicalOutputs.sorted())")
      }
    }
    defer { observation.cancel() }
    try engine.start()
    try song.play()
    print("plays \(words[0]) on what is called headphones, for \(seconds) s")
    while engine.currentTime.seconds < seconds { try await Task.sleep(for: .milliseconds(20)) }
    engine.close()
  }
}
