// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The state of a session.
package struct ControlStatus: Codable, Sendable, Equatable {
  /// The state of the engine.
  package enum State: String, Codable, Sendable {
    case running, paused
    /// The JACK server has gone, and the session waits for its return.
    case waiting
  }

  /// A running take.
  package struct Take: Codable, Sendable, Equatable {
    package var tap: String
    /// The file's path, relative to the folder in which the session was started unless it is absolute.
    package var path: String
    /// The length so far, in seconds.
    package var seconds: Double
    /// The number of frames that were lost so far.
    package var lostFrames: Int

    /// Creates the state of a take.
    package init(tap: String, path: String, seconds: Double, lostFrames: Int) {
      (self.tap, self.path, self.seconds, self.lostFrames) = (tap, path, seconds, lostFrames)
    }
  }

  /// The name of the session, which is that of its JACK client.
  package var name: String
  package var process: Int32
  /// The JACK server's name.
  package var server: String
  package var state: State
  /// The sample rate in Hz, and the period in frames.
  package var sampleRate: Double, period: Int
  /// The sound that has passed since the start, in seconds.
  package var seconds: Double
  /// The share of the period that a cycle takes, as a mean of recent cycles; 1 is the whole period.
  package var load: Double
  /// The number of xruns since the start.
  package var xruns: Int
  /// The number of nodes.
  package var nodes: Int
  /// The position on the timeline in seconds, and whether it moves.
  package var position: Double, isRolling: Bool
  package var takes: [Take]

  /// Creates the state of a session that has no takes.
  package init(
    name: String, process: Int32, server: String, state: State, sampleRate: Double, period: Int,
    seconds: Double, load: Double, xruns: Int, nodes: Int, position: Double, isRolling: Bool,
    takes: [Take] = []
  ) {
    (self.name, self.process, self.server, self.state) = (name, process, server, state)
    (self.sampleRate, self.period, self.seconds) = (sampleRate, period, seconds)
    (self.load, self.xruns, self.nodes) = (load, xruns, nodes)
    (self.position, self.isRolling, self.takes) = (position, isRolling, takes)
  }
}
