// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Ten seconds of one file, then five of another twice, with a fade-in from 3 s to 6 s, exact to the sample: `swift run
// Medley one.wav other.wav` makes medley.wav and medley.m4a. `swiftlet render medley.yaml` does the same.

import Swiftlet

@main struct Medley {
  static func main() async throws {
    let files = CommandLine.arguments.dropFirst().map { AssetReference($0) }
    guard files.count == 2 else { return print("usage: Medley one.wav other.wav") }
    var song = Composition()
    try song.add("music")
    try song.insert(.zero..<(.seconds(10)), of: files[0], in: "music")
    for _ in 0..<2 { try song.insert(.zero..<(.seconds(5)), of: files[1], in: "music") }
    var mix = AudioMix()
    try mix["music"].setVolumeRamp(from: 0.1, to: 0.9, in: .seconds(3)..<(.seconds(6)))

    for file in try await ExportSession(song, mix: mix).run(to: ["medley.wav", "medley.m4a"]) {
      print("\(file.path): \(file.frameCount) frames, peak \(file.peak) dBFS")
    }
  }
}
