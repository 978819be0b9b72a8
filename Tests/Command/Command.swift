// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The built tool, run as a user runs it.
struct Command {
  /// The output and exit status of a run.
  struct Outcome: Sendable {
    var output: String
    var messages: String
    var status: Int32
  }

  /// The path of the binary, in the folder of the tests.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent + "/swiftlet"
  }()

  /// Environment variables of a run in addition to the default ones.
  var environment: [String: String] = [:]
  /// The working directory.
  var folder = "/tmp"

  /// The tool with a home and cache folder of the test, for presets, caches and audits.
  static func atHome(in scratch: Scratch) -> Command {
    Command(
      environment: ["XDG_CACHE_HOME": scratch.path + "/cache", "HOME": scratch.path], folder: scratch.path)
  }

  /// The tool with the test's plugins alone, and a cache folder of the test.
  static func withPlugins(in scratch: Scratch) -> Command {
    Command(
      environment: ["LV2_PATH": scratch.path, "XDG_CACHE_HOME": scratch.path + "/cache"], folder: scratch.path
    )
  }

  /// Runs the tool to its end, or kills it after `limit` seconds.
  @discardableResult
  func run(_ arguments: String..., limit: Double = 60) throws -> Outcome {
    try run(program: Self.path, arguments, limit: limit)
  }

  /// Runs a shell command, in which `swiftlet` is the tool.
  func shell(_ line: String, limit: Double = 60) throws -> Outcome {
    try run(program: "/bin/sh", ["-c", line], limit: limit)
  }

  /// Runs a program in its own process group with no signal blocked or ignored, as a shell does.
  func run(program: String, _ arguments: [String], limit: Double) throws -> Outcome {
    let scratch = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "\(scratch.path)/out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "\(scratch.path)/err", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t(), all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // Glibc's function to change the folder is not available in Swift.
    let words =
      (["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var child = pid_t(0)
    try #require(posix_spawn(&child, "/bin/sh", &actions, &attributes, words, settings) == 0, "\(program)")
    var status = Int32(0)
    let deadline = ContinuousClock.now + .seconds(limit)
    while waitpid(child, &status, WNOHANG) == 0 {
      if ContinuousClock.now > deadline {
        kill(-child, SIGKILL)
        waitpid(child, &status, 0)
        Issue.record("\(program) \(arguments) did not end within \(limit) s: \(scratch.text("err"))")
        break
      }
      usleep(2000)
    }
    return Outcome(
      output: scratch.text("out"), messages: scratch.text("err"),
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
  }

  /// The environment of a run: what it needs to run, without the user's other variables.
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

/// A temporary folder, removed at deinitialization.
final class Scratch {
  let path: String

  init() throws {
    path = "/tmp/swiftlet-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates a file for writing.
  func handle(_ name: String) throws -> FileHandle {
    _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil)
    return try FileHandle(forWritingTo: URL(filePath: "\(path)/\(name)"))
  }

  /// Writes a file, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    return "\(path)/\(name)"
  }

  /// The contents of a file; nil if there is none.
  func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(path)/\(name)") }

  /// The contents of a file as text; empty if there is none.
  func text(_ name: String) -> String { String(decoding: bytes(name) ?? Data(), as: UTF8.self) }

  /// The names of all files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
