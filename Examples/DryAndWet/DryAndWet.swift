// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Record a voice before and after its effects, aligned to the sample: `swift run DryAndWet 10`, with a JACK
// server running. Both takes begin at the same instant, whatever the effects do.

import Swiftlet

@main struct DryAndWet {
  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
    let engine = try AudioEngine(.jack(name: "dry-and-wet"))
    let voice = try engine.attach(.capture(channels: 1), name: "voice")
    let echo = try engine.attach(.effect("delay"), name: "echo")
    let ear = try engine.attach(.playback(channels: 2), name: "ear")
    try engine.connect(voice, echo, ear)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("dry", on: voice, file: "{tap}-{take}.wav", format: "24-bit")
    try recorder.add("wet", on: echo, file: "{tap}-{take}.flac")
    try engine.start()
    try recorder.start()
    try await Task.sleep(for: .seconds(seconds))

    for take in recorder.finish() {
      print("\(take.path): \(take.seconds) s, peak \(take.peak) dBFS, \(take.lostFrames) frames lost")
    }
    engine.close()
  }
}
