// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph

extension Checker {
  /// Resolves the files of an effect's node.
  mutating func name(_ files: [Manifest.File], _ info: ProcessorInfo, on node: inout ResolvedManifest.Node) {
    for file in files {
      guard info.files.contains(where: { $0.symbol == file.name.text }) else {
        let found = "'\(node.name)' has no file '\(Document.short(file.name.text))'"
        if info.files.isEmpty {
          problems.error(file.name.position, "\(found); it uses no files")
        } else {
          problems.unknown(file.name.position, found, file.name.text, among: info.files.map(\.symbol))
        }
        continue
      }
      node.files[file.name.text] = ManifestPath.joined(directory, file.path.text)
    }
    for file in info.files where file.isRequired && node.files[file.symbol] == nil {
      // A misspelt name has been reported already.
      guard files.allSatisfy({ node.files[$0.name.text] != nil }) else { break }
      problems.error(
        node.position,
        "found no file '\(file.symbol)' in '\(node.name)'; expected 'files: { \(file.symbol): … }'")
    }
  }

  /// Creates each effect to check its channels and files. Call it after all nodes are resolved.
  mutating func tryEffects() {
    // A large manifest has many effects of few shapes, so each shape is tried once.
    var tried: [EffectShape: (path: String?, reason: String)?] = [:]
    for (index, node) in nodes.enumerated() {
      guard let shape = EffectShape(node) else { continue }
      let problem = tried[shape] ?? catalog.effectTrial(node)
      tried[shape] = .some(problem)
      guard let (path, reason) = problem else { continue }
      guard let path else {
        problems.error(node.position, "found '\(node.name)', which cannot be made: \(reason)")
        continue
      }
      let file = sources[index].files.first { ManifestPath.joined(directory, $0.path.text) == path }
      problems.error(
        file?.path.position ?? node.position, "found the file '\(Document.short(path))', which \(reason)")
    }
  }
}

/// All properties that decide whether an effect can be created.
private struct EffectShape: Hashable {
  let effect: String, inputs: [BusFormat], outputs: [BusFormat], bandCount: Int
  let files: [String: String], algorithm: StretchAlgorithm?

  /// Creates the shape of a node; nil for a node that is no effect.
  init?(_ node: ResolvedManifest.Node) {
    guard case .effect(let info) = node.kind else { return nil }
    effect = info.id
    (inputs, outputs, bandCount) = (node.inputs.map(\.format), node.outputs.map(\.format), node.bandCount)
    (files, algorithm) = (node.files, node.algorithm)
  }
}
