// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// Reads a session's levels and holds the state of its meters: peak hold, clip flags, muted nodes.
struct MeterBoard {
  private let session: Session
  private let levels: SessionLevels
  private var histories: [[LevelHistory]]
  private var muted: Set<String> = []
  /// The text about the longest cycle of all xruns, and its share of the period.
  private(set) var worstXrun: (text: String, share: Double)?

  /// Creates a board for all taps and playback nodes of a session.
  init(_ session: Session, _ levels: SessionLevels) {
    (self.session, self.levels) = (session, levels)
    histories = session.levels.map { Array(repeating: LevelHistory(), count: $0.meter.channelCount) }
  }

  /// Stores what an event reports about muted nodes and late cycles.
  mutating func note(_ event: EngineEvent) {
    switch event {
    case .muted(let node, _): muted.insert(node)
    case .xrun(_, let share, let nodes, let microseconds) where share > worstXrun?.share ?? -1:
      worstXrun = EventText.cause(share, nodes, microseconds).map { ($0, share) } ?? worstXrun
    default: break
    }
  }

  /// Unmutes all muted nodes.
  mutating func open() {
    for name in muted { session.node(name)?.unmute() }
    muted = []
  }

  /// Clears the clip flags of all channels.
  mutating func clearClips() {
    for row in histories.indices {
      for channel in histories[row].indices { histories[row][channel].clearClip() }
    }
  }

  /// Returns everything that the display shows now.
  mutating func view(at time: Double) -> MeterView {
    let engine = session.engine
    let recorder = session.recorder
    let recording = Set(recorder.taps.filter(recorder.isRecording))
    var view = MeterView(
      client: session.manifest.name, sampleRate: engine.sampleRate,
      period: engine.jackClient?.blockLength ?? 0,
      seconds: engine.now.seconds)
    for (index, level) in session.levels.enumerated() {
      for (channel, reading) in levels.take(index).enumerated()
      where histories[index].indices.contains(channel) {
        histories[index][channel].take(peak: reading.peak, rms: reading.rms, at: time)
      }
      view.rows.append(
        .init(
          name: level.name, channels: histories[index],
          isRecording: level.isTake && recording.contains(level.name),
          isMuted: !level.isTake && muted.contains(level.name)))
    }
    for node in session.nodes {
      // A plugin may have dozens of meters, which mean little to a user, so only built-in effects show theirs.
      guard let info = node.info, info.origin == .builtIn, !info.meters.isEmpty else { continue }
      view.readings.append(
        .init(name: node.name, values: info.meters.map { $0.words(node.meter($0.symbol) ?? 0) }))
    }
    // JACK's load counts other clients, but not late cycles. The engine's load counts late cycles, but only its own
    // work.
    view.load = max(Double(engine.jackClient?.load ?? 0), engine.load * 100)
    view.xruns = engine.jackClient?.xruns ?? 0
    view.isPaused = !engine.isRunning
    let takes = recorder.status
    view.lostFrames = takes.map(\.lostFrames).reduce(0, +)
    if let longest = takes.map(\.frameCount).max() {
      view.take = Double(longest) / engine.sampleRate
      view.diskSeconds = recorder.remainingTime?.seconds
    }
    return view
  }
}
