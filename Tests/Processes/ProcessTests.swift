// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletProcesses

/// The lines that a service has written.
private final class Lines: Sendable {
  private let list = Mutex<[String]>([])
  func add(_ line: String) { list.withLock { $0.append(line) } }
  var all: [String] { list.withLock { $0 } }
}

@Suite struct ProcessTests {
  private func eventually(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<250 {
      if isSo() { return true }
      usleep(20_000)
    }
    return isSo()
  }

  private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test func `a service ends by SIGTERM, or by SIGKILL if it ignores SIGTERM`() throws {
    let lines = Lines()
    let service = try ServiceProcess("/bin/sh", ["-c", "echo hello; exec sleep 1000"]) { lines.add($0) }
    #expect(isAlive(service.identifier) && service.isRunning)
    #expect(eventually { lines.all == ["hello"] })
    let time = ContinuousClock().measure { service.end() }
    #expect(!isAlive(service.identifier) && !service.isRunning)
    #expect(service.endSignal == SIGTERM)
    #expect(time < .seconds(2))
    let stubborn = try ServiceProcess(
      "/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"]
    ) {
      lines.add($0)
    }
    #expect(eventually { lines.all.last == "ready" })
    stubborn.end()
    #expect(!isAlive(stubborn.identifier))
    #expect(stubborn.endSignal == SIGKILL)
  }

  @Test func `the last output of a service that ends by itself is kept`() throws {
    let service = try ServiceProcess("/bin/sh", ["-c", "echo Copyright; echo oops; exit 3"]) { _ in }
    #expect(eventually { !service.isRunning })
    #expect(service.lastOutput(without: ["Copyright"]) == "oops")
    #expect(service.endSignal == nil)
    service.end()
  }

  @Test func `a program that cannot be started throws the kernel's reason`() {
    #expect(throws: StartError(number: ENOENT)) { try ChildProcess("/nowhere", [], isFed: false) }
    #expect(throws: StartError(number: EACCES)) { try ServiceProcess("/etc/passwd", []) { _ in } }
  }

  @Test func `a child inherits its three descriptors, default signals and no others`() throws {
    signal(SIGXFSZ, SIG_IGN)
    let leak = open("/dev/null", O_RDONLY)
    defer { close(leak) }
    let child = try ChildProcess(
      "/bin/sh", ["-c", "ls /proc/self/fd; grep -E 'SigIgn|SigBlk' /proc/self/status"], isFed: false)
    var bytes = [UInt8](repeating: 0, count: 4096), text = ""
    while true {
      let got = child.read(into: &bytes, bytes.count)
      guard got > 0 else { break }
      text += String(decoding: bytes[..<got], as: UTF8.self)
    }
    #expect(child.finish() == .init(status: 0, errorOutput: ""))
    // `ls` opens the folder as descriptor 3.
    #expect(text.hasPrefix("0\n1\n2\n3\nSigBlk:\t0000000000000000\nSigIgn:\t"), "\(text)")
    let ignored = try #require(UInt64(text.suffix(17).dropLast(), radix: 16))
    // The C library uses signals 32 and 33 itself.
    #expect(ignored & ~(3 << 31) == 0, "\(text)")
  }

  @Test func `a fed child reads every byte, and its exit status is returned`() throws {
    let child = try ChildProcess("/usr/bin/wc", ["-c"], isFed: true)
    let bytes = [UInt8](repeating: 7, count: 300_000)
    #expect(bytes.withUnsafeBytes { child.write($0.baseAddress!, $0.count) })
    child.closeInput()
    var answer = [UInt8](repeating: 0, count: 64)
    let got = child.read(into: &answer, answer.count)
    #expect(String(decoding: answer[..<got], as: UTF8.self) == "300000\n")
    #expect(child.finish().status == 0)
    let bad = try ChildProcess("/bin/sh", ["-c", "echo no >&2; exit 9"], isFed: false)
    #expect(bad.finish() == .init(status: 9, errorOutput: "no\n"))
  }

  @Test func `writing to a dead child fails without SIGPIPE, and a hanging child is killed`() throws {
    let child = try ChildProcess("/bin/sh", ["-c", "echo why >&2; exit 3"], isFed: true)
    let block = [UInt8](repeating: 0, count: 1 << 16)
    var isTaken = true
    for _ in 0..<100 where isTaken { isTaken = child.write(block, block.count) }
    #expect(!isTaken)
    #expect(child.finish() == ChildProcess.Ending(status: 3, errorOutput: "why\n"))
    let talker = try ChildProcess(
      "/bin/sh", ["-c", "head -c 9999999 /dev/zero >&2; echo done"], isFed: false)
    var bytes = [UInt8](repeating: 0, count: 100)
    #expect(talker.read(into: &bytes, 100) == 5)
    #expect(talker.finish().status == 0)
    let sleeper = try ChildProcess("/bin/sleep", ["1000"], isFed: false, timeout: 1)
    #expect(sleeper.read(into: &bytes, 100) == 0)
    #expect(sleeper.finish() == ChildProcess.Ending(status: -SIGKILL, errorOutput: "it hangs"))
  }
}

/// A process that starts children and is then killed. It is this test program, started again.
@Suite struct OrphanTests {
  private static let key = "SWIFTLET_ORPHANS"

  @Test(.enabled(if: ProcessInfo.processInfo.environment[key] != nil, "only where another test starts it"))
  func `starts children and waits to be killed`() throws {
    let file = try #require(ProcessInfo.processInfo.environment[Self.key])
    // Started from a thread that ends at once: the children must not end with it.
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var children: [AnyObject] = [], numbers: [Int32] = []
    Thread.detachNewThread {
      if let service = try? ServiceProcess("/bin/sleep", ["1000"], log: { _ in }) {
        children.append(service)
        numbers.append(service.identifier)
      }
      // A server that ignores SIGTERM.
      if let service = try? ServiceProcess(
        "/bin/sh", ["-c", "trap '' TERM; while :; do sleep 0.1; done"], log: { _ in })
      {
        children.append(service)
        numbers.append(service.identifier)
      }
      if let child = try? ChildProcess("/bin/sleep", ["1000"], isFed: true) {
        children.append(child)
        numbers.append(child.identifier)
      }
      done.signal()
    }
    done.wait()
    usleep(200_000)
    let alive = numbers.filter { kill($0, 0) == 0 }
    try "\(alive.map(String.init).joined(separator: " "))\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    sleep(100)
    withExtendedLifetime(children) {}
  }

  // The started process runs this suite, too, and must not start another one.
  @Test(.enabled(if: ProcessInfo.processInfo.environment[key] == nil))
  func `children outlive the thread that started them, and end when the process is killed`() throws {
    let file = NSTemporaryDirectory() + "/orphans-\(UUID())"
    defer { unlink(file) }
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    process.arguments = ["--testing-library", "swift-testing", "--filter", "OrphanTests"]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.key: file]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    var numbers: [Int32] = []
    for _ in 0..<600 where numbers.isEmpty {
      usleep(50_000)
      numbers = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split { $0 == " " || $0 == "\n" }
        .compactMap { Int32($0) }
    }
    #expect(numbers.count == 3, "all children run, though the thread has ended")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var left = numbers
    for _ in 0..<300 where !left.isEmpty {
      left = left.filter { kill($0, 0) == 0 }
      usleep(20_000)
    }
    #expect(left == [])
  }
}
