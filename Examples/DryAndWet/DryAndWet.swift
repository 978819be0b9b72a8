// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Sing through reverb, hear yourself, and record the voice before and after the effects, aligned to the sample:
// `swift run DryAndWet 10`, with a JACK server running. Both takes begin at one instant of the voice, whatever latency
// the effects have. dry-and-wet.yaml does the same.

import Swiftlet

@main struct DryAndWet {
  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
    let engine = try AudioEngine(client: "dry-and-wet")
    let tone = try engine.attach(Equalizer.self, channels: 1, bands: 1)
    let level = try engine.attach(Limiter.self, channels: 1)
    let hall = try engine.attach(Reverb.self, preset: .largeHall)
    tone.bands[0].type.value = .highPass
    tone.bands[0].frequency.value = .hertz(90)
    hall.mix.value = .percent(30)
    try engine.connect(engine.mainInput, tone, level, hall, engine.mainOutput)

    let recorder = Recorder(engine, folder: "takes")
    try recorder.add("dry", on: engine.mainInput, file: "{tap}-{take}.wav", options: .init(format: "24-bit"))
    try recorder.add("wet", on: hall, file: "{tap}-{take}.wav", options: .init(format: "24-bit"))
    try engine.start()
    try recorder.start()
    print("recording \(seconds) s")
    let end = engine.now.seconds + seconds
    while engine.now.seconds < end { try await Task.sleep(for: .milliseconds(20)) }
    for take in recorder.finish() {
      print("\(take.path): \(take.frameCount) frames, peak \(Int(take.peak)) dBFS, \(take.lostFrames) lost")
    }
    engine.close()
  }
}
