// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A step of an audit. A crash ends the step in which it happens; the next step begins in a new process.
package enum AuditStep: String, Codable, Sendable, CaseIterable {
  case description, load, lengths, rates, input
  case realTime = "real-time"
  case parameters, determinism
  case blockSize = "block-size"
  case inPlace = "in-place"
  case latency, threads, state, presets, clicks, cost

  /// Whether further steps are pointless after a crash in this one.
  package var isFirst: Bool { self == .description || self == .load }
}

/// The subject of a finding. The names are stable, so scripts may rely on them.
package enum AuditCheck: String, Codable, Sendable, CaseIterable {
  // The description.
  case description, symbol, range
  case defaultValue = "default"
  case unsupported
  // Loading and ending.
  case library, start, end
  // How the process ended.
  case crash, exit, hang, bounds
  // The output signal.
  case notFinite = "not-finite"
  case recovery, runaway
  case dcOffset = "dc-offset"
  case denormals, unwritten, events
  // Real-time safety of `run`.
  case allocation, lock
  case systemCall = "system-call"
  // Behavior.
  case determinism
  case blockSize = "block-size"
  case inPlace = "in-place"
  case latency
  case latencyChange = "latency-change"
  case threadClass = "thread-class"
  case state, preset, click
  // Steps that were skipped.
  case skipped
}
