// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
internal import SwiftletLV2
internal import SwiftletManifest

/// The cache of audit reports: `swiftlet/audit` in `$XDG_CACHE_HOME`, or in `.cache` of the home folder.
///
/// A report is valid for a plugin whose library and Turtle files have the same content, for this version of Swiftlet,
/// and for the same seed and thoroughness. The file's name is the hash of all these. A damaged file is ignored and
/// replaced.
struct AuditCache {
  /// The folder; nil if there is no cache folder.
  private let folder: String?

  /// The version of the format. It increases with each change of what an audit does or stores.
  private static let format = 2
  /// The maximum size of a report in bytes.
  private static let longest = 16 << 20

  init() {
    // The XDG rules: relative paths are ignored.
    let home = Environment["HOME"].flatMap { access($0, W_OK) == 0 ? $0 + "/.cache" : nil }
    folder = [Environment["XDG_CACHE_HOME"], home].compactMap(\.self).first { $0.hasPrefix("/") }
      .map { $0 + "/swiftlet/audit" }
  }

  /// A summary of the latest audit of a plugin. It is read for each plugin of a manifest.
  private struct Latest: Codable {
    /// The file name of the report.
    var file: String
    var seed: UInt64
    var isThorough: Bool
    /// The crash; nil if the plugin did not crash.
    var crash: String?
    /// The finding about different block lengths; nil if the plugin sounds the same with all.
    var blockLength: String?

    /// Whether the audit found a crash or a dependency on the block length.
    var hasFindings: Bool { crash != nil || blockLength != nil }
  }

  /// A plugin that has crashed, for lists, which read no Turtle.
  private struct Crasher: Codable {
    var uri: String
    /// The folder of the bundle, and the path of the library.
    var bundle: String, library: String?
    var latest: Latest
    /// The state of the files when the report was stored: path, size, inode and modification time.
    var state: String
  }

  /// The findings of an audit that other commands report.
  struct Known: Equatable {
    var crash: String?
    var blockLength: String?
  }

