// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

/// What somebody does with a file, so that nothing is recorded to it.
enum FileUse: Equatable, CustomStringConvertible {
  /// A node plays it, or somebody beside the engine does.
  case played(by: String)
  /// The sound of a node is exported to it.
  case exported(of: String)

  var description: String {
    switch self {
    case .played(let user): "is played by '\(user)'"
    case .exported(let node): "is written by the export of '\(node)'"
    }
  }
}

extension AudioEngine {
  /// Keeps a file from being recorded or exported to, because somebody beside this engine plays it: another engine
  /// whose sound comes in here, or another program. It holds for as long as the engine lives. Any thread.
  ///
  /// - Parameter player: what refusals call whoever plays it.
  package func protect(_ path: String, playedBy player: String) {
    core.withLock { $0.playedElsewhere.append((path, player)) }
  }

  /// The file that a player plays.
  func file(of node: AudioNode) -> String? { core.withLock { $0.records[node.id]?.files.first } }

  /// The node that plays a file, will play it, or was made with it; or who plays it elsewhere.
  func player(of path: String) -> String? {
    core.withLock { core in
      let node = core.graph.nodes.first { node in
        core.records[node.id]?.files.contains { isSameFile($0, path) } == true
      }
      return node?.name ?? core.playedElsewhere.first { isSameFile($0.path, path) }?.player
    }
  }

  /// Who needs a file: a node that plays it, or an export that reads or writes it.
  func use(of path: String) -> FileUse? {
    if let player = player(of: path) { return .played(by: player) }
    return core.withLock { $0.exported.first { isSamePlace($0.path, path) }?.use }
  }
}
