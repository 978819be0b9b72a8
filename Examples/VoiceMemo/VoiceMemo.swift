// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Record a voice to two files at once: IMA 4:1 in a small CAF file at 22,050 Hz, and AAC in an M4A file.
// `swift run VoiceMemo 10`, with a JACK server running and, for AAC, ffmpeg installed.

import Swiftlet

@main struct VoiceMemo {
  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
    let engine = try AudioEngine(client: "voice-memo")
    let voice = engine.mainInput
    let recorders = try [
      AudioRecorder("takes/memo-{take}.caf", of: voice, options: .init(format: "ima4", rate: 22_050)),
      AudioRecorder("takes/memo-{take}.m4a", of: voice, options: .init(quality: .bitRate(96_000))),
    ]
    try engine.start()
    let start = engine.now + .milliseconds(200)
    for recorder in recorders { try recorder.record(at: start, for: .seconds(seconds)) }
    for await event in recorders[0].events {
      if case .ended = event { break }
    }
    for take in recorders.compactMap({ $0.stop() }) {
      print("\(take.path): \(take.duration), peak \(take.peak) dBFS, \(take.lostFrames) frames lost")
    }
    engine.close()
  }
}
