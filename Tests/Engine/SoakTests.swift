// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletJack
import Testing

private let soakSeconds = ProcessInfo.processInfo.environment["SWIFTLET_SOAK"].flatMap { Double($0) }

/// A long show, while the graph changes every second and other programs use the processors: nothing may grow. `make
/// soak FOR=2700` runs it for 2700 seconds.
@Suite(.serialized, .enabled(if: soakSeconds != nil, "only where a length is given"))
struct SoakTests {
  private static let logPath = ProcessInfo.processInfo.environment["SWIFTLET_SOAK_LOG"]
  private static let kinds = ["delay", "chorus", "equalizer", "gain"]
  /// Each effect is added and removed once in a round of edits. Samples are taken at the end of a round, when the
  /// graph and the undo history are the same.
  private static let round = kinds.count * 2

  /// The resources of the process at one time.
  private struct Sample: CustomStringConvertible {
    var seconds: Double
    var descriptors: Int, threads: Int
    /// The allocator's allocated bytes. Resident memory also includes freed blocks that the allocator keeps, which
    /// varies by 20 MiB, and excludes pages of a buffer that have not been written.
    var memory: Int
    /// Resident memory, in bytes.
    var resident: Int

    init(at seconds: Double) throws {
      self.seconds = seconds
      let files = FileManager.default
      descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").count
      threads = try files.contentsOfDirectory(atPath: "/proc/self/task").count
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      memory = probe_memory_in_use()
      resident = (Int(pages[1]) ?? 0) * 4096
    }

    var description: String {
      "\(Int(seconds)) s: \(descriptors) descriptors, \(threads) threads, \(memory >> 10) KiB, \(resident >> 10) KiB resident"
    }
  }

  /// Returns the growth of a value per second, by least squares.
  private func slope(_ samples: ArraySlice<Sample>, _ value: (Sample) -> Int) -> Double {
    let count = Double(samples.count)
    let time = samples.map(\.seconds).reduce(0, +) / count
    let mean = samples.map { Double(value($0)) }.reduce(0, +) / count
    let above = samples.map { ($0.seconds - time) * (Double(value($0)) - mean) }.reduce(0, +)
    let below = samples.map { ($0.seconds - time) * ($0.seconds - time) }.reduce(0, +)
    return below > 0 ? above / below : 0
  }

  private func note(_ line: String) {
    print(line)
    guard let path = Self.logPath else { return }
    let file = fopen(path, "a")
    fputs(line + "\n", file)
    if let file { fclose(file) }
  }

  /// Inserts an effect before the output, or removes the last one.
  private func edit(
    _ engine: AudioEngine, _ number: Int, _ effect: AudioNode?, between mixer: AudioNode,
    and output: AudioNode
  ) async throws -> AudioNode? {
    if let effect {
      try await engine.edit { edit in
        try edit.detach(effect)
        try edit.connect(mixer, output)
      }
      return nil
    }
    let new = try engine.attach(.effect(Self.kinds[number / 2 % Self.kinds.count], channels: 2))
    try await engine.edit { edit in try edit.insert(new, between: mixer, and: output) }
    return new
  }

  //   three looping players ──► mixer ──► effects that are added and removed ──► desk      (five takes)
  @Test(.timeLimit(.minutes(120)))
  func `a show that is edited every second does not grow in an hour`() async throws {
    let length = try #require(soakSeconds)
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-soak-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try DummyServer(.init(sampleRate: 48_000, period: 64, waitsForClients: true), timeout: 120)
    let engine = try AudioEngine(.jack(name: "soak", server: server.name))
    let mixer = try engine.attach(.mixer(channels: 2), name: "mixer")
    for number in 0..<3 {
      let path = "\(folder)/song-\(number).wav"
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "16-bit"), sampleRate: 48_000, channelCount: 2)
      let count = 40_000 + 1000 * number
      try writer.write((0..<2).map { _ in (0..<count).map { _ in Float.random(in: -0.1...0.1) } })
      try writer.close()
      try engine.connect(engine.attach(.player(path, loop: .forever), name: "song-\(number)"), mixer)
    }
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(mixer, output)
    let recorder = Recorder(engine, folder: folder)
    for (number, file) in ["a.wav", "b.flac", "c.caf", "d.ogg", "e.mp3"].enumerated() {
      try recorder.add("tap-\(number)", on: mixer, file: file)
    }
    let hogs = try (0..<2).map { _ in
      let hog = Process()
      hog.executableURL = URL(filePath: "/bin/sh")
      // It ends by itself if the test is killed.
      hog.arguments = ["-c", "ulimit -t \(Int(length) + 60); while :; do :; done"]
      try hog.run()
      return hog
    }
    // A shell started by a thread that blocks signals does not receive SIGTERM.
    defer { for hog in hogs { kill(hog.processIdentifier, SIGKILL) } }
    try recorder.start()
    try engine.start()
    // The engine keeps what its last 100 edits removed for undo, so it grows with each edit until then.
    var effect: AudioNode?
    for number in 0..<Self.round * 13 {
      effect = try await edit(engine, number, effect, between: mixer, and: output)
    }
    let clock = ContinuousClock(), start = clock.now
    var samples: [Sample] = [], edits = 0
    while clock.now - start < .seconds(length) {
      try await Task.sleep(for: .seconds(1))
      // By now the engine has freed what the last edit removed.
      if edits % Self.round == 0 {
        let sample = try Sample(at: Double((clock.now - start) / .milliseconds(1)) / 1000)
        samples.append(sample)
        note("\(sample)")
      }
      effect = try await edit(engine, edits, effect, between: mixer, and: output)
      edits += 1
    }
    let reports = recorder.finish()
    let dry = engine.nodes.filter { $0.underruns.count > 0 }.map { "\($0.name): \($0.underruns)" }
    let cause = engine.underrunCause
    engine.close()
    #expect(dry == [], "\(cause.map { "\($0)" } ?? "no cause")")
    let second = samples[(samples.count / 2)...]
    try #require(second.count >= 2)
    #expect(slope(second, \.descriptors) * (second.last?.seconds ?? 0) < 0.5, "\(samples)")
    #expect(slope(second, \.threads) * (second.last?.seconds ?? 0) < 0.5, "\(samples)")
    let growth = slope(second, \.memory) / 1_048_576
    note("\(edits) edits; memory grows by \(growth * 3600) MiB an hour")
    // Over one minute, a slope of 1 MiB per hour is 17 KiB, less than a take's encoder may hold for a moment.
    #expect(length >= 1800 ? growth * 3600 < 1 : growth * length < 1, "\(samples)")
    #expect(reports.count == 5 && reports.allSatisfy { $0.failure == nil }, "\(reports)")
  }
}
