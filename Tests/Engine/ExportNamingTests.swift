// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

/// Exports of compositions without an explicit engine, to files by name.
@Suite struct ExportNamingTests {
  /// The progress that an export reported.
  private final class ReportLog: Sendable { let parts = Mutex<[Double]>([]) }

  private let show: Show
  private let composition: Composition
  private let mix: AudioMix

  init() throws {
    show = try Show()
    var composition = Composition()
    for track: TrackID in ["output-1", "voice"] { try composition.add(track) }
    try composition.insert(.zero..<(.seconds(2)), of: AssetReference(show.path("bed.wav")), in: "output-1")
    try composition.insert(
      .zero..<(.seconds(1)), of: AssetReference(show.path("voice.wav")), at: .seconds(1), in: "voice")
    var mix = AudioMix()
    try mix["output-1"].setVolumeRamp(from: 1, to: 0.2, in: .zero..<(.seconds(1)))
    try mix.master.setVolume(0.5, at: .zero)
    (self.composition, self.mix) = (composition, mix)
  }

  @Test func `a composition's export equals that of an engine built by hand`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 44_100))
    let output = try engine.attach(.playback(), name: "desk")
    try engine.attach(composition, mix: mix, to: output)
    let byHand = try ExportSession(engine)
    try byHand.add(ExportFile(show.path("by-hand.wav"), of: output))
    _ = try await byHand.run()

    let log = ReportLog()
    let files = try await ExportSession(composition, mix: mix, sampleRate: 44_100)
      .run(to: [show.path("song.wav"), show.path("song.flac")]) { progress in
        log.parts.withLock { $0.append(progress.part) }
      }
    #expect(files.map(\.path) == [show.path("song.wav"), show.path("song.flac")])
    #expect(files.map(\.frameCount) == [88_200, 88_200])
    #expect(
      FileManager.default.contents(atPath: show.path("song.wav"))
        == FileManager.default.contents(atPath: show.path("by-hand.wav")))
    let parts = log.parts.withLock(\.self)
    #expect(parts.last == 1 && parts == parts.sorted())
  }

  @Test func `files are overwritten only on request`() async throws {
    let path = show.path("bed-copy.wav")
    _ = try await ExportSession(composition).run(to: [path])
    let first = FileManager.default.contents(atPath: path)
    await #expect(throws: ExportError.self) { try await ExportSession(composition, mix: mix).run(to: [path]) }
    #expect(FileManager.default.contents(atPath: path) == first)
    _ = try await ExportSession(composition, mix: mix).run(to: [path], overwriting: true)
    #expect(FileManager.default.contents(atPath: path) != first)
  }

  @Test func `an engine with one output exports by name, and an error lists several outputs`() async throws {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    await #expect(throws: ExportError.self) {
      try await ExportSession(engine).run(to: [show.path("none.wav")])
    }
    let output = try engine.attach(.playback(), name: "desk")
    try engine.attach(composition, mix: mix, to: output)
    let files = try await ExportSession(engine).run(to: [show.path("one.wav")])
    #expect(files.map(\.frameCount) == [96_000])
    _ = try engine.attach(.playback(), name: "ears")
    do {
      try await ExportSession(engine).run(to: [show.path("two.wav")])
      Issue.record("an export with two outputs was accepted")
    } catch {
      #expect("\(error)".contains("desk, ears"), "\(error)")
    }
    #expect(!FileManager.default.fileExists(atPath: show.path("two.wav")))
  }

  @Test func `a missing sound and an invalid rate are errors`() async throws {
    var missing = Composition()
    try missing.add("a")
    try missing.insert(.zero..<(.seconds(1)), of: AssetReference(show.path("missing.wav")), in: "a")
    #expect(throws: ExportError.self) { try ExportSession(missing) }
    #expect(throws: ExportError.self) { try ExportSession(composition, sampleRate: .nan) }
    await #expect(throws: ExportError.self) {
      try await ExportSession(Composition()).run(to: [show.path("no.wav")])
    }
  }
}
