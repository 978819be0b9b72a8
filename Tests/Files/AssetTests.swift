// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import SwiftletTimeline
import Synchronization
import Testing

@testable import SwiftletFiles

@Suite struct AssetTests {
  @Test(
    .enabled(if: isInstalled("ffmpeg")),
    arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "a.wav", "a.mka"])
  func `tags written by another program are read`(_ name: String) async throws {
    let folder = try Folder()
    let codec = name == "a.mka" ? ["-c:a", "flac"] : []
    let line =
      ["ffmpeg -v error -f lavfi -i sine=440:d=1:r=48000"] + codec + [
        "-metadata title='A \"song\" of é' -metadata artist=Somebody -metadata album=All -metadata date=2026",
        "-metadata genre=Folk -metadata comment='no word of it' \(folder[name])",
      ]
    try #require(output(of: "bash", "-c", line.joined(separator: " ")) != nil)
    let asset = AudioAsset(folder[name], cache: nil)
    let tags = try await asset.tags
    #expect(tags.title == "A \"song\" of é")
    #expect(tags.artist == "Somebody" && tags.album == "All" && tags.date == "2026" && tags.genre == "Folk")
    // libsndfile does not report the comment that ffmpeg writes in the other containers.
    if ["a.m4a", "a.wav", "a.mka"].contains(name) { #expect(tags.comment == "no word of it") }
    let length = try await asset.duration.seconds
    #expect(abs(length - 1) < (name == "a.mp3" ? 0.06 : 0.01))
  }

  @Test(arguments: ["a.caf", "a.aiff", "b.wav"])
  func `files written by Swiftlet report their tags`(_ name: String) async throws {
    let folder = try Folder()
    let origin = TakeOrigin("vocal: dry", date: Date(timeIntervalSince1970: 1_770_000_000))
    let encoding = name == "b.wav" ? "24-bit" : "ima4"
    let writer = try AudioFileWriter(
      folder[name], .named, format: RecordingFormat(path: name, named: encoding), sampleRate: 44_100,
      channelCount: 2,
      origin: origin)
    try writer.write([noise(441), noise(441)])
    try writer.close()
    let asset = AudioAsset(folder[name], cache: nil)
    let tags = try await asset.tags
    if name == "a.caf" { #expect(tags.title == "vocal: dry" && tags.software == "Swiftlet") }
    if name == "a.aiff" { #expect(tags.comment == "Swiftlet") }
    if name == "b.wav" {
      #expect(tags.comment == "vocal: dry" && tags.date == TakeOrigin.texts(of: origin.date).date)
    }
    if name != "a.aiff" { #expect(try await asset.duration == .milliseconds(10)) }
  }

  @Test func `nothing is read before it is requested, and a change on disk is detected`() async throws {
    let folder = try Folder()
    let asset = AudioAsset(folder["a.wav"], cache: nil)
    await #expect(throws: FileError.self) { try await asset.duration }
    for frames in [4800, 9600] {
      let writer = try AudioFileWriter(
        folder["a.wav"], format: RecordingFormat(container: .wav), sampleRate: 48_000, channelCount: 1,
        overwrites: true)
      try writer.write([noise(frames)])
      try writer.close()
      #expect(try await asset.info.frameCount == frames)
      #expect(try await asset.overview.frameCount == frames)
      #expect(
        try await asset.waveform(columns: 10) == asset.waveform(in: .zero..<asset.duration, columns: 10))
    }
    _ = try folder.write("a.wav", Data("no sound at all, but words".utf8))
    await #expect { try await asset.overview } throws: { ($0 as? FileError)?.kind == .notAudio }
  }

  @Test func `zoomed-in columns are exact, and columns outside of the file are silent`() async throws {
    let folder = try Folder()
    let sound = noise(9600)
    let writer = try AudioFileWriter(
      folder["a.wav"], format: RecordingFormat(container: .wav), sampleRate: 48_000, channelCount: 1)
    try writer.write([sound])
    try writer.close()
    let asset = AudioAsset(folder["a.wav"], cache: nil)
    let columns = try await asset.waveform(in: .milliseconds(10)..<(.milliseconds(20)), columns: 100)[0]
    for (index, column) in columns.enumerated() {
      let start = 480 + 480 * index / 100, part = sound[start..<max(480 + 480 * (index + 1) / 100, start + 1)]
      #expect(column.low == part.min() && column.high == part.max())
    }
    let around = try await asset.waveform(in: .milliseconds(150)..<(.milliseconds(250)), columns: 2)[0]
    #expect(around[0].high == sound[7200...].max() && around[1] == .silence)
    #expect(
      try await asset.waveform(in: .seconds(5)..<(.seconds(6)), columns: 3)[0]
        == Array(repeating: .silence, count: 3))
    #expect(try await asset.waveform(columns: 0) == [[]])
    #expect(try await asset.waveform(columns: -5) == [[]])
  }

  @Test func `a part of a long sound is read in slices, for any range`() async throws {
    let folder = try Folder()
    let sound = [noise(70_000), noise(70_000, seed: 2)]
    let writer = try AudioFileWriter(
      folder["a.wav"], format: RecordingFormat(path: "a.wav", named: "32-float"), sampleRate: 48_000,
      channelCount: 2)
    try writer.write(sound)
    try writer.close()
    // Columns that end with pieces and across them, columns narrower than a frame, and columns beside the sound.
    let pictures = [(0..<70_000, 70), (-500..<75_000, 311), (16_380..<16_390, 40), (69_999..<80_000, 3)]
    for (range, count) in pictures {
      let columns = try WaveformOverview.columns(
        reading: folder["a.wav"], in: range, count: count, unless: { false })
      for channel in 0..<2 {
        #expect(columns[channel].count == count)
        for (index, column) in columns[channel].enumerated() {
          let start = range.lowerBound + range.count * index / count
          let end = max(range.lowerBound + range.count * (index + 1) / count, start + 1)
          let part = sound[channel][min(max(start, 0), 70_000)..<min(max(end, 0), 70_000)]
          guard column.low == part.min() ?? 0, column.high == part.max() ?? 0 else {
            Issue.record("column \(index) of \(count) in \(range)")
            break
          }
        }
      }
    }
    #expect {
      try WaveformOverview.columns(reading: folder["a.wav"], in: 0..<9, count: 1, unless: { true })
    } throws: {
      ($0 as? FileError)?.kind == .cancelled
    }
    let asset = AudioAsset(folder["a.wav"], cache: nil)
    let far = MediaTime.seconds(1_000_000_000_000_000)
    let whole = try await asset.waveform(in: -far..<far, columns: 65_536)
    #expect(whole.count == 2 && whole[0].count == 65_536)
  }

  @Test func `a cancelled request returns at once, and work without requesters stops`() async throws {
    let folder = try Folder()
    // Half a day of sound, which would take minutes to read in full.
    let frames = 30_000_000_000 / 6
    try Sparse.write(
      folder["a.rf64"], frames: frames, sound: [noise(1000), noise(1000)], ending: [[0.5], [-0.5]])
    let asset = AudioAsset(folder["a.rf64"], cache: nil)
    #expect(try await asset.info.frameCount == frames)
    let first = Task { () async -> FileError.Kind? in
      do throws(FileError) { _ = try await asset.overview } catch { return error.kind }
      return nil
    }
    try await Task.sleep(for: .milliseconds(50))
    first.cancel()
    #expect(await first.value == .cancelled)
  }

  @Test func `shared work runs once for all requesters, even if some leave`() async throws {
    let runs = Atomic(0), stops = Atomic(0), isOpen = Atomic(false)
    let work = SharedWork<Int>("a", on: WorkThreads("test")) { isUnwanted throws(FileError) in
      runs.add(1, ordering: .relaxed)
      while !isOpen.load(ordering: .relaxed) {
        usleep(1000)
        if isUnwanted() {
          stops.add(1, ordering: .relaxed)
          throw .cancelled("a")
        }
      }
      return 42
    }
    let waiting = (0..<20).map { _ in Task { await work.outcome() } }
    try await Task.sleep(for: .milliseconds(30))
    for task in waiting.dropLast() { task.cancel() }
    for task in waiting.dropLast() {
      guard case .failure(let error) = await task.value else {
        Issue.record("it waited on")
        continue
      }
      #expect(error.kind == .cancelled)
    }
    isOpen.store(true, ordering: .relaxed)
    #expect(try await waiting.last?.value?.get() == 42)
    #expect(try await work.outcome()?.get() == 42)
    #expect(runs.load(ordering: .relaxed) == 1 && stops.load(ordering: .relaxed) == 0)
  }

  @Test func `work that all requesters have left stops, and accepts no new ones`() async throws {
    let stops = Atomic(0)
    let work = SharedWork<Int>("a", on: WorkThreads("test")) { isUnwanted throws(FileError) in
      while !isUnwanted() { usleep(1000) }
      stops.add(1, ordering: .relaxed)
      throw .cancelled("a")
    }
    let waiting = (0..<3).map { _ in Task { await work.outcome() } }
    try await Task.sleep(for: .milliseconds(30))
    #expect(work.isOfUse)
    for task in waiting { task.cancel() }
    for task in waiting { _ = await task.value }
    let deadline = ContinuousClock.now + .seconds(20)
    while stops.load(ordering: .relaxed) == 0 && ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(stops.load(ordering: .relaxed) == 1)
    #expect(!work.isOfUse)
    let late = await Task { await work.outcome() }.value
    if case .success? = late { Issue.record("nothing was left to give") }
    let gone = Task { () -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      guard case .failure(let error)? = await work.outcome() else { return false }
      return error.kind == .cancelled
    }
    #expect(await gone.value)
  }
}
