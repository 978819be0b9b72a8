// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
internal import SwiftletLV2

/// The reports of earlier audits, in `swiftlet/audit` of `$XDG_CACHE_HOME`, or of `.cache` in the home folder.
///
/// A report counts for a plugin whose library and Turtle files have the same content, for this version of Swiftlet, and for the
/// same seed and thoroughness. The file's name is the hash of all that. A file that is damaged is ignored and replaced.
struct AuditCache {
  /// The folder; nil if no folder for caches is known.
  private let folder: String?

  /// Goes up with each change of what an audit does or stores.
  private static let format = 1
  /// The longest report that is read, in bytes.
  private static let longest = 16 << 20

  init() {
    // The XDG rules: a path that is not absolute is ignored.
    let home = Environment["HOME"].flatMap { access($0, W_OK) == 0 ? $0 + "/.cache" : nil }
    folder = [Environment["XDG_CACHE_HOME"], home].compactMap(\.self).first { $0.hasPrefix("/") }
      .map { $0 + "/swiftlet/audit" }
  }

  /// The latest audit of a plugin: what is asked for each plugin that a manifest names.
  private struct Latest: Codable {
    /// The name of the report's file.
    var file: String
    var seed: UInt64
    var isThorough: Bool
    /// What the report says of the plugin's crash; nil if it did not crash.
    var crash: String?
  }

  /// The path of the report of a plugin; nil if that cannot be stored.
  private func path(_ subject: AuditSubject, seed: UInt64, isThorough: Bool) -> String? {
    guard let folder, let bundle = subject.bundle else { return nil }
    var print = Fingerprint()
    print.add("\(Self.format) \(Version.text) \(seed) \(isThorough) \(subject.uri)")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: bundle)) ?? []
    let described = names.filter { $0.hasSuffix(".ttl") }.sorted().map { ($0, bundle + $0) }
    for (name, file) in described + (subject.library.map { [("", $0)] } ?? []) {
      guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
      print.add(name)
      print.add(bytes.withUnsafeBytes { Fingerprint(of: $0).text })
    }
    return "\(folder)/\(print.text).json"
  }

  private func latestPath(_ uri: String) -> String? {
    var print = Fingerprint()
    print.add(uri)
    return folder.map { "\($0)/\(print.text).latest" }
  }

  /// The report of an earlier audit of the same files; nil if there is none.
  func report(_ subject: AuditSubject, _ runner: AuditRunner) -> AuditReport? {
    let path = path(subject, seed: runner.seed, isThorough: runner.isThorough)
    let report = path.flatMap { Self.read(AuditReport.self, from: $0) }
    return report?.uri == subject.uri ? report : nil
  }

  /// What the latest audit says of a crash of the plugin; nil if it did not crash, was not audited, or has changed since.
  ///
  /// Only for a plugin that has crashed are its files read.
  func crash(of uri: String, in world: PluginWorld) -> String? {
    guard let latest = latestPath(uri).flatMap({ Self.read(Latest.self, from: $0) }),
      let crash = latest.crash,
      let subject = try? world.auditSubject(uri: uri),
      let path = path(subject, seed: latest.seed, isThorough: latest.isThorough),
      FilePath.name(of: path) == latest.file
    else { return nil }
    return crash
  }

  /// Stores a report, if that can be.
  func store(_ report: AuditReport, of subject: AuditSubject, _ runner: AuditRunner) {
    guard let path = path(subject, seed: runner.seed, isThorough: runner.isThorough),
      let latest = latestPath(subject.uri)
    else { return }
    Self.write(report, to: path)
    let crash = report.findings.first { [.crash, .exit, .hang].contains($0.check) && $0.verdict == .fail }
    Self.write(
      Latest(
        file: FilePath.name(of: path), seed: runner.seed, isThorough: runner.isThorough, crash: crash?.text),
      to: latest)
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
