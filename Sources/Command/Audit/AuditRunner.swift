// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
internal import SwiftletLV2
internal import SwiftletManifest
internal import SwiftletProcesses
internal import SwiftletThreads

/// Audits plugins, each in a process of its own.
struct AuditRunner {
  /// The path of `swiftlet-audit-host`.
  let program: String
  /// The search path for bundles; nil for LV2's default.
  var path: String?
  var seed: UInt64
  var isThorough: Bool

  /// The limit of CPU time for a plugin, in seconds.
  var cpuTime: Double { isThorough ? 120 : 15 }
  /// The number of crashes after which the remaining steps are skipped.
  private static let mostCrashes = 6

  /// Creates a runner.
  ///
  /// - Throws: A ``Failure`` if `swiftlet-audit-host` is not installed.
  init(path: String?, seed: UInt64, isThorough: Bool) throws {
    do throws(MissingProgram) {
      program = try HelperProcess.path(of: AuditHostProgram.name, AuditHostProgram.variable)
    } catch {
      throw Failure(
        .badInput,
        "the program that audits plugins is not at '\(error.path)'; install it, or name its path in the "
          + "environment variable \(AuditHostProgram.variable)")
    }
    (self.path, self.seed, self.isThorough) = (path, seed, isThorough)
    // The child's RealtimeSanitizer reads this variable at its start. A finding does not end the process.
    setenv("RTSAN_OPTIONS", "halt_on_error=false:fast_unwind_on_fatal=false:allow_addr2line=true", 1)
  }

  /// Audits a plugin. After a crash, the audit continues with the next step in a new process.
  ///
  /// - Throws: A ``Failure`` if the program cannot be started.
  func audit(_ subject: AuditSubject) throws -> AuditReport {
    var report = AuditReport(uri: subject.uri, name: subject.name.shortened(to: 200))
    var steps = AuditStep.allCases, left = cpuTime, crashes = 0
    let folder = try? PrivateFolder(for: "audit")
    while !steps.isEmpty {
      let used = Self.childTime
      var life = AuditProcess()
      let order = AuditOrder(
        uri: subject.uri, path: path, steps: steps, seed: seed, isThorough: isThorough, cpuTime: left,
        folder: folder?.path)
      try life.run(program, order)
      report.findings += life.findings.filter { !report.findings.contains($0) }
      report.measures += life.measures
      guard let finding = life.endFinding else { break }
      report.findings.append(finding)
      crashes += 1
      left -= Self.childTime - used
      guard let step = life.step, !step.isFirst, let index = steps.firstIndex(of: step) else { break }
      steps.removeFirst(index + 1)
      if !steps.isEmpty, crashes >= Self.mostCrashes || left < 0.5 {
        let names = steps.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let reason = left < 0.5 ? "the CPU time was used up" : "it crashed \(crashes) times"
        report.findings.append(
          AuditFinding(.note, .skipped, "these steps were not taken, since \(reason): \(names)"))
        break
      }
    }
    return report
  }

  /// The CPU time of all ended child processes, in seconds.
  private static var childTime: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) * 1e-6 }.reduce(0, +)
  }
}

/// One process of an audit: its records and its end.
struct AuditProcess {
  private(set) var findings: [AuditFinding] = []
  private(set) var measures: [AuditMeasure] = []
  /// The last step that has begun.
  private(set) var step: AuditStep?
  /// The finding about an abnormal end; nil if the process ended normally.
  private(set) var endFinding: AuditFinding?
  private var action = "", fault: String?, location: String?, hasEnded = false

  /// The limit of wall-clock time, in seconds for each second of CPU time.
  private static let timeFactor = 4.0
  /// The maximum number of findings, and of measurements, that are kept.
  private static let mostRecords = 2000
  /// The time that a process started by the plugin may continue after the audit's end, in seconds.
  private static let gracePeriod = 0.5
  /// The maximum length of a line in bytes.
  private static let longestLine = 1 << 20

