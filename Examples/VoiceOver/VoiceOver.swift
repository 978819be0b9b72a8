// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// A music bed fades in, is ducked under a voice that speaks twice, returns in between, and fades out: `swift run
// VoiceOver voice.wav bed.wav` makes show.wav, `… live` plays the same samples in JACK.
// voice-over.yaml does the same; `swiftlet graph voice-over.yaml --automation` draws its volume over time.

import Swiftlet

@main struct VoiceOver {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count > 1 else { return print("usage: VoiceOver voice.wav bed.wav [live]") }
    var show = Composition()
    for track: TrackID in ["voice", "bed"] { try show.add(track) }
    try show.insert(.zero..<(.seconds(2)), of: AssetReference(words[0]), at: .seconds(4), in: "voice")
    try show.insert(.seconds(2)..<(.seconds(5)), of: AssetReference(words[0]), at: .seconds(9), in: "voice")
    try show.insert(.zero..<(.seconds(16)), of: AssetReference(words[1]), in: "bed")
    var mix = AudioMix()
    try mix["bed"].setVolumeRamp(from: 0, to: 0.8, in: .zero..<(.seconds(2)), curve: .sCurve)
    try mix["bed"].setVolumeRamp(from: 0.8, to: 0, in: .seconds(14)..<(.seconds(16)))
    mix["bed"].duck(under: show.tracks[0].segments.map(\.range))

    guard words.last == "live" else {
      let files = try await ExportSession(show, mix: mix).run(to: ["show.wav"])
      return print("\(files[0].path): peak \(files[0].peak) dBFS")
    }
    let engine = try AudioEngine(client: "voice-over")
    try engine.attach(show, mix: mix, to: engine.mainOutput)
    try engine.start()
    print("playing for \(show.duration)")
    while engine.timelineTime.seconds < 16.1 { try await Task.sleep(for: .milliseconds(20)) }
    engine.close()
  }
}
