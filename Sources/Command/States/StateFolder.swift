// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletLV2
internal import SwiftletManifest

/// Folders that contain the state of a plugin, or a folder of states for each node.
enum StateFolder {
  /// Returns the states in a folder: the folder itself, without a node, or its subfolders, each with the node that it
  /// is named after; empty if there are none.
  static func states(in folder: String) -> [(node: String?, path: String)] {
    func isState(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/state.ttl") }
    if isState(folder) { return [(nil, folder)] }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { !$0.hasPrefix(".") && isState("\(folder)/\($0)") }.map { ($0, "\(folder)/\($0)") }
  }

  /// Returns why a folder must not be replaced: it contains no state, or other files; nil if it may be replaced.
  static func reasonNotToReplace(_ folder: String) -> String? {
    let found = states(in: folder)
    guard !found.isEmpty else { return "holds no state of a plugin" }
    var others: [String] = []
    func collect(_ folder: String, _ expected: Set<String>, prefix: String) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      others += names.filter { !expected.contains($0) }.map { prefix + $0 }
    }
    if found[0].node != nil { collect(folder, Set(found.compactMap(\.node)), prefix: "") }
    for state in found {
      collect(state.path, StateContents.members(of: state.path), prefix: state.node.map { $0 + "/" } ?? "")
    }
    return others.min().map { "holds more than states, such as '\($0.shortened())'," }
  }

  /// Returns the states in a folder. Throws if there are none.
  static func requireStates(in folder: String) throws -> [(node: String?, path: String)] {
    let found = states(in: folder)
    guard found.isEmpty else { return found }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
    let reason =
      !isThere ? "is not there" : isFolder.boolValue ? "holds no file state.ttl" : "is not a folder"
    throw Failure(.badInput, "'\(folder)' \(reason); expected a folder with the state of a plugin")
  }
}
