// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A part of an audit. A crash ends the step in which it happens; the next begins in a new process.
package enum AuditStep: String, Codable, Sendable, CaseIterable {
  case description, load, lengths, rates, input
  case realTime = "real-time"
  case parameters, determinism
  case blockSize = "block-size"
  case inPlace = "in-place"
  case latency, threads, state, presets, clicks, cost

  /// Whether the further steps make no sense after a crash in this one.
  package var isFirst: Bool { self == .description || self == .load }
}

/// What a finding is about. The names are stable: scripts may rely on them.
package enum AuditCheck: String, Codable, Sendable, CaseIterable {
  // Of the description.
  case description, symbol, range
  case defaultValue = "default"
  case unsupported
  // Of loading and ending.
  case library, start, end
  // How it died.
  case crash, exit, hang, bounds
  // What it plays.
  case notFinite = "not-finite"
  case recovery, runaway
  case dcOffset = "dc-offset"
  case denormals, unwritten, events
  // What `run` does.
  case allocation, lock
  case systemCall = "system-call"
  // How it behaves.
  case determinism
  case blockSize = "block-size"
  case inPlace = "in-place"
  case latency
  case latencyChange = "latency-change"
  case threadClass = "thread-class"
  case state, preset, click
  // What was not done.
  case skipped
}
