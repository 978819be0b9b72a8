// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletStretch
internal import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// Opens a sound for the players of this engine.
  func open(_ sound: ClipSound) throws(FileError) -> sending OpenSound {
    try sound.open(at: sampleRate, isOffline: isOffline)
  }

  func makePlayer(
    _ path: String, loop: Loops, plays: Bool, _ stretch: Stretch, _ algorithm: StretchAlgorithm,
    _ name: String
  ) throws(EngineError) -> NewNode {
    try check(loop, for: name)
    // A file that plays unchanged does not need the stretch algorithm, so that any sample rate works.
    if algorithm != .fast || stretch != Stretch() { try require(algorithm, for: name) }
    return try makeStream([path], isTrack: false, plays: plays, name) { prefetchThread throws(FileError) in
      try prefetchThread.makeSource(
        path: path, sampleRate: Int(sampleRate.rounded()), loops: loop,
        quality: isOffline ? .best : .medium, stretch: stretch, engine: algorithm)
    }
  }

  func makeTrack(
    _ track: Track, _ mix: TrackMix, plays: Bool, _ name: String
  ) throws(EngineError) -> NewNode {
    try makeStream(track.segments.map(\.asset.path), isTrack: true, plays: plays, name) {
      prefetchThread throws(FileError) in
      try prefetchThread.makeSource(
        track: track, mix: mix, sampleRate: Int(sampleRate.rounded()), isOffline: isOffline)
    }
  }

  private func makeStream(
    _ files: [String], isTrack: Bool, plays: Bool, _ name: String,
    of make: (PrefetchThread) throws(FileError) -> StreamSource
  ) throws(EngineError) -> NewNode {
    let player = StreamPlayer(try readingFile { () throws(FileError) in try make(prefetchThread) })
    if plays { player.play() }
    return NewNode(
      name, .processor, [], [.audio(channels: player.stream.channelCount)],
      .player(player, files: files, isTrack: isTrack))
  }

  /// Checks that the number of loops is valid for a player.
  private func check(_ loop: Loops, for name: String) throws(EngineError) {
    do throws(ScheduleError) { try loop.check() } catch { throw .schedule(node: name, error) }
  }

  func makeMIDIPlayer(_ path: String, loop: Loops, plays: Bool, _ name: String) throws(EngineError) -> NewNode
  {
    try check(loop, for: name)
    let file = try readingFile { () throws(FileError) in
      try MIDIFile(path, sampleRate: Int(sampleRate.rounded()))
    }
    let messages = file.messages.map { message in
      EventSource.Message(
        frame: message.frame,
        bytes: UInt32(message.status) | UInt32(message.first) << 8 | UInt32(message.second) << 16,
        size: UInt32(message.count))
    }
    let source = EventSource(messages, length: file.length, times: loop.count, plays: plays)
    return NewNode(name, .processor, [], [.events], .player(source, files: [path]))
  }
}

extension AudioNode {
  /// The length that the player plays at the speed it was attached with, in frames at the engine's rate; nil for a
  /// player that loops, by itself or with the timeline, and for other nodes.
  package var playerLength: Int? {
    let stream = try? record { $0.streamPlayer?.stream }
    return stream.flatMap { $0.loop == nil ? $0.length : nil }
  }
}
