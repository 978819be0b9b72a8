// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// Keeps Turtle that would crash lilv from it. Used under the world's lock only.
final class TurtleGuard {
  /// For each plugin whose bundle was excluded, the reason, by plugin URI.
  private(set) var plugins: [String: String] = [:]
  /// The reason for each excluded bundle.
  private(set) var leftOut: [String] = []
  /// The `rdfs:seeAlso` files, by subject.
  private var references: [String: [String]] = [:]
  /// For each checked file URI, the reason why lilv must not read it; nil if it may.
  private var dangers: [String: String?] = [:]

  /// The files that are not valid Turtle, by URI, with the line number.
  private var mistakes: [String: String] = [:]

  /// Scans a bundle's manifest, and the files that its specifications refer to.
  ///
  /// - Returns: The result of the scan; nil if lilv must not read the bundle.
  func admit(_ bundle: String) -> TurtleScan? {
    let path = bundle + "manifest.ttl", scan = TurtleScan(path: path, isManifest: true)
    // lilv ignores an invalid manifest, and reports that only on the terminal.
    let fault = scan.danger ?? scan.mistake.map { "is not Turtle in line \($0)" }
    var danger = fault.map { "\(path) \($0)" }
    if danger == nil {
      references.merge(scan.references) { $0 + $1 }
      for specification in scan.specifications where danger == nil { danger = self.danger(of: specification) }
    }
    guard let danger else { return scan }
    leftOut.append(danger)
    for plugin in scan.plugins { plugins[plugin] = "its bundle cannot be read: \(danger)" }
    return nil
  }

  /// The first file about a plugin that is not valid Turtle, with the line number; nil if there is none, or none was
  /// read.
  func mistake(of subject: String) -> String? {
    (references[subject] ?? []).lazy.compactMap { self.mistakes[$0] }.first
  }

  /// The URIs of all `rdfs:seeAlso` files.
  var files: Set<String> { Set(references.values.joined()) }

  /// The reason why lilv must not read the files about a plugin or a preset; nil if it may.
  func danger(of subject: String) -> String? {
    var waiting = references[subject] ?? [], seen: Set<String> = []
    while let file = waiting.popLast() {
      guard seen.insert(file).inserted else { continue }
      if let danger = danger(in: file) { return danger }
      waiting += references[subject] ?? []
    }
    return nil
  }

  private func danger(in file: String) -> String? {
    if let known = dangers[file] { return known }
    guard let path = Lilv.path(of: file) else { return nil }
    let scan = TurtleScan(path: path)
    references.merge(scan.references) { $0 + $1 }
    let danger = scan.danger.map { "\(path) \($0)" }
    dangers[file] = .some(danger)
    if let line = scan.mistake { mistakes[file] = "\(path) is not Turtle in line \(line)" }
    return danger
  }
}
