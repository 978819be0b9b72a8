// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Files and folders passed to the engine as URLs, in a folder whose name has a space and an umlaut.
final class FileLocationTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet Bläser " + UUID().uuidString
  private let engine: AudioEngine
  private let input: InputNode, output: OutputNode
  private let sound: [Float] = staircase(800)
  private let web: URL

  init() throws {
    web = try #require(URL(string: "https://example.org/a.wav"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    engine = try AudioEngine.offline(sampleRate: 8000, longestBlock: 100)
    (input, output) = (try engine.attachInput(name: "in"), try engine.attachOutput(channels: 1, name: "out"))
    try engine.connect(input, output)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func path(_ name: String) -> String { folder + "/" + name }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  /// Writes `sound` to a file.
  private func write(_ name: String) throws {
    let format = try AudioFormat(sampleRate: 8000, channelCount: 1)
    let file = try AudioFile(writing: path(name), format: format)
    try file.write(AudioBuffer([sound], sampleRate: 8000))
    try file.close()
  }

  private func read(_ name: String) throws -> [Float] {
    let file = try AudioFile(reading: path(name))
    return try file.read(file.length)[0]
  }

  /// Renders `sound` into the input.
  private func play() throws {
    for start in stride(from: 0, to: sound.count, by: 100) {
      let block = AudioBuffer([Array(sound[start..<start + 100])])
      _ = try engine.render(100, from: [input: block])
    }
  }

  /// Whether `body` throws the error of a file with an invalid name, as an error of the engine or of an export.
  private func isRefused(_ body: () throws -> Void) -> Bool { refusal { try body() }?.kind == .badName }

  private func refusal(_ body: () throws -> Void) -> FileError? {
    do { try body() } catch { return fileError(error) }
    return nil
  }

  private func fileError(_ error: any Error) -> FileError? {
    switch error {
    case EngineError.file(let error): error
    case ExportError.file(let error): error
    default: nil
    }
  }

  @Test func `a MIDI player accepts a URL`() throws {
    // One track: a note at 0 that lasts a quarter note.
    let track: [UInt8] = [0, 0x90, 60, 100, 0x83, 0x60, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    let bytes = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0] + Array("MTrk".utf8)
    try Data(bytes + [0, 0, 0, UInt8(track.count)] + track).write(to: url("Flöte 1.mid"))
    #expect(try engine.attachMIDIPlayer(url("Flöte 1.mid"), name: "url").name == "url")
    #expect(try engine.attachMIDIPlayer(path("Flöte 1.mid"), name: "path").name == "path")
    #expect(isRefused { _ = try engine.attachMIDIPlayer(web) })
  }

  @Test func `an effect accepts files as paths and URLs`() throws {
    try write("Hall groß.wav")
    let variable = ["response": path("Hall groß.wav")]
    _ = try engine.attach(Convolver.self, files: variable, name: "path")
    let reverb = try engine.attach(Convolver.self, files: ["response": url("Hall groß.wav")], name: "url")
    try engine.edit { edit in
      _ = try edit.attach(Convolver.self, files: ["response": url("Hall groß.wav")], name: "edit")
    }
    #expect(engine.node("path") != nil && engine.node("url") == reverb && engine.node("edit") != nil)
    #expect(isRefused { _ = try engine.attach(Convolver.self, files: ["response": web]) })
    #expect(
      isRefused {
        try engine.edit { edit in _ = try edit.attach(Convolver.self, files: ["response": web]) }
      })
  }

  @Test func `an export reads and writes files at URLs`() async throws {
    try write("Stimme 1.wav")
    let export = try ExportSession(engine)
    #expect(isRefused { try export.feed(input, from: web) })
    try export.feed(input, from: url("Stimme 1.wav"))
    let format = try RecordingFormat(path: url("eine Ähre.wav"), named: "32-float")
    try export.add(ExportFile(url("eine Ähre.wav"), format: format, of: output))
    var file = ExportFile(web, format: format, of: output)
    let refused = refusal { try export.add(file) }
    #expect(refused?.kind == .badName && refused?.path == "https://example.org/a.wav")
    file.path = path("eine Öse.wav")
    try export.add(file)
    let files = try await export.run(to: [url("eine Übung.wav"), path("Spuren.wav")])
    let names = ["eine Ähre.wav", "eine Öse.wav", "eine Übung.wav", "Spuren.wav"]
    #expect(files.map(\.path) == names.map(path))
    for name in names { #expect(try read(name) == sound, "\(name)") }
  }

  @Test func `an export to several files writes none if one has a web URL`() async throws {
    try write("Stimme 1.wav")
    let export = try ExportSession(engine)
    try export.feed(input, from: path("Stimme 1.wav"))
    let paths = [path("Spuren.wav")]
    do {
      try await export.run(to: [path("Übung.wav"), web])
      Issue.record("a file on the web was written")
    } catch {
      #expect(fileError(error)?.kind == .badName)
    }
    #expect(try await export.run(to: paths).map(\.path) == paths)
  }

  @Test func `a recorder writes to a folder URL, with tokens in paths and URLs`() throws {
    let recorder = Recorder(engine, folder: url("Aufnahmen für alle"), name: "Flöte")
    try recorder.add("one", on: input, file: "{name}-{take}.wav")
    try recorder.add("two", on: input, file: url("{tap} für-{take}.wav"))
    #expect(
      try recorder.start()
        == ["one": path("Aufnahmen für alle/Flöte-001.wav"), "two": path("two für-001.wav")])
    try play()
    let reports = recorder.finish()
    #expect(reports.count == 2 && reports.allSatisfy(\.isClean))
    #expect(try read("Aufnahmen für alle/Flöte-001.wav") == sound)
    #expect(try read("two für-001.wav") == sound)
  }

  @Test func `a recorder refuses a web URL as file or folder`() throws {
    let recorder = Recorder(engine, folder: url("Takes"))
    #expect(isRefused { try recorder.add("a", on: input, file: web) })
    #expect(recorder.taps == [])
    let other = Recorder(engine, folder: web)
    #expect(isRefused { try other.add("a", on: input, file: "a.wav") })
    #expect(other.taps == [] && engine.graph.node(named: "in") != nil)
    #expect(!FileManager.default.fileExists(atPath: "https:"))
  }

  @Test func `one call records to paths and URLs, or to none if one is a web URL`() throws {
    #expect(
      isRefused { _ = try engine.record([.after(input, to: path("a.wav")), .before(output, to: web)]) })
    #expect(!FileManager.default.fileExists(atPath: path("a.wav")))
    let take = try engine.record([
      .after(input, to: url("tröge 1.wav")), .before(output, to: path("naß.wav")),
    ])
    try play()
    let reports = take.finish()
    #expect(reports.map(\.path) == ["tröge 1.wav", "naß.wav"].map(path))
    #expect(reports.map(\.tap) == ["tröge 1", "naß"])
    #expect(try read("tröge 1.wav") == sound && read("naß.wav") == sound)
  }

  @Test func `an audio recorder accepts a URL`() throws {
    let recorder = try AudioRecorder(url("Mäuse {take}.wav"), of: input)
    try recorder.record()
    try play()
    #expect(recorder.stop()?.path == path("Mäuse 001.wav"))
    #expect(try read("Mäuse 001.wav") == sound)
    #expect(isRefused { _ = try AudioRecorder(web, of: input) })
    // Refused before it looks for a JACK server.
    #expect(isRefused { _ = try AudioRecorder(web, server: "swiftlet-no-such-server") })
  }
}
