// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletSignal
import Testing

/// An effect with meters for the frames, channels and rate of its sound file and for the length of its other file's
/// path.
struct FileReaderEffect: Effect {
  enum Parameter: Int, CaseIterable, Sendable {
    case none
  }
  struct Parameters: ParameterList {
    /// A parameter without effect.
    var none: TypedParameter<Parameter, Float> {
      .init(.none, "none", name: "None", "Nothing", range: 0...1, default: 0)
    }

    func describe(_ key: Parameter) -> ParameterDescription {
      switch key {
      case .none: none.description
      }
    }
  }
  static let description = EffectDescription(
    "file-reader", name: "File reader", "Tells of its files", uri: "urn:swiftlet:test:file-reader",
    lv2Class: "Plugin",
    meters: [
      MeterDescription("frames", unit: .none, range: 0...1_000_000),
      MeterDescription("channels", unit: .none, range: 0...64),
      MeterDescription("rate", unit: .none, range: 0...1_000_000),
      MeterDescription("path", unit: .none, range: 0...1_000_000),
    ],
    files: [
      FileDescription("sound", name: "Sound", "The sound that is played"),
      FileDescription("map", name: "Map", "The file whose path is read", content: .path, isRequired: false),
    ])

  let frames: Float, channels: Float, rate: Float, path: Float

  init(_ layout: Layout) throws(EffectError) {
    let sound = try layout.sound()
    guard sound.channels.count <= 2 else { throw .file(0, .channels(sound.channels.count)) }
    (frames, channels) = (Float(sound.frameCount), Float(sound.channels.count))
    rate = Float(sound.recordedRate)
    if case .path(let path)? = layout.files.last { self.path = Float(path.count) } else { path = 0 }
  }

  mutating func reset() {}
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {}
  mutating func process(_ block: Block) {
    block.show(frames, on: 0)
    block.show(channels, on: 1)
    block.show(rate, on: 2)
    block.show(path, on: 3)
    for channel in 0..<block.output().channelCount {
      for frame in 0..<block.frameCount { block.output()[channel][frame] = 0 }
    }
  }
}

@Suite struct `Files of effects` {
  private func write(channels: Int, frames: Int, rate: Double) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-\(UUID().uuidString).wav"
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: rate, channelCount: channels)
    try writer.write([[Float]](repeating: [Float](repeating: 0.5, count: frames), count: channels))
    try writer.close()
    return path
  }

  private func attach(_ files: [String: String]) throws -> (AudioEngine, AudioNode) {
    let engine = try AudioEngine(.offline(sampleRate: 48_000))
    let node = try engine.attach(FileReaderEffect.self, files: files)
    let output = try engine.attach(.playback())
    try engine.connect(node, output)
    _ = try engine.render(64)
    return (engine, node)
  }

  @Test func `a sound is decoded and converted to the engine's rate`() throws {
    let path = try write(channels: 2, frames: 1000, rate: 24_000)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (_, node) = try attach(["sound": path])
    #expect(node.meter("frames") == 2000)
    #expect(node.meter("channels") == 2)
    #expect(node.meter("rate") == 24_000)
    #expect(node.meter("path") == 0)
  }

  @Test func `the path of a second file ends with a zero byte`() throws {
    let path = try write(channels: 1, frames: 10, rate: 48_000)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (_, node) = try attach(["sound": path, "map": path])
    #expect(node.meter("path") == Float(path.utf8.count + 1))
  }

  @Test func `an error about a file names the file`() throws {
    func message(_ files: [String: String]) -> String {
      do {
        _ = try attach(files)
        return "nothing"
      } catch { return "\(error)" }
    }
    let wide = try write(channels: 3, frames: 10, rate: 48_000)
    defer { try? FileManager.default.removeItem(atPath: wide) }
    #expect(message([:]) == "'file-reader' needs a file 'sound'; name one under 'files'")
    #expect(message(["sund": wide]) == "'file-reader' has no file 'sund': it has sound, map")
    #expect(
      message(["sound": "/nowhere.wav"]) == "'/nowhere.wav' does not exist; check the name and the folder")
    #expect(message(["sound": wide]) == "'\(wide)' has 3 channels, which this effect does not support")
    #expect(message(["sound": wide, "map": "/tmp"]).hasPrefix("'/tmp' is a directory"))
  }
}
