// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

/// The use of a file, which keeps takes and exports from writing to it.
enum FileUse: Equatable, CustomStringConvertible {
  /// A node plays the file, or something outside this engine does.
  case played(by: String)
  /// The sound of a node is exported to the file.
  case exported(of: String)

  var description: String {
    switch self {
    case .played(let user): "is played by '\(user)'"
    case .exported(let node): "is written by the export of '\(node)'"
    }
  }
}

extension AudioEngine {
  /// Keeps a file from being recorded or exported to, because something outside this engine plays it: another engine
  /// whose sound is an input here, or another program. Applies until the engine is released. Any thread.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - player: the name of the file's player in error messages.
  package func protect(_ path: String, playedBy player: String) {
    core.withLock { $0.playedElsewhere.append((path, player)) }
  }

  /// Returns the file that a player plays.
  func file(of node: AudioNode) -> String? { core.withLock { $0.records[node.id]?.files.first } }

  /// Returns the name of the node that plays a file, will play it, or was made with it, or of its player outside the
  /// engine.
  func player(of path: String) -> String? {
    core.withLock { core in
      let node = core.graph.nodes.first { node in
        core.records[node.id]?.files.contains { isSameFile($0, path) } == true
      }
      return node?.name ?? core.playedElsewhere.first { isSameFile($0.path, path) }?.player
    }
  }

  /// Returns the use of a file: by a node that plays it, or by an export that reads or writes it.
  func use(of path: String) -> FileUse? {
    if let player = player(of: path) { return .played(by: player) }
    return core.withLock { $0.exported.first { isSameLocation($0.path, path) }?.use }
  }
}
