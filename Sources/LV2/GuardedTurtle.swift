// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv

/// Keeps Turtle from lilv that would end the process. Used under the world's lock only.
final class GuardedTurtle {
  /// Why a plugin cannot be used whose bundle was left out, by its URI.
  private(set) var plugins: [String: String] = [:]
  /// The reason of each bundle that was left out.
  private(set) var leftOut: [String] = []
  /// Files that say more, by what they say more of.
  private var references: [String: [String]] = [:]
  /// Why lilv must not read a file, by its URI, for each that was looked at; nil where it may.
  private var dangers: [String: String?] = [:]

  /// The files that are not Turtle, with the line, by the file's URI.
  private var mistakes: [String: String] = [:]

  /// Reads the manifest of a bundle, and what its specifications refer to.
  ///
  /// - Returns: what the manifest names; nil for a bundle that lilv must not read.
  func admit(_ bundle: String) -> TurtleScan? {
    let path = bundle + "manifest.ttl", scan = TurtleScan(path: path, isManifest: true)
    // lilv leaves out a manifest with a mistake, and says so on the terminal alone.
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

  /// The first file with more about a plugin that is not Turtle, and the line; nil if each is, or none was read.
  func mistake(of subject: String) -> String? {
    (references[subject] ?? []).lazy.compactMap { self.mistakes[$0] }.first
  }

  /// The URIs of the files that say more of anything.
  var files: Set<String> { Set(references.values.joined()) }

  /// Why lilv must not read what is said of a plugin or a preset; nil where it may.
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
