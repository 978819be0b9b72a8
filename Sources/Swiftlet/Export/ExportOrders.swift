// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// What an export was asked for, and how it stands.
struct ExportOrders: Sendable {
  var options = ExportSession.Options()
  var inputs: [ExportInput] = []
  var scores: [ExportScore] = []
  var files: [ExportFile] = []
  /// What is not written to, though nobody hears it.
  var protected: [String] = []
  /// Whose sound files get that are known by their names alone, and the picture of movies; nil where the engine is
  /// not the session's own.
  var source: (output: AudioNode, video: VideoTrack)?
  var hasRun = false, hasEnded = false
  var listeners: [AsyncStream<ExportSession.Progress>.Continuation] = []

  /// What each way in hears.
  var ways: [(node: AudioNode, path: String, length: Int)] {
    inputs.map { ($0.node, $0.path, $0.length) } + scores.map { ($0.node, $0.path, $0.length) }
  }
}
