// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Manifests and sounds that the tests of commands share.
enum VoiceFixture {
  /// A mono voice through a delay, recorded before and after it.
  static let manifest = """
    swiftlet: 1
    name: voice
    nodes:
      mic:  { capture: mono, connect: none }
      echo: { effect: delay, set: { time: 250 ms, mix: 25 % } }
      desk: { playback: stereo }
    wires:
      - mic -> echo -> desk
    taps:
      dry: { after: mic, record: "{tap}-{take}.wav" }
      wet: { after: echo, record: "{tap}-{take}.flac" }
    """

  /// A manifest that passes its input on, and records nothing.
  static let plain = """
    swiftlet: 1
    nodes:
      mic:  { capture: mono, connect: none }
      desk: { playback: mono, connect: none }
    wires:
      - mic -> desk
    """

  /// Makes a folder with both manifests, and a voice of 2 s.
  static func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try sine("\(scratch.path)/voice.wav")
    try scratch.write(manifest, to: "voice.yaml")
    try scratch.write(plain, to: "plain.yaml")
    return scratch
  }

  /// Makes a WAV file with sox: a sine of 440 Hz at half of full scale.
  static func sine(_ path: String, seconds: Double = 2, channels: Int = 1, rate: Int = 48_000) throws {
    try sox(
      "-n", "-r", "\(rate)", "-c", "\(channels)", "-e", "floating-point", "-b", "32", path, "synth",
      "\(seconds)",
      "sine", "440", "gain", "-6.0206")
  }

  /// Makes a MIDI file: A4 from 0.5 s to 1 s, A5 from 1.5 s to 2 s, the end after 2.25 s.
  static func song(_ path: String) throws {
    // 1000 ticks per quarter note of 0.5 s.
    let track: [UInt8] =
      [0x87, 0x68, 0x90, 69, 100, 0x87, 0x68, 69, 0, 0x87, 0x68, 81, 100, 0x87, 0x68, 81, 0]
      + [0x83, 0x74, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0x03, 0xE8]
    try Data(Array("MThd".utf8) + head + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track)
      .write(to: URL(filePath: path))
  }

  /// Returns the value that `sox stat` prints under a heading such as `Maximum amplitude` or `Length (seconds)`.
  static func stat(_ path: String, _ heading: String) throws -> Double? {
    let text = try sox(path, "-n", "stat")
    let line = text.split(separator: "\n").first { $0.hasPrefix(heading) }
    return line?.split(separator: ":").last.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
  }

  /// Returns the bytes of a WAV file's samples, without the header, which contains the time.
  static func samples(_ path: String) -> Data? {
    guard let bytes = FileManager.default.contents(atPath: path),
      let start = bytes.range(of: Data("data".utf8))?.upperBound
    else { return nil }
    return bytes[(start + 4)...]
  }

  /// Returns one channel of a WAV file of 32-bit floats.
  static func channel(_ channel: Int, of count: Int, _ path: String) -> [Float]? {
    samples(path)?.withUnsafeBytes { bytes in
      stride(from: channel * 4, to: bytes.count - 3, by: count * 4).map {
        Float(bitPattern: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
      }
    }
  }

  @discardableResult
  private static func sox(_ arguments: String...) throws -> String {
    let process = Process(), words = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sox")
    process.arguments = arguments
    process.standardError = words
    try process.run()
    let text = (try words.fileHandleForReading.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    process.waitUntilExit()
    return text
  }
}

extension Trait where Self == ConditionTrait {
  /// Has `make test` run a suite while no other test runs. For tests that occupy a processor with real-time priority:
  /// two of them at once leave no time for the programs of other tests, such as a JACK server that starts.
  static var runsAlone: ConditionTrait {
    .enabled(if: ProcessInfo.processInfo.environment["SWIFTLET_LIVE_TESTS"] == "1")
  }
}
