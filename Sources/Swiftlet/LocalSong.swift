// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline
internal import Synchronization

/// The state of the engine's own transport, as control threads have asked for it.
enum LocalSong {
  /// It stands still: at this frame, or, with nil, at the one that the audio thread has come to.
  case stopped(frame: Int64?)
  /// It rolls from this frame on as soon as all that follows it is ready there.
  case waiting(frame: Int64)
  case rolling

  var isStopped: Bool { if case .stopped = self { true } else { false } }
}

extension EngineCore {
  /// Takes over a transport role, and has all follow it that is to.
  mutating func follow(_ role: TransportRole) {
    self.role = role
    let sampleRate = host.renderer.sampleRate
    song = OfflineSong(client == nil ? role.tempo : nil, sampleRate: sampleRate)
    // A player that played by itself goes to the song first.
    song.isReady = !role.followsStudio
    if case .local(let tempo, _, let isPaused) = role {
      host.renderer.localTransport.begin(tempo, loop: role.loop(at: sampleRate), sampleRate: sampleRate)
      localSong = isPaused ? .stopped(frame: 0) : .waiting(frame: 0)
    } else {
      host.renderer.localTransport.end()
    }
    for record in records.values { haveFollow(record) }
    tellStreams()
  }

  /// Has the players of a node follow the transport, if they are to.
  func haveFollow(_ record: Record) {
    let isSong = if case .local = role { record.isTrack } else { role.followsStudio }
    // A player that was made to follow has no time of its own.
    let follows = isSong || record.scheduler != nil
    record.streamPlayer?.follow(follows, loop: follows ? host.renderer.localTransport.loop : nil)
    record.score?.follow(role.followsStudio)
  }

  /// The frame of the timeline that comes next, also where the audio thread has not gone there yet.
  var timelineFrame: Int64 {
    if case .local = role {
      switch localSong {
      case .stopped(let frame?), .waiting(let frame): return frame
      case .stopped(nil), .rolling: break
      }
    }
    let renderer = host.renderer
    return renderer.localTransport.loop.place(of: renderer.timelinePosition.load(ordering: .acquiring))
  }

  /// Has the engine's own transport roll from a frame on, or stand there.
  mutating func locate(to frame: Int64, rolls: Bool) {
    let frame = host.renderer.localTransport.loop.place(of: frame)
    host.renderer.localTransport.roll(false)
    host.renderer.localTransport.locate(to: frame)
    localSong = rolls ? .waiting(frame: frame) : .stopped(frame: frame)
    if rolls { rollWhenReady() }
  }

  /// Has the engine's own transport stand still. A start that still waits has not moved it.
  mutating func stopLocalSong() {
    host.renderer.localTransport.roll(false)
    switch localSong {
    case .rolling: localSong = .stopped(frame: nil)
    case .waiting(let frame): localSong = .stopped(frame: frame)
    case .stopped: break
    }
  }

  /// Has the engine's own transport roll, once all that follows it is ready. Again and again.
  mutating func rollWhenReady() {
    guard case .waiting(let frame) = localSong, isRunning, areReady(at: frame) else { return }
    host.renderer.localTransport.roll(true)
    localSong = .rolling
  }
}

extension TransportRole {
  /// The shortest loop of a timeline.
  package static let shortestLoop = Duration.milliseconds(50)

  /// Whether the engine goes where JACK's transport goes; offline, the song that takes its place.
  var followsStudio: Bool {
    switch self {
    case .own, .local: false
    case .follow, .lead: true
    }
  }

  /// The loop, in frames.
  func loop(at sampleRate: Double) -> TimelineLoop? {
    guard case .local(_, let range?, _) = self else { return nil }
    return TimelineLoop(
      range.lowerBound.frames(
        at: sampleRate)..<max(
          range.upperBound.frames(at: sampleRate), range.lowerBound.frames(at: sampleRate)))
  }

  /// Throws if the loop is too short, or begins before the timeline does.
  func check() throws(EngineError) {
    guard case .local(_, let range?, _) = self else { return }
    guard range.lowerBound >= .zero, range.upperBound >= range.lowerBound + MediaTime(Self.shortestLoop)
    else {
      throw .timelineLoop(range)
    }
  }
}
