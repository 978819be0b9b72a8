// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// The files of a recording process that is killed without warning, in every format at once.
@Suite(.serialized, .enabled(if: isInstalled("ffmpeg"))) struct KillTests {
  /// The number of rounds, 2 by default; `SWIFTLET_KILLS=50` sets it to 50.
  private static let rounds =
    1...max(1, ProcessInfo.processInfo.environment["SWIFTLET_KILLS"].flatMap { Int($0) } ?? 2)

  /// Recovers the takes of a folder, and compares each with the recorded sound.
  private func expectRecoveredTakes(_ folder: Folder, atLeast least: Int, atMost most: Int) throws {
    let results = try TakeRecovery.recover(directory: folder.path)
    for result in results {
      #expect(result.failure == nil && result.lostFrames == 0, "\(result)")
    }
    for (name, encoding) in RecordingProcess.names {
      do {
        let heard = try AudioFileReader(folder[name]).read(.max)[0]
        let isExact = encoding.isPlain || encoding.bits != nil
        // Padding that a codec adds at the end is not counted.
        #expect(least...(most + (isExact ? 0 : 2048)) ~= heard.count, "\(name): \(heard.count) of \(most)")
        if isExact {
          let wrong = heard.indices.first { heard[$0] != RecordingProcess.second[$0 % 48_000] }
          #expect(wrong == nil, "\(name) at \(wrong ?? 0)")
        } else {
          let part = 4800..<min(heard.count, least)
          let wrong = part.map { heard[$0] - RecordingProcess.second[$0 % 48_000] }
          #expect(rms(wrong) < 0.03, "\(name)")
        }
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
    #expect(folder.names == (RecordingProcess.names.map(\.name) + ["progress"]).sorted())
  }

  @Test(.timeLimit(.minutes(30)), arguments: rounds)
  func `a killed recording loses at most its last quarter of a second`(_ round: Int) async throws {
    let folder = try Folder()
    let process = try RecordingProcess(folder.path)
    try #require(try await process.waits(until: .random(in: 60_000...180_000)))
    usleep(.random(in: 0...20_000))
    process.kill()
    let recorded = RecordingProcess.progress(in: folder.path)
    // One more block may have arrived without being reported.
    try expectRecoveredTakes(folder, atLeast: recorded - 12_000, atMost: recorded + 480)
  }

  @Test(.timeLimit(.minutes(30)), arguments: rounds)
  func `a recording killed while it ends keeps its last frame`(_ round: Int) async throws {
    let folder = try Folder()
    let frames = 48_000
    let process = try RecordingProcess(folder.path, frames: frames)
    try #require(try await process.waits(until: frames))
    // Received sound is written within 250 ms; then files are closed and encoded.
    try await Task.sleep(for: .milliseconds(.random(in: 400...3000)))
    process.kill()
    try expectRecoveredTakes(folder, atLeast: frames, atMost: frames)
  }
}
