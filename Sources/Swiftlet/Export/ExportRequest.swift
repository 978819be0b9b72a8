// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletTimeline

/// The settings of an export: files, inputs and options, and its state.
struct ExportRequest: Sendable {
  var options = ExportSession.Options()
  var inputs: [ExportInput] = []
  var scores: [ExportScore] = []
  var files: [ExportFile] = []
  /// The paths of further files that must not be overwritten.
  var protected: [String] = []
  /// The node and the picture of files that are given by their names only; nil unless the session made its engine.
  var source: (output: AudioNode, video: VideoTrack)?
  var hasRun = false, hasEnded = false
  var listeners: [AsyncStream<ExportSession.Progress>.Continuation] = []

  /// The input nodes with their files and lengths in frames.
  var playedFiles: [(node: AudioNode, path: String, length: Int)] {
    inputs.map { ($0.node, $0.path, $0.length) } + scores.map { ($0.node, $0.path, $0.length) }
  }
}
