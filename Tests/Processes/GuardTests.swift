// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletProcesses

/// Child processes that the kernel does not end with this process: programs with file capabilities, and processes
/// that scripts start.
///
/// The process that a test kills is this test program, started again as a user without privileges. For root a program
/// with file capabilities gains none, so the kernel keeps its death signal.
@Suite(.serialized) struct GuardTests {
  private static let key = "SWIFTLET_GUARDED"
  private static let isStarted = ProcessInfo.processInfo.environment[key] != nil
  private static let nobody: uid_t = 65534

  /// A folder that every user may write to, with a program that has a file capability in it; nil if that cannot be
  /// made.
  private static let capable: String? = {
    guard getuid() == 0, !isStarted else { return nil }
    let folder = "/tmp/swiftlet-guard-\(getpid())"
    mkdir(folder, 0o700)
    chmod(folder, 0o777)
    let line = """
      cp /bin/sleep \(folder)/capable && PATH=$PATH:/sbin:/usr/sbin && setcap cap_sys_nice+ep \(folder)/capable &&
      setpriv --reuid \(nobody) --clear-groups \(folder)/capable 0 && command -v setpriv
      """
    return (try? ChildProcess("/bin/sh", ["-c", line], isFed: false))?.finish().status == 0 ? folder : nil
  }()

  @Test(.enabled(if: isStarted, "only where another test starts it"))
  func `starts guarded children and waits to be killed`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment[Self.key])
    let script = folder + "/script"
    try "#!/bin/sh\nsleep 1000 &\necho $! >\(folder)/grandchild\nwait\n".write(
      toFile: script, atomically: false, encoding: .utf8)
    chmod(script, 0o755)
    let service = try ServiceProcess(folder + "/capable", ["1000"]) { _ in }
    let child = try ChildProcess(folder + "/capable", ["1000"], isFed: true)
    let wrapped = try ServiceProcess(script, []) { _ in }
    var grandchild = ""
    for _ in 0..<250 where grandchild.last != "\n" {
      usleep(20_000)
      grandchild = (try? String(contentsOfFile: folder + "/grandchild", encoding: .utf8)) ?? ""
    }
    let guards = [service.processGuard, child.processGuard, wrapped.processGuard].map { $0?.guardians ?? [] }
    let children = [
      service.identifier, child.identifier, wrapped.identifier, Int32(grandchild.dropLast()) ?? 0,
    ]
    let text =
      "\(children.map(String.init).joined(separator: " "))\n"
      + guards.map { $0.map(String.init).joined(separator: " ") }.joined(separator: "\n") + "\n"
    try text.write(toFile: folder + "/numbers", atomically: true, encoding: .utf8)
    sleep(100)
    withExtendedLifetime((service, child, wrapped)) {}
  }

  /// The test's action on the guard processes before it kills their owner.
  enum Mode: String, CaseIterable { case live, oneIsKilled, allAreKilledAndReplaced }

  @Test(
    .enabled(if: capable != nil, "needs root, setcap, setpriv and a file system that keeps capabilities"),
    .timeLimit(.minutes(2)), arguments: Mode.allCases)
  func `children with file capabilities, and those of scripts, end with a killed process`(mode: Mode) throws {
    let folder = try #require(Self.capable)
    for name in ["numbers", "grandchild", "script"] { unlink(folder + "/" + name) }
    let program = folder + "/tests"
    if access(program, X_OK) != 0 {
      // `cp` makes the copy, not this process: a child that another test starts meanwhile would hold the copy open
      // for writing until its `exec`, and the kernel does not execute a file that is open for writing (ETXTBSY).
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      try #require(try ChildProcess("/bin/cp", [tests, program], isFed: false).finish().status == 0)
      chmod(program, 0o755)
    }
    defer { if mode == Mode.allCases.last { try? FileManager.default.removeItem(atPath: folder) } }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setpriv")
    process.arguments = ["--reuid", "\(Self.nobody)", "--clear-groups", program]
    process.arguments? += ["--testing-library", "swift-testing", "--filter", "GuardTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.key: folder]) { $1 }
    process.currentDirectoryURL = URL(filePath: folder)
    let output = folder + "/output"
    unlink(output)
    process.standardOutput = FileHandle(
      fileDescriptor: open(output, O_WRONLY | O_CREAT, 0o644), closeOnDealloc: true)
    process.standardError = process.standardOutput
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    var lines: [[Int32]] = []
    for _ in 0..<600 where lines.count < 4 {
      usleep(50_000)
      let text = (try? String(contentsOfFile: folder + "/numbers", encoding: .utf8)) ?? ""
      lines = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int32($0) } }
    }
    let printed = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let children = try #require(lines.first, "it said: \(printed.suffix(2000))"), guards = lines.dropFirst()
    defer { for child in children where child > 1 { kill(child, SIGKILL) } }
    try #require(children.count == 4 && children.allSatisfy { $0 > 1 && kill($0, 0) == 0 }, "\(lines)")
    // Without capabilities the kernel has no reason to clear the death signal.
    for child in children.prefix(2) {
      #expect(try status(of: child, "CapEff:") != "0000000000000000")
    }
    #expect(guards.count == 3 && guards.allSatisfy { $0.count == 2 }, "\(lines)")
    switch mode {
    case .live: break
    case .oneIsKilled: for pair in guards { kill(pair[0], SIGKILL) }
    case .allAreKilledAndReplaced:
      for guardian in guards.joined() { kill(guardian, SIGKILL) }
      usleep(1_000_000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var left = children + guards.joined()
    for _ in 0..<250 where !left.isEmpty {
      usleep(20_000)
      left = left.filter { kill($0, 0) == 0 }
    }
    #expect(left == [], "children \(children), guards \(guards)")
  }

  private func status(of process: Int32, _ key: String) throws -> String {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(key) })
    return line.dropFirst(key.count).trimmingCharacters(in: .whitespaces)
  }

  @Test(.enabled(if: !isStarted)) func `guards and children of a script end with it`() throws {
    let path = NSTemporaryDirectory() + "/script-\(UUID())", note = path + ".number"
    defer { for file in [path, note] { unlink(file) } }
    try "#!/bin/sh\nsleep 1000 >/dev/null 2>&1 &\necho $! >'\(note)'\nexit 3\n".write(
      toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
    let child = try ChildProcess(path, [], isFed: false)
    let guards = try #require(child.processGuard).guardians
    #expect(guards.count == 2 && guards.allSatisfy { kill($0, 0) == 0 })
    #expect(child.finish().status == 3)
    #expect(guards.allSatisfy { kill($0, 0) != 0 })
    let grandchild = try #require(Int32(String(contentsOfFile: note, encoding: .utf8).dropLast()))
    for _ in 0..<250 where kill(grandchild, 0) == 0 { usleep(20_000) }
    #expect(kill(grandchild, 0) != 0)
  }
}
