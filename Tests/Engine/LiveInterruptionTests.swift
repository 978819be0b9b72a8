// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Synchronization
import Testing

/// Interruptions of an engine while its server stays.
extension LiveTests {
  private final class InterruptionLog: Sendable {
    private let reported = Mutex<[Interruption]>([]), token = Mutex<EventObservation?>(nil)
    init(_ engine: AudioEngine) {
      let observation = engine.observe { [weak self] event in
        if case .interruption(let interruption) = event {
          self?.reported.withLock { $0.append(interruption) }
        }
      }
      token.withLock { $0 = observation }
    }
    var interruptions: [Interruption] { reported.withLock { $0 } }
  }

  /// Has JACK's own program switch freewheeling on or off.
  private static func freewheel(_ isOn: Bool, on server: String) throws {
    let program = Process()
    program.executableURL = URL(filePath: "/usr/bin/env")
    program.arguments = ["JACK_DEFAULT_SERVER=\(server)", "jack_freewheel", isOn ? "y" : "n"]
    program.standardOutput = FileHandle.nullDevice
    program.standardError = FileHandle.nullDevice
    try program.run()
    program.waitUntilExit()
    #expect(program.terminationStatus == 0)
  }

  @Test func `the beginning and end of freewheeling are reported`() throws {
    let engine = try AudioEngine(.jack(name: "wheel", server: server.name))
    let diary = InterruptionLog(engine)
    let tone = try engine.attach(.source(channels: 2, sineWave), name: "tone")
    let output = try engine.attach(.playback(channels: 2), name: "desk")
    try engine.connect(tone, output)
    try engine.start()
    try Self.freewheel(true, on: server.name)
    #expect(soon { diary.interruptions == [.began(.freewheel)] })
    let frame = engine.now.frame
    #expect(soon { engine.now.frame > frame + 48_000 })
    try Self.freewheel(false, on: server.name)
    #expect(soon { diary.interruptions.last == .ended(.freewheel, shouldResume: true) })
    // An engine that is paused meanwhile is not asked to resume.
    try Self.freewheel(true, on: server.name)
    #expect(soon { diary.interruptions.count == 3 })
    engine.pause()
    try Self.freewheel(false, on: server.name)
    #expect(soon { diary.interruptions.last == .ended(.freewheel, shouldResume: false) })
    engine.close()
  }

  @Test func `the suspension of a server is reported when it resumes, and so does the take`() throws {
    server.stop()
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-sleep-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let mortal = KillableServer(7)
    try mortal.start()
    defer { mortal.stop() }
    let engine = try AudioEngine(.jack(name: "sleeper", server: mortal.name))
    let diary = InterruptionLog(engine)
    let tone = try engine.attach(.source(channels: 1, sineWave), name: "tone")
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(tone, output)
    let recorder = Recorder(engine, folder: folder)
    try recorder.add("tone", on: tone, file: "tone.wav")
    try recorder.start()
    try engine.start()
    #expect(soon { engine.now.seconds > 0.2 })
    mortal.freeze()
    // Longer than a gap that counts as lost frames.
    sleep(12)
    mortal.freeze(false)
    let expected: [Interruption] = [.began(.suspended), .ended(.suspended, shouldResume: true)]
    #expect(soon { diary.interruptions == expected })
    let after = engine.now.seconds
    #expect(soon { engine.now.seconds > after + 0.5 })
    let report = try #require(recorder.finish().first)
    #expect(report.failure == nil)
    #expect(report.frameCount > 24_000 && report.lostFrames < 48_000)
    engine.close()
  }
}
