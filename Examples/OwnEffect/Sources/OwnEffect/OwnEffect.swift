// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// An effect of this package, attached to an engine like a built-in one: `swift run` in this folder. It needs no JACK
// server.

import Swiftlet

@main struct OwnEffect {
  static func main() throws {
    let engine = try AudioEngine.offline()
    let source = try engine.attachInput(channels: 1, name: "source")
    let folder = try engine.attach(Folder.self, channels: 1)
    let output = try engine.attachOutput(channels: 1, name: "desk")
    try engine.connect(source, folder, output)
    folder.threshold.value = 0.25

    let out = try engine.render(4, from: [source: AudioBuffer([[0.125, 0.5, -0.375, 1]])])
    print("folded:", out[output]?[0] ?? [])
  }
}
