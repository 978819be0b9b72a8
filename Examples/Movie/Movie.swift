// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Eight seconds of a movie with its own sound, a voice-over from 2 s on, and a music bed ducked under it: `swift run
// Movie movie.mp4 bed.wav voice.wav` makes film.mp4. `swiftlet render movie.yaml -o film.mp4` does the same.

import Swiftlet

@main struct Movie {
  static func main() async throws {
    let files = CommandLine.arguments.dropFirst().map { AssetReference($0) }
    guard files.count == 3 else { return print("usage: Movie movie.mp4 bed.wav voice.wav") }
    let scene: Range<MediaTime> = .seconds(2)..<(.seconds(10))
    var film = Composition()
    for track: TrackID in ["own", "bed", "voice"] { try film.add(track) }
    try film.video.insert(scene, of: files[0])
    try film.insert(scene, of: files[0], in: "own")
    try film.insert(.zero..<(.seconds(8)), of: files[1], in: "bed")
    try film.insert(.zero..<(.seconds(3)), of: files[2], at: .seconds(2), in: "voice")
    var mix = AudioMix()
    mix["bed"].duck(under: film.tracks[2].segments.map(\.range))
    try mix["bed"].setVolumeRamp(from: 1, to: 0, in: .seconds(7)..<(.seconds(8)))

    for file in try await ExportSession(film, mix: mix).run(to: ["film.mp4"]) {
      print("\(file.path): \(file.picture?.description ?? "no picture")")
    }
  }
}
