// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletLV2

/// A folder that holds a state, or some folders that do.
enum StateFolder {
  /// The folders of the states in a folder, and the nodes that they are named after: the folder itself, without a node, or those
  /// in it. Empty if there is none.
  static func states(in folder: String) -> [(node: String?, path: String)] {
    func isState(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/state.ttl") }
    if isState(folder) { return [(nil, folder)] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { !$0.hasPrefix(".") && isState("\(folder)/\($0)") }.map { ($0, "\(folder)/\($0)") }
  }

  /// The same, where a folder without states is a failure.
  static func requireStates(in folder: String) throws -> [(node: String?, path: String)] {
    let found = states(in: folder)
    guard found.isEmpty else { return found }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
    let reason =
      !isThere ? "is not there" : isFolder.boolValue ? "holds no file state.ttl" : "is no folder"
    throw Failure(.badInput, "'\(folder)' \(reason); expected a folder with the state of a plugin")
  }
}
