// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Plays a song on a JACK client named headphones: `swift run Unplugged song.wav 60`. When the headphones are
// unplugged, the player pauses, and the program prints the ports that it was heard on; when they are back, it resumes.
// While another program's session or the loss of the server interrupts this one, the player waits.

import Swiftlet

@main struct Unplugged {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 2, let seconds = Double(words[1]) else { return print("Unplugged FILE SECONDS") }
    let engine = try AudioEngine(client: "unplugged")
    try engine.setSession(AudioSession(.playback, ports: [.name("headphones")]))
    let song = try engine.attachPlayer(name: "song")
    try song.schedule(.file(words[0], loop: .forever))
    try engine.connect(song, to: engine.mainOutput)
    let observation = engine.observe { event in
      switch event {
      case .routeChange(let change, let paused) where !paused.isEmpty:
        print("\(paused[0]) paused; it was heard on \(change.previous.physicalOutputs.sorted())")
      case .routeChange(let change, _) where change.reason == .newDeviceAvailable:
        print("\(engine.resumePlayers()) goes on, heard on \(change.current.physicalOutputs.sorted())")
      case .interruption(.began(let reason)): print("interrupted: \(reason)")
      case .interruption(.ended(_, let resumes)): print(resumes ? "playing on" : "still paused")
      default: break
      }
    }
    defer { observation.cancel() }
    try engine.start()
    try song.play()
    print("playing \(words[0]) on the headphones for \(seconds) s")
    while engine.now.seconds < seconds { try await Task.sleep(for: .milliseconds(20)) }
    engine.close()
  }
}
