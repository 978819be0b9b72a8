// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletLV2
internal import SwiftletManifest

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

  /// Why a folder must not be replaced by another state: it holds none, or anything besides. Nil if it may be.
  static func reasonToKeep(_ folder: String) -> String? {
    let found = states(in: folder)
    guard !found.isEmpty else { return "holds no state of a plugin" }
    var strangers: [String] = []
    func look(_ folder: String, _ expected: Set<String>, prefix: String) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      strangers += names.filter { !expected.contains($0) }.map { prefix + $0 }
    }
    if found[0].node != nil { look(folder, Set(found.compactMap(\.node)), prefix: "") }
    for state in found {
      look(state.path, StateContents.members(of: state.path), prefix: state.node.map { $0 + "/" } ?? "")
    }
    return strangers.min().map { "holds more than states, such as '\($0.shortened())'," }
  }

  /// The states in a folder. One without any is a failure.
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
