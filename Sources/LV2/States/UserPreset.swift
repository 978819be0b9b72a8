// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk

/// A preset that a user has saved, with this host or another: a bundle that contains nothing else.
package struct UserPreset: Sendable, Equatable {
  /// The reason why a preset cannot be changed.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The URIs of the preset and of its plugin.
  package let uri: String, plugin: String
  package let label: String
  /// The folder of the bundle.
  package let bundle: String
  /// The file that the manifest refers to.
  private let file: String

  /// The presets of a plugin in a folder's bundles. Bundles with a plugin or with several presets are excluded.
  package static func all(of plugin: String, in folder: String) -> [UserPreset] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { !$0.hasPrefix(".") }.compactMap {
      UserPreset(bundle: "\(folder)/\($0)", of: plugin)
    }
  }

  /// The preset in a bundle; nil if the bundle has none for the plugin or contains anything else.
  package init?(bundle: String, of plugin: String) {
    let root = URL(filePath: bundle).standardizedFileURL.path, manifest = root + "/manifest.ttl"
    let scan = TurtleScan(path: manifest)
    guard scan.danger == nil, scan.mistake == nil, scan.plugins.isEmpty,
      let turtle = TurtleTriples(path: manifest)
    else { return nil }
    let kinds = turtle.statements.filter { $0.predicate == Name.type }
    guard kinds.count == 1, kinds[0].object == .uri(Name.preset), case .uri(let uri) = kinds[0].subject,
      turtle.objects(kinds[0].subject, Name.appliesTo) == [.uri(plugin)],
      case .uri(let more)? = turtle.objects(kinds[0].subject, Name.seeAlso).first,
      let file = Lilv.path(of: more), FilePath.folder(of: file) == root, TurtleScan(path: file).danger == nil
    else { return nil }
    let rest = TurtleTriples(path: file)
    let labels = (rest?.objects(.uri(uri), Name.label) ?? []) + turtle.objects(.uri(uri), Name.label)
    guard case .literal(let label, _)? = labels.first else { return nil }
    (self.uri, self.plugin, self.label, self.bundle, self.file) = (uri, plugin, label, root, file)
  }

  /// Removes the preset with its files, and the bundle unless it contains anything else.
  package func delete() throws(Refusal) {
    let members = StateContents.members(of: bundle, name: FilePath.name(of: file)).sorted()
    // Removed first: without a manifest, no host sees the remaining files.
    guard unlink(bundle + "/manifest.ttl") == 0 else {
      throw Refusal(description: "'\(bundle)' cannot be removed: \(String(cString: strerror(errno)))")
    }
    for name in members where name != "manifest.ttl" {
      try? FileManager.default.removeItem(atPath: bundle + "/" + name)
    }
    rmdir(bundle)
  }

  /// Changes the preset's label. Its URI is kept, so references to it stay valid.
  package func relabel(as label: String) throws(Refusal) {
    var isDone = false
    for path in [file, bundle + "/manifest.ttl"] {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8),
        let before = TurtleTriples(path: path),
        !before.objects(.uri(uri), Name.label).isEmpty
      else { continue }
      let changed = text.replacing(
        "rdfs:label \(AtomTurtle.quoted(self.label))", with: "rdfs:label \(AtomTurtle.quoted(label))")
      try replace(path, with: changed, before, label)
      isDone = true
    }
    if !isDone { throw manualEditNeeded }
  }

  private var manualEditNeeded: Refusal {
    Refusal(description: "its label in '\(bundle)' cannot be changed automatically; edit the file by hand")
  }

  /// Replaces a file after checking that only the label differs.
  private func replace(
    _ path: String, with text: String, _ before: TurtleTriples, _ label: String
  ) throws(Refusal) {
    do throws(DiskError) {
      let file = try NewFile(path, .whole(overwrites: true))
      defer { file.discard() }
      try file.write(Array(text.utf8))
      let expected = before.statements.map { statement in
        statement.subject == .uri(uri) && statement.predicate == Name.label
          ? (statement.subject, statement.predicate, .literal(label, type: nil)) : statement
      }
      guard let after = TurtleTriples(path: file.currentPath, base: path)?.statements,
        after.count == expected.count, zip(after, expected).allSatisfy({ $0 == $1 })
      else { throw .outside }
      try file.publish()
    } catch {
      if error == .outside { throw manualEditNeeded }
      throw Refusal(description: "'\(path)' cannot be written: \(String(cString: strerror(error.number)))")
    }
  }
}
