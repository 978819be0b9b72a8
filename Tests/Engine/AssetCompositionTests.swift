// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Compositions made of assets.
@Suite struct AssetCompositionTests {
  private func range(_ start: Int, _ end: Int) -> Range<MediaTime> { .seconds(start)..<(.seconds(end)) }

  @Test func `an asset is accepted wherever a reference is`() throws {
    let asset = AudioAsset("a.flac", cache: nil), reference = AssetReference("a.flac")
    var composition = Composition(), other = Composition()
    try composition.add("music")
    try composition.insert(range(0, 10), of: asset, in: "music")
    try composition.insert(range(0, 5), of: asset, at: .seconds(5), in: "music")
    try composition.video.insert(range(1, 3), of: asset)
    try composition.video.insert(range(1, 3), of: asset, at: .seconds(1))
    try other.add("music")
    try other.insert(range(0, 10), of: reference, in: "music")
    try other.insert(range(0, 5), of: reference, at: .seconds(5), in: "music")
    try other.video.insert(range(1, 3), of: reference)
    try other.video.insert(range(1, 3), of: reference, at: .seconds(1))
    #expect(composition == other && composition.duration == .seconds(15))
    let segment = try Segment(of: asset, range(0, 2), at: range(0, 4), keepsPitch: false)
    #expect(try segment == Segment(of: reference, range(0, 2), at: range(0, 4), keepsPitch: false))
  }

  @Test func `an edit with an asset throws the same errors as one with a reference`() throws {
    let asset = AudioAsset("a.flac", cache: nil)
    var composition = Composition()
    #expect(throws: CompositionError.unknownTrack("music", known: [])) {
      try composition.insert(range(0, 1), of: asset, in: "music")
    }
    #expect(throws: CompositionError.emptyRange(.seconds(1))) {
      try composition.video.insert(range(1, 1), of: asset)
    }
    #expect(composition == Composition())
  }

  @Test func `a reference to an asset of known length refuses a range past its end`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/swiftlet-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let format = try AudioFormat(sampleRate: 8000, channelCount: 1)
    let file = try AudioFile(writing: path, format: format)
    try file.write(AudioBuffer(format: format, frameCount: 8000))
    try file.close()
    let asset = AudioAsset(path, cache: nil)
    let reference = AssetReference(asset, duration: try await asset.duration)
    #expect(reference.path == path && reference.duration == .seconds(1))
    #expect(throws: CompositionError.pastAsset(path, range(0, 2), length: .seconds(1))) {
      try Segment(of: reference, range(0, 2), at: range(0, 2))
    }
  }
}
