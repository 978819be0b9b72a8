// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletTesting
import Testing

@testable import SwiftletManifest

@Suite struct `Unreadable files` {
  /// Returns the error message for the file at a path; nil if it can be read.
  func message(_ path: String) -> String? {
    do {
      _ = try ManifestText(contentsOf: path)
      return nil
    } catch { return error.description }
  }

  func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "swiftlet-manifest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func `each is reported in one line with its name`() throws {
    try withFolder { folder in
      let path = { (name: String) in folder.appending(path: name).path }
      try Data([0xFF, 0xFE, 0x61]).write(to: URL(filePath: path("bytes.yaml")))
      try Data().write(to: URL(filePath: path("empty.yaml")))
      #expect(
        message(path("none.yaml"))
          == "\(path("none.yaml")): error: found no such file; expected a manifest, such as manifests/vocal.yaml"
      )
      #expect(message(folder.path)?.contains("error: found a directory") == true)
      #expect(message(path("bytes.yaml"))?.contains("error: found bytes that are no text") == true)
      #expect(message(path("empty.yaml")) == nil)
      // Reading a process's memory at address 0 fails for every user, root included.
      #expect(message("/proc/self/mem")?.contains("cannot be read") == true)
      #expect(message("a\0b") != nil)
    }
  }

  @Test func `a file of more than 1 MiB is refused before it is read`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "long.yaml").path
      // A sparse file of 100 MB.
      try Data().write(to: URL(filePath: path))
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 100_000_000)
      try handle.close()
      let start = ContinuousClock.now
      #expect(message(path)?.contains("error: found more than 1 MiB") == true)
      #expect(ContinuousClock.now - start < .milliseconds(500))
    }
  }

  @Test func `pipes and devices are refused without waiting`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "pipe.yaml").path
      mkfifo(path, 0o600)
      for path in [path, "/dev/zero", "/dev/tty"] where message(path)?.contains("no such file") == false {
        #expect(
          message(path)
            == "\(path): error: found a pipe or a device; expected a file, or - for standard input")
      }
      #expect(message("/dev/fd/9999")?.contains("found no such file") == true)
    }
  }
}

@Suite struct `Damaged manifests` {
  /// Returns a text in which some bytes are changed, removed, duplicated or inserted.
  static func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
    var bytes = Array(text.utf8)
    let tokens = [
      "[", "]", "{", "}", ":", " ->", "&a ", "*a", "\"", "'", "#", "-", "\t", "\n", "99999999999999999999",
      "-1e999",
      "nan", "[0]", "[999]", ".", "null", "!!int ", "? ", "| ", "\u{0}", "\u{FEFF}", "é", "%", "---\n",
      "wires:", "set:",
      "feedback: true", "channels: 64", "1e308 ms", "bands: [ {} ]",
    ]
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard !bytes.isEmpty else { break }
      let start = Int.random(in: bytes.indices, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.removeSubrange(start..<end)
      case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
      case 3: bytes.removeSubrange(end...)
      default: bytes.insert(contentsOf: Array((tokens.randomElement(using: &random) ?? "").utf8), at: start)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: `Shipped manifests`.names)
  func `no damage causes a trap, and every error has a position`(name: String) throws {
    let text = try `Shipped manifests`.text(name).text
    let catalog = ManifestCatalog.thisMachine
    var random = SeededGenerator(seed: name.utf8.reduce(0) { $0 * 31 + UInt64($1) })
    var refusals = 0
    for _ in 0..<200 {
      let broken = Self.damaged(text, &random)
      do {
        let manifest = try ManifestText(broken, file: "x.yaml").check(against: catalog)
        #expect(manifest.warnings.allSatisfy { !$0.description.contains("\n") })
        let draft = try Manifest(ManifestText(broken, file: "x.yaml"))
        #expect(try Manifest(ManifestText(draft.yaml, file: "y.yaml")) == draft)
      } catch {
        refusals += 1
        #expect(error.problems.contains { $0.severity == .error })
        for problem in error.problems {
          #expect(!problem.description.contains("\n"), "\(problem)")
          #expect(problem.position.map { $0.line > 0 && $0.column > 0 } ?? true)
        }
      }
    }
    #expect(refusals > 50)
  }

  @Test func `an invalid node's name is still known to its wires`() throws {
    let text = """
      swiftlet: 1
      nodes:
        mic: { capture: mono }
        echo: { effect: dealy }
      wires: [ mic -> ehco ]
      """
    #expect {
      try ManifestText(text, file: "x").check(against: TestCatalog.catalog)
    } throws: {
      ($0 as? ManifestError)?.problems.map(\.description) == [
        "x:4:19: error: found no effect 'dealy'; did you mean 'delay'?",
        "x:5:17: error: found no node 'ehco'; did you mean 'echo'?",
      ]
    }
  }

  @Test func `10,000 errors in one manifest are reported in less than two minutes`() throws {
    let nodes = (0..<5_000).map { "  node-\($0): { efect: delay, set: { tiem: 3 } }" }.joined(separator: "\n")
    let wires = (0..<5_000).map { "  - nod-\($0) -> noode-\($0)" }.joined(separator: "\n")
    let start = ContinuousClock.now
    #expect {
      try ManifestText("swiftlet: 1\nnodes:\n\(nodes)\nwires:\n\(wires)", file: "x").check(
        against: TestCatalog.catalog)
    } throws: { ($0 as? ManifestError).map { $0.problems.count > 10_000 } ?? false }
    #expect(ContinuousClock.now - start < .seconds(120))
  }
}
