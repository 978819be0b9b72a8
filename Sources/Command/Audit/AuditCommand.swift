// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Foundation
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletManifest

/// `swiftlet audit`: tests LV2 plugins for faults.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Look for faults in LV2 plugins.",
    discussion: """
      Each plugin runs in a process of its own, with at most 15 seconds of CPU time, and is given blocks of all lengths, \
      all usual sample rates, extreme input and extreme settings. A finding is a fail, a warning (warn) or a note. If any \
      plugin fails, the command ends with the code 3, so that a build can rely on it. 'docs/audit.md' explains each finding.

      At most three lines of details are shown of a finding, such as the beginning of a stack; -v shows all, and the \
      plugin that is being audited. 'list' marks plugins that crashed in their latest audit, and 'run' and 'render' isolate them.
      """)

  @Argument(
    help: "A plugin's URI or name, or the folder of a bundle, whose plugins are all audited.",
    completion: .directory)
  var plugin: String?

  @Flag(
    help: "Audit all installed plugins. A report of an earlier audit is used again if the plugin is the same."
  )
  var all = false

  @Flag(help: "With --all, do not use the reports of earlier audits.")
  var fresh = false

  @Flag(
    help: "Take up to 120 seconds of CPU time for each plugin: more settings, longer signals, all presets.")
  var thorough = false

  @Option(help: ArgumentHelp("The seed of the random settings of parameters.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("Write the report as a web page, in one file.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var html: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if all == (plugin != nil) {
      throw ValidationError(
        all ? "--all and a plugin exclude each other" : "name a plugin or a bundle, or give --all")
    }
    if fresh && !all { throw ValidationError("--fresh belongs to --all") }
  }

  func run() throws {
    let target = try target(), console = common.console, cache = AuditCache()
    let runner = try AuditRunner(path: target.path, seed: seed, isThorough: thorough)
    let text = AuditText(style: common.resultStyle, isVerbose: console.volume == .verbose),
      results = Results()
    var tally = AuditTally(reports: [])
    for (number, uri) in target.uris.enumerated() {
      let subject = try target.world.auditSubject(uri: uri)
      let known = all && !fresh ? cache.report(subject, runner) : nil
      if known == nil, target.uris.count > 1 {
        console.detail("\(number + 1) of \(target.uris.count): <\(uri)>")
      }
      let report = try known ?? runner.audit(subject)
      if known == nil { cache.store(report, of: subject, runner) }
      tally.reports.append(report)
      if !json { for line in text.lines(report) { try results.line(line) } }
    }
    if let html { try TextFile.replace(html, with: AuditPage(tally: tally, runner: runner).text) }
    let hasFailed = tally.count(.fail) > 0
    try results.print(before: hasFailed ? .silent(.failedHost) : nil) { results in
      if json {
        try results.json(document(tally))
      } else if target.uris.count != 1 {
        try results.line(StyledText(tally.text))
      }
    }
  }

  private func document(_ tally: AuditTally) -> JSONValue {
    .object([
      JSONValue.format, ("swiftlet", .string(Version.number)), ("seed", .string("\(seed)")),
      ("thorough", .toggle(thorough)), ("plugins", .list(tally.reports.map(\.json))),
    ])
  }

  /// The plugins to audit.
  private struct Target {
    var world = PluginWorld.shared
    /// The search path for bundles; nil for LV2's default.
    var path: String?
    var uris: [String]
  }

  private func target() throws -> Target {
    guard let word = plugin else {
      let uris = try PluginWorld.shared.uris()
      if uris.isEmpty { throw Failure(.badInput, "no LV2 plugins are installed") }
      return Target(uris: uris)
    }
    if let bundle = try bundle(word) { return bundle }
    let uris = try PluginWorld.shared.uris()
    if uris.contains(word) { return Target(uris: [word]) }
    let items = try Catalogue().plugins().items
    let named = items.filter { $0.name.lowercased() == word.lowercased() }
    if !named.isEmpty { return Target(uris: named.map(\.id)) }
    let near = NearestName.nearest(to: String(word.prefix(200)), among: uris + items.map(\.name))
    let hint = near.map { "; did you mean '\($0)'?" } ?? "; 'swiftlet list --plugins' shows what there is"
    throw Failure(.badInput, "no LV2 plugin is called '\(word.shortened())', and no bundle is there\(hint)")
  }

  /// Returns the plugins of a bundle; nil if the argument is no folder with a `manifest.ttl`.
  private func bundle(_ word: String) throws -> Target? {
    guard access(word + "/manifest.ttl", F_OK) == 0, let real = realpath(word, nil) else { return nil }
    defer { free(real) }
    let folder = String(cString: real), (uris, fault) = PluginWorld.plugins(inBundle: folder)
    if uris.isEmpty {
      let reason = fault.map { "its manifest.ttl \($0)" } ?? "its manifest.ttl names no plugin"
      throw Failure(.badInput, "the bundle '\(word.shortened())' cannot be audited: \(reason)")
    }
    // LV2 searches the bundle's parent folder. A colon separates folders in LV2's search path.
    let location = URL(filePath: folder).deletingLastPathComponent().path
    guard !location.contains(":") else {
      throw Failure(
        .badInput, "the path of the bundle '\(word.shortened())' has a colon, which parts the paths of LV2")
    }
    return Target(world: PluginWorld(path: location), path: location, uris: uris)
  }
}
