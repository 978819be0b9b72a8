// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Folders and formats passed as URLs, whose paths have a space and an umlaut.
@Suite struct FileLocationTests {
  private let folder: Folder
  private let web: URL

  init() throws {
    folder = try Folder()
    web = try #require(URL(string: "https://example.org/a.wav"))
    try FileManager.default.createDirectory(at: url("für alle"), withIntermediateDirectories: true)
  }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder[name]) }

  private func kind(_ body: () throws -> Void) -> FileError.Kind? {
    do { try body() } catch { return (error as? FileError)?.kind }
    return nil
  }

  @Test func `a URL determines the format of its file`() throws {
    let format = try RecordingFormat(path: url("für alle/a b.flac"), named: "16-bit")
    #expect(format == RecordingFormat(container: .flac, encoding: .int16))
    #expect(kind { _ = try RecordingFormat(path: web) } == .badName)
    let error = #expect(throws: FileError.self) { try RecordingFormat(path: web) }
    #expect(error?.path == "https://example.org/a.wav")
  }

  @Test func `takes in a folder URL are recovered`() throws {
    // The files that a crash leaves of a take in progress.
    let running = try Folder()
    let take = try TakeFile(
      running["a b.wav"], format: RecordingFormat(path: "a b.wav"), sampleRate: 8000, channelCount: 1,
      origin: TakeOrigin("vocal", date: Date(timeIntervalSince1970: 1_770_000_000)), overwrites: false)
    try take.writer.write([[Float](repeating: 0.5, count: 8000)])
    for name in running.names {
      try FileManager.default.copyItem(atPath: running[name], toPath: folder["für alle/" + name])
    }
    take.discard()
    let path = folder["für alle/a b.wav"]
    #expect(TakeRecovery.unfinishedTakes(in: url("für alle")) == [path])
    #expect(TakeRecovery.unfinishedTakes(in: web) == [])
    let results = try TakeRecovery.recover(directory: url("für alle"))
    #expect(results.map(\.path) == [path] && results.map(\.frameCount) == [8000])
    #expect(kind { _ = try TakeRecovery.recover(directory: web) } == .badName)
  }

  @Test func `overviews are cached in a folder URL`() async throws {
    let file = try AudioFile(
      writing: folder["a.wav"], format: AudioFormat(sampleRate: 8000, channelCount: 1))
    try file.write(AudioBuffer([[Float](repeating: 0.5, count: 9000)], sampleRate: 8000))
    try file.close()
    // The overview of a file written less than 20 ms ago is not cached.
    try await Task.sleep(for: .milliseconds(50))
    let cache = WaveformCache(folder: url("für alle/Wellen 1"))
    #expect(try await AudioAsset(folder["a.wav"], cache: cache).overview.frameCount == 9000)
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder["für alle/Wellen 1"])
    #expect(kept.count == 1)

    let asset = AudioAsset(folder["a.wav"], cache: WaveformCache(folder: web))
    let error = await #expect(throws: FileError.self) { try await asset.overview }
    #expect(error?.kind == .badName && error?.path == "https://example.org/a.wav")
    await #expect(throws: FileError.self) { try await asset.waveform(columns: 10) }
    #expect(!FileManager.default.fileExists(atPath: "https:"))
  }
}
