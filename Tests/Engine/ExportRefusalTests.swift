// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Exports that are refused, and calls that an export refuses while it runs.
extension ExportTests {
  private func refusal(_ body: (ExportSession, AudioNode, AudioNode) throws -> Void) throws -> String {
    let (engine, output, voice) = try engine()
    let before = names
    do {
      let export = try ExportSession(engine)
      try body(export, output, voice)
      try export.run { _ in }
    } catch {
      #expect(error is ExportError)
      #expect(names == before)
      return "\(error)".replacing(folder + "/", with: "")
    }
    return "nothing"
  }

  @Test func `invalid exports are refused before a file is made`() throws {
    #expect(try refusal { _, _, _ in } == "there is nothing to write: add a file")
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("voice.wav"), of: output))
      } == "'voice.wav' is played by 'voice': write to another file")
    #expect(
      try refusal { export, output, _ in
        // The same file by another name.
        try FileManager.default.createSymbolicLink(
          atPath: path("new.wav"), withDestinationPath: path("music.wav"))
        defer { try? FileManager.default.removeItem(atPath: path("new.wav")) }
        try export.add(ExportFile(path("new.wav"), of: output, overwrites: true))
        try export.check()
      } == "'new.wav' is played by 'music': write to another file")
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("a.wav"), of: output))
        try export.add(ExportFile(path("a.wav"), of: output))
      } == "'a.wav' would be written twice: give each file a name of its own")
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("a.mp3"), as: .wav16, of: output))
      }.hasPrefix("'a.mp3' does not match the preset 'wav16', which is for .wav files"))
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("a.wav"), of: output))
        export.options.range = .seconds(-1)..<(.seconds(1))
      }.hasSuffix("is not valid: begin at 0 or later, and end after that"))
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("a.wav"), of: output))
        export.options.range = .seconds(3)..<(.seconds(4))
      } == "the range begins at 3s, and all that plays has ended at 3s: begin before that")
    #expect(
      try refusal { export, output, voice in
        try export.feed(voice, from: path("voice.wav"))
      }
        == "'voice' cannot receive this file: use a capture node for a sound file, a MIDI input node for a MIDI file"
    )
    #expect(
      try refusal { export, output, _ in
        let other = try AudioEngine(.offline())
        try export.add(ExportFile(path("a.wav"), of: try other.attach(.playback(), name: "far")))
      } == "'far' is not attached to this engine; attach it first")
    // The second of two: the first file, already begun, is removed.
    #expect(
      try refusal { export, output, _ in
        try export.add(ExportFile(path("a.wav"), of: output))
        try export.add(ExportFile(path("nowhere\0.wav"), of: output))
      }.hasSuffix("is not a valid file name; choose another name"))
    #expect(throws: ExportError.self) { try ExportPreset(named: "wav12") }
  }

  @Test func `an export without a length is refused, and an export runs only once`() throws {
    let engine = try AudioEngine(.offline())
    let output = try engine.attach(.playback())
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("a.wav"), of: output))
    #expect { try export.check() } throws: { if case ExportError.endless = $0 { true } else { false } }
    // A refused export has not run.
    #expect { try export.run { _ in } } throws: { if case ExportError.endless = $0 { true } else { false } }
    export.options.range = .zero..<(.milliseconds(10))
    try export.run { _ in }
    #expect(try read("a.wav") == [[Float]](repeating: [Float](repeating: 0, count: 480), count: 2))
    #expect { try export.run { _ in } } throws: {
      if case ExportError.alreadyRun = $0 { true } else { false }
    }
  }

  @Test func `an export to a name that another export is writing is refused`() throws {
    let first = try engine(), second = try engine()
    let export = try ExportSession(first.engine), other = try ExportSession(second.engine)
    try export.add(ExportFile(path("mix.wav"), of: first.output))
    try other.add(ExportFile(path("mix.wav"), of: second.output, overwrites: true))
    var refusals: [String] = []
    try export.run { progress in
      guard refusals.isEmpty, progress.done > .zero else { return }
      do { try other.run { _ in } } catch { refusals.append("\(error)") }
    }
    #expect(refusals.count == 1 && refusals[0].contains("is being written by another program"), "\(refusals)")
    #expect(try read("mix.wav") == rendered(3 * Self.rate))
  }

  @Test func `rendering is refused while an export runs, and the export's file is whole`() throws {
    let (engine, output, _) = try engine()
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("mix.wav"), of: output))
    var refusals = 0, calls = 0
    func render() {
      calls += 1
      do throws(EngineError) { _ = try engine.render(64) } catch {
        if case .isRendering = error { refusals += 1 }
      }
    }
    try export.run { progress in
      guard progress.done > .zero else { return }
      render()
      // Another thread is refused, too.
      let thread = Thread { _ = try? engine.render(64) }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.0001) }
    }
    #expect(calls > 100 && refusals == calls)
    #expect(try read("mix.wav") == rendered(3 * Self.rate))
    _ = try engine.render(64)
  }

  @Test func `if one of several files cannot get its name, none appears`() throws {
    let (engine, output, voice) = try engine()
    let before = names
    let export = try ExportSession(engine)
    try export.add(ExportFile(path("new/mix.wav"), of: output))
    try export.add(ExportFile(path("voice-alone.wav"), of: voice))
    var isTaken = false
    #expect(throws: ExportError.self) {
      try export.run { _ in
        // Another program takes the name meanwhile.
        if !isTaken {
          isTaken = FileManager.default.createFile(atPath: path("voice-alone.wav"), contents: nil)
        }
      }
    }
    #expect(names == (before + ["voice-alone.wav"]).sorted())
  }
}
