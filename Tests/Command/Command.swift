// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The built tool, run as a user runs it.
struct Command {
  /// What a run said, and how it ended.
  struct Outcome: Sendable {
    var output: String
    var messages: String
    var status: Int32
  }

  /// Where the binary is: beside the tests.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent + "/swiftlet"
  }()

  /// Variables that a run sees besides the few it always has.
  var environment: [String: String] = [:]
  /// Where it runs.
  var folder = "/tmp"

  /// Runs it to its end, or ends it after `limit` seconds.
  @discardableResult
  func run(_ arguments: String..., limit: Double = 60) throws -> Outcome {
    try run(program: Self.path, arguments, limit: limit)
  }

  /// Runs a line of the shell, in which `swiftlet` is the tool.
  func shell(_ line: String, limit: Double = 60) throws -> Outcome {
    try run(program: "/bin/sh", ["-c", line], limit: limit)
  }

  /// The process, not started yet, with files to catch what it says.
  func run(program: String, _ arguments: [String], limit: Double) throws -> Outcome {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = variables
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try scratch.handle("out")
    process.standardError = try scratch.handle("err")
    try process.run()
    let deadline = Date() + limit
    while process.isRunning, Date() < deadline { usleep(5000) }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      Issue.record("\(program) \(arguments) did not end within \(limit) s: \(scratch.text("err"))")
    }
    return Outcome(
      output: scratch.text("out"), messages: scratch.text("err"),
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
  }

  /// What a run sees: enough to run, nothing of the tester's taste.
  var variables: [String: String] {
    var variables = [
      "PATH": (Self.path as NSString).deletingLastPathComponent + ":/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    for kept in ["LV2_PATH", "XDG_RUNTIME_DIR", "TMPDIR", "LD_LIBRARY_PATH"] {
      variables[kept] = ProcessInfo.processInfo.environment[kept]
    }
    variables["HOME"] = "/nonexistent"
    return variables.merging(environment) { $1 }
  }
}

/// A folder that is gone when the test is.
final class Scratch {
  let path: String

  init() throws {
    path = "/tmp/swiftlet-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A new file to write to.
  func handle(_ name: String) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil)
    return try FileHandle(forWritingTo: URL(filePath: "\(path)/\(name)"))
  }

  /// Writes a file, and tells its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    return "\(path)/\(name)"
  }

  /// What a file holds, as text.
  func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data(), as: UTF8.self)
  }

  /// The names of all files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
