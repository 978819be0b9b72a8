// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletTimeline
internal import Synchronization

/// The state of the engine's own transport, as control threads have set it.
enum LocalTransportState {
  /// The transport is stopped, at this frame; with nil, at the frame that the audio thread has reached.
  case stopped(frame: Int64?)
  /// The transport rolls from this frame on as soon as all that follows it is ready.
  case waiting(frame: Int64)
  case rolling

  var isStopped: Bool { if case .stopped = self { true } else { false } }
}

extension EngineCore {
  /// Adopts a transport role, and makes everything follow it that has to.
  mutating func follow(_ role: TransportRole) {
    self.role = role
    let sampleRate = controller.renderer.sampleRate
    offlineTransport = OfflineTransport(client == nil ? role.tempo : nil, sampleRate: sampleRate)
    // Players with their own time must first move to the transport's position.
    offlineTransport.isReady = !role.followsJackTransport
    if case .local(let tempo, _, let isPaused) = role {
      controller.renderer.localTransport.begin(tempo, loop: role.loop(at: sampleRate), sampleRate: sampleRate)
      localTransportState = isPaused ? .stopped(frame: 0) : .waiting(frame: 0)
    } else {
      controller.renderer.localTransport.end()
    }
    for record in records.values { haveFollow(record) }
    passLanesToPlayers()
  }

  /// Sets whether the players of a node follow the transport.
  func haveFollow(_ record: Record) {
    let followsTransport = if case .local = role { record.isTrack } else { role.followsJackTransport }
    // A player with a stream and a schedule was made to follow the transport and has no time of its own.
    let follows = followsTransport || record.scheduler != nil
    record.streamPlayer?.follow(follows, loop: follows ? controller.renderer.localTransport.loop : nil)
    record.score?.follow(role.followsJackTransport)
  }

  /// The next frame of the timeline, even if the audio thread has not moved there yet.
  var timelineFrame: Int64 {
    if case .local = role {
      switch localTransportState {
      case .stopped(let frame?), .waiting(let frame): return frame
      case .stopped(nil), .rolling: break
      }
    }
    let renderer = controller.renderer
    return renderer.localTransport.loop.timelineFrame(
      of: renderer.timelinePosition.load(ordering: .acquiring))
  }

  /// Moves the engine's own transport to a frame, and rolls from there or stops there.
  mutating func locate(to frame: Int64, rolls: Bool) {
    let frame = controller.renderer.localTransport.loop.timelineFrame(of: frame)
    controller.renderer.localTransport.roll(false)
    controller.renderer.localTransport.locate(to: frame)
    localTransportState = rolls ? .waiting(frame: frame) : .stopped(frame: frame)
    if rolls { rollWhenReady() }
  }

  /// Stops the engine's own transport. A start that is still waiting has not moved it.
  mutating func stopLocalTransport() {
    controller.renderer.localTransport.roll(false)
    switch localTransportState {
    case .rolling: localTransportState = .stopped(frame: nil)
    case .waiting(let frame): localTransportState = .stopped(frame: frame)
    case .stopped: break
    }
  }

  /// Starts the engine's own transport once all that follows it is ready. Called repeatedly.
  mutating func rollWhenReady() {
    guard case .waiting(let frame) = localTransportState, isRunning, areReady(at: frame) else { return }
    controller.renderer.localTransport.roll(true)
    localTransportState = .rolling
  }
}

extension TransportRole {
  /// The shortest loop of a timeline.
  package static let shortestLoop = Duration.milliseconds(50)

  /// Whether the engine follows JACK's transport, or offline the transport that replaces it.
  var followsJackTransport: Bool {
    switch self {
    case .own, .local: false
    case .follow, .timebase: true
    }
  }

  /// Returns the loop in frames.
  func loop(at sampleRate: Double) -> TimelineLoop? {
    guard case .local(_, let range?, _) = self else { return nil }
    return TimelineLoop(
      range.lowerBound.frames(
        at: sampleRate)..<max(
          range.upperBound.frames(at: sampleRate), range.lowerBound.frames(at: sampleRate)))
  }

  /// Checks the loop.
  ///
  /// - Throws: ``EngineError/timelineLoop(_:)`` if it is too short, or begins before the timeline.
  func check() throws(EngineError) {
    guard case .local(_, let range?, _) = self else { return }
    guard range.lowerBound >= .zero, range.upperBound >= range.lowerBound + MediaTime(Self.shortestLoop)
    else {
      throw .timelineLoop(range)
    }
  }
}
