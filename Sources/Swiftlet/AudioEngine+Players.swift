// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletStretch
internal import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  func makePlayer(
    _ path: String, loop: Loops, plays: Bool, _ stretch: Stretch, _ engine: StretchEngine, _ name: String
  ) throws(EngineError) -> NewNode {
    try check(loop, for: name)
    // As it is, a file plays at any rate.
    if engine != .fast || stretch != Stretch() { try require(engine, for: name) }
    return try makeStream(plays: plays, name) {
      .stream($0, files: [path])
    } of: { filler throws(FileError) in
      try filler.makeSource(
        path: path, sampleRate: Int(sampleRate.rounded()), loops: loop,
        quality: isOffline ? .best : .medium, stretch: stretch, engine: engine)
    }
  }

  func makeTrack(
    _ track: Track, _ mix: TrackMix, plays: Bool, _ name: String
  ) throws(EngineError) -> NewNode {
    let files = track.segments.map(\.asset.path)
    return try makeStream(plays: plays, name) {
      .track($0, files: files)
    } of: { filler throws(FileError) in
      try filler.makeSource(
        track: track, mix: mix, sampleRate: Int(sampleRate.rounded()), isOffline: isOffline)
    }
  }

  private func makeStream(
    plays: Bool, _ name: String, as kind: (StreamSource) -> EngineCore.Record.Kind,
    of make: (StreamFiller) throws(FileError) -> StreamSource
  ) throws(EngineError) -> NewNode {
    let source: StreamSource
    do throws(FileError) {
      source = try make(streamFiller)
    } catch {
      throw .file(error)
    }
    if plays { source.play() }
    return NewNode(
      name, .processor, [], [.audio(channels: source.channelCount)], kind(source))
  }

  /// Sees that a player can play its loop so many times.
  private func check(_ loop: Loops, for name: String) throws(EngineError) {
    do throws(ScheduleError) { try loop.check() } catch { throw .schedule(node: name, error) }
  }

  func makeMIDIPlayer(_ path: String, loop: Loops, _ name: String) throws(EngineError) -> NewNode {
    try check(loop, for: name)
    let file: MIDIFile
    do throws(FileError) {
      file = try MIDIFile(path, sampleRate: Int(sampleRate.rounded()))
    } catch {
      throw .file(error)
    }
    let messages = file.messages.map { message in
      EventSource.Message(
        frame: message.frame,
        bytes: UInt32(message.status) | UInt32(message.first) << 8 | UInt32(message.second) << 16,
        size: UInt32(message.count))
    }
    let times: Int? = if case .times(let count) = loop { count } else { nil }
    let source = EventSource(messages, length: file.length, times: times)
    return NewNode(name, .processor, [], [.events], .midiPlayer(source, file: path))
  }
}

extension AudioNode {
  /// The length that the player plays at the speed it was attached with, in frames at the engine's rate; nil for one that
  /// loops, by itself or with the timeline, and for other nodes.
  package var playerLength: Int? { (try? stream()).flatMap { $0.loop == nil ? $0.length : nil } }

  func stream() throws(EngineError) -> StreamSource {
    guard let stream = try record({ $0.stream }) else { throw .notAPlayer(name) }
    return stream
  }
}
