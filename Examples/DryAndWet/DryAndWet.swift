// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Sing through reverb, hear yourself, and record both the voice as it is and as it is heard, aligned to the sample:
// `swift run DryAndWet 10`, with a JACK server running. Whatever the effects do, both takes begin at one instant of
// the voice. dry-and-wet.yaml says the same.

import Swiftlet

@main struct DryAndWet {
  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
    let engine = try AudioEngine(.jack(name: "dry-and-wet"))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let tone = try engine.attach(.effect("equalizer", channels: 1, bands: 1), name: "tone")
    let level = try engine.attach(.effect("limiter", channels: 1), name: "level")
    let hall = try engine.attach(.effect("reverb"), name: "hall")
    let ear = try engine.attach(.playback(channels: 2), name: "ear")
    try tone.set("bands[1].type", to: "high-pass")
    try tone.set("bands[1].frequency", to: 90)
    try hall.load(preset: "large-hall")
    try hall.set("mix", to: 30)
    try engine.connect(voice, tone, level, hall, ear)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("dry", on: voice, file: "{tap}-{take}.wav", format: "24-bit")
    try recorder.add("wet", on: hall, file: "{tap}-{take}.wav", format: "24-bit")
    try engine.start()
    try recorder.start()
    print("sing: \(seconds) s are recorded")
    let end = engine.currentTime.seconds + seconds
    while engine.currentTime.seconds < end { try await Task.sleep(for: .milliseconds(20)) }
    for take in recorder.finish() {
      print("\(take.path): \(take.frameCount) frames, peak \(Int(take.peak)) dBFS, \(take.lostFrames) lost")
    }
    engine.close()
  }
}
