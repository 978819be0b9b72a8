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

  /// The path of the report of a plugin; nil if that cannot be stored.
  private func path(_ subject: AuditSubject, _ runner: AuditRunner) -> String? {
    guard let folder, let bundle = subject.bundle else { return nil }
    var print = Fingerprint()
    print.add("\(Self.format) \(Version.text) \(runner.seed) \(runner.isThorough) \(subject.uri)")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: bundle)) ?? []
    let described = names.filter { $0.hasSuffix(".ttl") }.sorted().map { bundle + $0 }
    for file in described + (subject.library.map { [$0] } ?? []) {
      guard let bytes = FileManager.default.contents(atPath: file) else { return nil }
      print.add(file)
      print.add(bytes.withUnsafeBytes { Fingerprint(of: $0).text })
    }
    return "\(folder)/\(print.text).json"
  }

  /// The report of an earlier audit of the same files; nil if there is none.
  func report(_ subject: AuditSubject, _ runner: AuditRunner) -> AuditReport? {
    var facts = stat()
    guard let path = path(subject, runner), stat(path, &facts) == 0, facts.st_size <= Self.longest,
      let bytes = RegularFile.head(of: path, count: Int(facts.st_size)),
      let report = try? JSONDecoder().decode(AuditReport.self, from: Data(bytes)), report.uri == subject.uri
    else { return nil }
    return report
  }

  /// Stores a report, if that can be.
  func store(_ report: AuditReport, of subject: AuditSubject, _ runner: AuditRunner) {
    guard let path = path(subject, runner), let bytes = try? JSONEncoder().encode(report),
      let folder = try? OpenFolder(FilePath.folder(of: path), makes: true)
    else { return }
    if let made = folder.made.first { chmod(made, 0o700) }
    guard let file = try? NewFile(path, in: folder, .whole(overwrites: true), permissions: 0o600) else {
      return
    }
    let written = bytes.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
    guard written == bytes.count, (try? file.publish(durably: false)) != nil else { return file.discard() }
  }
}
