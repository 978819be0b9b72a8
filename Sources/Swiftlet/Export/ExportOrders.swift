// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What an export was asked for, and how it stands.
struct ExportOrders: Sendable {
  var options = ExportSession.Options()
  var inputs: [ExportInput] = []
  var scores: [ExportScore] = []
  var files: [ExportFile] = []
  /// What is not written to, though nobody hears it.
  var protected: [String] = []
  var hasRun = false, hasEnded = false
  var listeners: [AsyncStream<ExportProgress>.Continuation] = []

  /// What each way in hears.
  var ways: [(node: AudioNode, path: String, length: Int)] {
    inputs.map { ($0.node, $0.path, $0.length) } + scores.map { ($0.node, $0.path, $0.length) }
  }
}
