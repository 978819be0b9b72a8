// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// A program's access to the files and the state of a plugin.
@Suite struct PluginStateTests {
  private let folder: URL
  private let engine: AudioEngine
  private let sampler: PluginNode

  //  sampler ──► mainOutput, offline
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    engine = try .offline()
    sampler = try engine.attach(
      plugin: "http://lv2plug.in/plugins/eg-sampler", channels: 1, name: "sampler")
    try engine.connect(sampler, engine.mainOutput)
  }

  /// Writes a mono file with one level.
  private func file(_ name: String, level: Float) throws -> URL {
    let file = folder.appending(path: name)
    let buffer = try AudioBuffer([[Float](repeating: level, count: 480)], sampleRate: 48_000)
    let writing = try AudioFile(writing: file, format: buffer.format)
    try writing.write(buffer)
    try writing.close()
    return file
  }

  private func bytes(_ path: String?) throws -> Data { try Data(contentsOf: URL(filePath: #require(path))) }

  /// The URL with all links resolved, since plugins report resolved paths.
  private func resolved(_ path: String?) -> String? {
    path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
  }

  @Test(arguments: [false, true])
  func `a plugin's file is set, read back, saved with the state, and restored`(plays: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let one = try file("one.wav", level: 0.25), two = try file("two.wav", level: 0.5)
    let sample = try sampler.parameters["sample"], gain = try sampler.parameters["gain"]
    func play() throws { if plays { for _ in 0..<50 { _ = try engine.render(256) } } }
    try sample.set(one.path)
    try gain.set("-6 dB")
    try play()
    #expect(resolved(sample.text) == resolved(one.path))
    #expect(gain.text == "-6.0 dB")

    let state = folder.appending(path: "kept.state")
    try sampler.saveState(to: state)
    try sample.set(two.path)
    try gain.set("3 dB")
    try play()
    #expect(try bytes(sample.text) == bytes(two.path))
    #expect(gain.text == "3.0 dB")

    try sampler.loadState(from: state)
    try play()
    #expect(try bytes(sample.text) == bytes(one.path))
    #expect(gain.text == "-6.0 dB")

    // The plugin itself has these values, too: it saves them.
    try sampler.saveState(to: folder.appending(path: "again.state"))
    let saved = try String(contentsOf: folder.appending(path: "again.state/state.ttl"), encoding: .utf8)
    #expect(saved.contains("gain") && saved.contains("\"-6"), "\(saved)")

    // A later value replaces that of the state.
    try sampler.loadState(from: state)
    try gain.set("3 dB")
    for _ in 0..<50 { _ = try engine.render(256) }
    try sampler.saveState(to: folder.appending(path: "later.state"))
    let later = try String(contentsOf: folder.appending(path: "later.state/state.ttl"), encoding: .utf8)
    #expect(later.contains("\"3") && !later.contains("\"-6"), "\(later)")
  }

  @Test func `a missing file, a folder without a state and a detached node are typed errors`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let sample = try sampler.parameters["sample"], before = sample.text
    #expect {
      try sample.set(folder.appending(path: "none.wav").path)
    } throws: {
      if case EngineError.file = $0 { true } else { false }
    }
    for state in ["none.state", ""] {
      #expect {
        try sampler.loadState(from: folder.appending(path: state))
      } throws: {
        if case EngineError.plugin(.state) = $0 { true } else { false }
      }
    }
    let file = try file("file.wav", level: 0)
    #expect {
      try sampler.saveState(to: file.appending(path: "in"))
    } throws: {
      if case EngineError.plugin(.state) = $0 { true } else { false }
    }
    #expect(sample.text == before)
    try engine.detach(sampler)
    #expect {
      try sampler.saveState(to: folder)
    } throws: {
      if case EngineError.notAttached("sampler") = $0 { true } else { false }
    }
    #expect {
      try sampler.loadState(from: folder)
    } throws: {
      if case EngineError.notAttached("sampler") = $0 { true } else { false }
    }
  }

  @Test func `the text of a parameter can be set again`() throws {
    let echo = try engine.attach(Delay.self)
    for (name, text) in [("time", "350.0 ms"), ("change", "tape")] {
      try echo.parameters[name].set(text)
      #expect(try echo.parameters[name].text == text)
    }
    for info in echo.parameters.infos {
      let parameter = try echo.parameters[info.symbol], value = parameter.value
      try parameter.set(#require(parameter.text))
      #expect(parameter.value == value, "\(info.symbol): \(parameter.text ?? "")")
    }
  }
}