  /// Starts the process, and reads all its output.
  ///
  /// - Throws: A ``Failure`` if it cannot be started.
  mutating func run(_ program: String, _ order: AuditOrder) throws {
    let bytes = try JSONEncoder().encode(order)
    let child: ChildProcess
    do throws(StartError) {
      child = try ChildProcess(program, [String(decoding: bytes, as: UTF8.self)], isFed: false, timeout: 120)
    } catch {
      throw Failure(.badInput, "'\(program)' cannot be started: \(String(cString: strerror(error.number)))")
    }
    let end = SystemClock.now + order.cpuTime * Self.timeFactor + 20
    child.keepsEndOfOutput = true
    var isLate = false, deadline: Double?
    child.isUnwanted = { [unowned child] in
      isLate = SystemClock.now > end
      // A process that the plugin has started may continue and write forever.
      if deadline == nil, child.hasEnded { deadline = SystemClock.now + Self.gracePeriod }
      return isLate || deadline.map { SystemClock.now > $0 } ?? false
    }
    var line: [UInt8] = [], more = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = child.read(into: &more, more.count)
      guard count > 0 else { break }
      for part in more[..<count].split(separator: 10, omittingEmptySubsequences: false).enumerated() {
        if part.offset > 0 {
          take(line)
          line = []
        }
        if line.count < Self.longestLine { line += part.element }
      }
    }
    let ending = child.finish()
    endFinding = finding(ending, wasLate: isLate && deadline == nil, order)
  }

  private mutating func take(_ line: [UInt8]) {
    // Lines that are no records come from the plugin, which may write to the same descriptor.
    guard let record = try? JSONDecoder().decode(AuditRecord.self, from: Data(line)) else { return }
    switch record {
    case .step(let next): (step, action) = (next, "")
    case .action(let next): (action, fault, location) = (next, nil, nil)
    case .fault(let text): fault = text
    case .location(let text): location = text
    // The audited plugin could write to this descriptor as well, so the number of findings and measures is limited.
    case .finding(let finding): if findings.count < Self.mostRecords { findings.append(finding) }
    case .measure(let measure): if measures.count < Self.mostRecords { measures.append(measure) }
    case .stepEnd: break
    case .end: hasEnded = true
    }
  }

  /// Returns the finding about the end of the process; nil for a normal end.
  private func finding(_ ending: ChildProcess.Ending, wasLate: Bool, _ order: AuditOrder) -> AuditFinding? {
    if hasEnded, ending.status == 0 { return nil }
    let part = "in the step '\(step?.rawValue ?? "description")'"
    var details = action.isEmpty ? [] : ["during: \(action)"]
    details += ending.errorOutput.split(separator: "\n").suffix(6).map { "it printed: \($0)" }
    if wasLate {
      return AuditFinding(.fail, .hang, "it did not end \(part), and was ended", details)
    }
    switch ending.status {
    case AuditChild.hangStatus where findings.last?.check == .hang:
      return AuditFinding(
        .note, .skipped, "the rest was left out \(part) after a call that did not return", details)
    case -SIGXCPU, -SIGKILL:
      return AuditFinding(
        .note, .skipped, "the CPU time of the audit, \(Int(order.cpuTime.rounded())) s, was used up \(part)",
        details)
    case ..<0:
      let signal = "signal \(-ending.status) (\(String(cString: strsignal(-ending.status))))"
      let spot = location.map { ", at \($0)".replacing(", at called from", with: ", called from") } ?? ""
      if let fault, ending.status == -SIGSEGV {
        return AuditFinding(.fail, .bounds, fault, ["\(signal) \(part)\(spot)"] + details)
      }
      // The code of the host program does not crash, unless the plugin has overwritten its memory.
      guard location?.hasPrefix(AuditHostProgram.name) != true else {
        return AuditFinding(
          .fail, .crash, "it crashes \(part): \(signal), in the host, whose memory it has overwritten",
          [String(spot.dropFirst(2))] + details)
      }
      return AuditFinding(.fail, .crash, "it crashes \(part): \(signal)\(spot)", details)
    default:
      let end = hasEnded ? "after the last step" : part
      return AuditFinding(
        .fail, .exit, "it ends the program \(end), with exit status \(ending.status)", details)
    }
  }
}