  /// Returns the files that a report depends on, each with the name that goes into the hash.
  private func files(_ bundle: String, _ library: String?) -> [(name: String, path: String)] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: bundle)) ?? []
    return names.filter { $0.hasSuffix(".ttl") }.sorted().map { ($0, bundle + $0) }
      + (library.map { [("", $0)] } ?? [])
  }

  /// Returns the path of a plugin's report; nil if it cannot be stored.
  private func path(_ subject: AuditSubject, seed: UInt64, isThorough: Bool) -> String? {
    subject.bundle.flatMap {
      path(subject.uri, bundle: $0, subject.library, seed: seed, isThorough: isThorough)
    }
  }

  private func path(
    _ uri: String, bundle: String, _ library: String?, seed: UInt64, isThorough: Bool
  ) -> String? {
    guard let folder else { return nil }
    var print = Fingerprint()
    print.add("\(Self.format) \(Version.text) \(seed) \(isThorough) \(uri)")
    for (name, file) in files(bundle, library) {
      guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
      print.add(name)
      print.add(bytes.withUnsafeBytes { Fingerprint(of: $0).text })
    }
    return "\(folder)/\(print.text).json"
  }

  /// Returns the path of a plugin's summary. `kind` is the file extension.
  private func latestPath(_ uri: String, _ kind: String) -> String? {
    var print = Fingerprint()
    print.add(uri)
    return folder.map { "\($0)/\(print.text).\(kind)" }
  }

  /// Returns the fingerprint of the files that a report depends on, and of the program's version.
  private func state(_ bundle: String, _ library: String?) -> String {
    var print = Fingerprint()
    print.add("\(Self.format) \(Version.text)")
    for (_, file) in files(bundle, library) { file.withCString { print.add(file: $0) } }
    return print.text
  }

  /// Returns the report of an earlier audit of the same files; nil if there is none.
  func report(_ subject: AuditSubject, _ runner: AuditRunner) -> AuditReport? {
    let path = path(subject, seed: runner.seed, isThorough: runner.isThorough)
    let report = path.flatMap { Self.read(AuditReport.self, from: $0) }
    return report?.uri == subject.uri ? report : nil
  }

  /// Returns the findings of a plugin's latest audit that other commands report; empty if the plugin was not audited,
  /// or has changed since.
  ///
  /// The plugin's files are read only if there are such findings.
  func known(of uri: String, in world: PluginWorld) -> Known {
    guard let latest = latestPath(uri, "latest").flatMap({ Self.read(Latest.self, from: $0) }),
      latest.hasFindings,
      let subject = try? world.auditSubject(uri: uri),
      let path = path(subject, seed: latest.seed, isThorough: latest.isThorough),
      FilePath.name(of: path) == latest.file
    else { return Known() }
    return Known(crash: latest.crash, blockLength: latest.blockLength)
  }

  /// Returns the crashes of a world's plugins in their latest audits, by URI. Reads no Turtle, unless a plugin's
  /// bundle has moved.
  func crashes(of uris: Set<String>, in world: PluginWorld) -> [String: String] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return [:]
    }
    let crashers = names.filter { $0.hasSuffix(".crash") }.compactMap {
      Self.read(Crasher.self, from: "\(folder)/\($0)")
    }
    guard !crashers.isEmpty else { return [:] }
    let there = Set(world.bundles.map(Self.real))
    var crashes: [String: String] = [:]
    for crasher in crashers where uris.contains(crasher.uri) {
      let latest = crasher.latest
      guard there.contains(Self.real(crasher.bundle)) else {
        crashes[crasher.uri] = known(of: crasher.uri, in: world).crash
        continue
      }
      let isSame =
        state(crasher.bundle, crasher.library) == crasher.state
        || path(
          crasher.uri, bundle: crasher.bundle, crasher.library, seed: latest.seed,
          isThorough: latest.isThorough
        ).map { FilePath.name(of: $0) } == latest.file
      if isSame { crashes[crasher.uri] = latest.crash }
    }
    return crashes
  }

  /// Returns a path without symbolic links.
  private static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Stores a report. Errors are ignored.
  func store(_ report: AuditReport, of subject: AuditSubject, _ runner: AuditRunner) {
    guard let bundle = subject.bundle,
      let path = path(subject, seed: runner.seed, isThorough: runner.isThorough),
      let latestPath = self.latestPath(subject.uri, "latest"),
      let crashPath = self.latestPath(subject.uri, "crash")
    else { return }
    Self.write(report, to: path)
    let crash = report.findings.first { [.crash, .exit, .hang].contains($0.check) && $0.verdict == .fail }
    let latest = Latest(
      file: FilePath.name(of: path), seed: runner.seed, isThorough: runner.isThorough,
      crash: crash?.text.shortened(to: 300),
      blockLength: report.findings.first { $0.check == .blockSize }?.text.shortened(to: 300))
    Self.write(latest, to: latestPath)
    if crash != nil {
      Self.write(
        Crasher(
          uri: subject.uri, bundle: bundle, library: subject.library, latest: latest,
          state: state(bundle, subject.library)), to: crashPath)
    } else {
      unlink(crashPath)
    }
  }

  private static func read<Value: Decodable>(_ type: Value.Type, from path: String) -> Value? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_size <= longest,
      let bytes = RegularFile.head(of: path, count: Int(facts.st_size))
    else { return nil }
    return try? JSONDecoder().decode(type, from: Data(bytes))
  }

  private static func write(_ value: some Encodable, to path: String) {
    guard let bytes = try? JSONEncoder().encode(value),
      let folder = try? OpenFolder(FilePath.folder(of: path), makes: true)
    else { return }
    if let made = folder.made.first { chmod(made, 0o700) }
    guard let file = try? NewFile(path, in: folder, .whole(overwrites: true), permissions: 0o600) else {
      return
    }
    let written = bytes.withUnsafeBytes { Foundation.write(file.descriptor, $0.baseAddress, $0.count) }
    guard written == bytes.count, (try? file.publish(durably: false)) != nil else { return file.discard() }
  }
}
