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

  /// Whether lilv may read a bundle: its manifest, and what its specifications refer to.
  func admits(_ bundle: String) -> Bool {
    let path = bundle + "manifest.ttl", scan = TurtleScan(path: path)
    // lilv leaves out a manifest with a mistake, and says so on the terminal alone.
    let fault = scan.danger ?? scan.mistake.map { "is not Turtle in line \($0)" }
    var danger = fault.map { "\(path) \($0)" }
    if danger == nil {
      references.merge(scan.references) { $0 + $1 }
      for specification in scan.specifications where danger == nil { danger = self.danger(of: specification) }
    }
    guard let danger else { return true }
    leftOut.append(danger)
    for plugin in scan.plugins { plugins[plugin] = "its bundle cannot be read: \(danger)" }
    return false
  }

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
    guard let path = lilv_file_uri_parse(file, nil) else { return nil }
    defer { lilv_free(path) }
    let scan = TurtleScan(path: String(cString: path))
    references.merge(scan.references) { $0 + $1 }
    let danger = scan.danger.map { "\(String(cString: path)) \($0)" }
    dangers[file] = .some(danger)
    return danger
  }
}
