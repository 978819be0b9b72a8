// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Hear yourself through effects: `swift run EarReturn`, with a JACK server running.

import Swiftlet

@main struct EarReturn {
  static func main() async throws {
    let engine = try AudioEngine(.jack(name: "ear-return"))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let tone = try engine.attach(.effect("equalizer", channels: 1, bands: 2), name: "tone")
    let echo = try engine.attach(.effect("delay"), name: "echo")
    let ear = try engine.attach(.playback(channels: 2), name: "ear")

    try tone.set("bands[1].type", to: "high-pass")
    try tone.set("bands[1].frequency", to: 90)
    try tone.set("bands[2].frequency", to: 3000)
    try tone.set("bands[2].gain", to: 3)
    try echo.set("time", to: 320)
    try echo.set("mix", to: 20)

    try engine.connect(voice, tone, echo, ear)
    try engine.start()
    print("playing at \(engine.sampleRate) Hz; press ^C to end")
    for await event in engine.events { print(event) }
  }
}
