// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Testing

@testable import SwiftletFiles

/// A process that records in every format at once, until it is killed or has recorded the requested frames. It is a
/// second instance of this program.
struct RecordingProcess {
  private static let folderKey = "SWIFTLET_VICTIM_FOLDER", lengthKey = "SWIFTLET_VICTIM_FRAMES"

  /// The folder of the recording process, or nil in other processes.
  static var folder: String? { ProcessInfo.processInfo.environment[folderKey] }
  /// The number of frames after which it ends its takes.
  static var length: Int { ProcessInfo.processInfo.environment[lengthKey].flatMap { Int($0) } ?? .max }

  /// Every container with every encoding.
  static var names: [(name: String, encoding: SampleEncoding)] {
    FormatTests.pairs.map { ("\($0.1.rawValue).\($0.0.rawValue)", $0.1) }
  }

  /// One second of sound that it records repeatedly, in steps of eight bits, which every lossless format keeps.
  static let second = sine(441, rate: 48_000, count: 48_000).map { ($0 * 128).rounded() / 128 }

  /// Returns the number of frames passed to the recorder, from a file that survives a kill.
  static func progress(in folder: String) -> Int {
    let bytes = FileManager.default.contents(atPath: folder + "/progress") ?? Data()
    return bytes.count == 8 ? bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) } : 0
  }

  private let process = Process()
  let folder: String

  /// Starts recording into a folder.
  init(_ folder: String, frames: Int? = nil) throws {
    self.folder = folder
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: own)
    process.arguments = ["--testing-library", "swift-testing", "--filter", "VictimTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      RecordingProcess.folderKey: folder, RecordingProcess.lengthKey: "\(frames ?? .max)",
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Waits until `frames` frames have arrived. Returns false if the process ends before, or after four minutes.
  func waits(until frames: Int) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(240)
    while RecordingProcess.progress(in: folder) < frames {
      guard process.isRunning, ContinuousClock.now < deadline else { return false }
      // Other tests need the thread.
      try await Task.sleep(for: .milliseconds(2))
    }
    return true
  }

  /// Kills it with SIGKILL, and waits until it has ended.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

@Suite(.enabled(if: RecordingProcess.folder != nil, "only where a test of kills starts it"))
struct VictimTests {
  @Test func `a recording process runs until it is killed`() throws {
    let folder = try #require(RecordingProcess.folder)
    let recorder = TakeRecorder(sampleRate: 48_000)
    let origin = TakeOrigin("victim", date: Date(timeIntervalSince1970: 1_770_000_000))
    let sinks = RecordingProcess.names.map { _ in TapSink(channelCount: 1, capacity: 1 << 19) }
    try recorder.start(
      zip(sinks, RecordingProcess.names).map { sink, take in
        TakeRecorder.Request(
          tap: take.name, sink: sink, path: "\(folder)/\(take.name)",
          format: try RecordingFormat(path: take.name, named: take.encoding.rawValue), startFrame: 0,
          origin: origin)
      })
    let backends = sinks.map { BlockBackend($0, inputs: 1) }
    let progress = open(folder + "/progress", O_WRONLY | O_CREAT, 0o600)
    let clock = ContinuousClock(), start = clock.now
    var frames = 0
    while frames < RecordingProcess.length {
      let count = min(480, RecordingProcess.length - frames), first = frames % 48_000
      let block = Array(RecordingProcess.second[first..<first + count])
      for backend in backends { backend.run(frame: Int64(frames), count: count, [block]) }
      frames += count
      pwrite(progress, &frames, 8, 0)
      // No faster than real time.
      while clock.now - start < .microseconds(frames * 1_000_000 / 48_000) { usleep(500) }
    }
    _ = recorder.finish(at: Int64(frames))
  }
}
