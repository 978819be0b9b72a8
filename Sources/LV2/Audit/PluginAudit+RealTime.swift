// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import CSwiftletSystem
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

extension PluginAudit {
  /// Runs under RealtimeSanitizer, which reports allocations, locks and system calls in `run`.
  ///
  /// Its runtime is linked into the program `swiftlet-audit-host`, and its functions replace the C library's for
  /// plugins, too.
  func auditRealTime() throws(PluginError) {
    guard rt_is_sanitized() != 0, let report = RealTimeReport() else {
      return output.find(
        .note, .skipped,
        "allocations, locks and system calls were not looked for: the program has no RealtimeSanitizer")
    }
    let rig = try rig()
    watch.isLimitTripled.store(true, ordering: .relaxed)
    defer { watch.isLimitTripled.store(false, ordering: .relaxed) }
    let end = SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID) + order.cpuTime / 4
    /// Runs blocks while there is time left, since each report of a plugin that allocates constantly takes long.
    func run(_ blocks: Int, of length: Int = 256) {
      for _ in 0..<blocks where SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID) < end {
        rig.run(rig.length(length), .noise())
      }
    }
    // The very first block is checked, too.
    rig.isWatched = true
    action("run under RealtimeSanitizer")
    for length in [256, 256, 64, 1000, 256] { run(1, of: length) }
    run(order.isThorough ? 2000 : 200)
    for parameter in parameters().prefix(200) {
      for end in parameter.ends {
        action("change '\(parameter.port.symbol)' to \(end.value) under RealtimeSanitizer")
        rig[parameter.port.index] = end.value
        run(2)
      }
      rig.resetControls()
    }
    rig.isWatched = false
    // A plugin that claims to be capable of hard real-time must be.
    let claims = model.uses(Name.hardRealTime)
    let calls = report.calls()
    for check in [AuditCheck.allocation, .lock, .systemCall] {
      let some = calls.filter { $0.check == check }
      guard !some.isEmpty else { continue }
      output.find(
        claims ? .fail : .warn, check,
        "its function 'run' calls \(Self.list(some.map(\.function)))"
          + (claims ? ", though it states that it is capable of hard real-time" : ""),
        some.prefix(6).flatMap { call in
          call.stack.prefix(8).enumerated().map { $0 == 0 ? "\(call.function): \($1)" : "  from \($1)" }
        })
    }
  }

  /// Joins names, as in `'malloc', 'free' and 'calloc'`.
  private static func list(_ names: [String]) -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// Collects RealtimeSanitizer's reports, in a memory file.
final class RealTimeReport {
  /// A C library function that was called in `run`.
  struct Call: Equatable {
    var function: String
    /// The innermost stack frames of the first call.
    var stack: [String]
    var check: AuditCheck
  }

  private let file: Int32
  private typealias SetReport = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Redirects reports to a file; nil if there is no memory or no sanitizer.
  init?() {
    guard let symbol = dlsym(nil, "__sanitizer_set_report_fd") else { return nil }
    file = swiftlet_make_memory_file("swiftlet-audit")
    guard file >= 0 else { return nil }
    unsafeBitCast(symbol, to: SetReport.self)(UnsafeMutableRawPointer(bitPattern: Int(file)))
  }

  deinit { close(file) }

  /// The calls, in the order of their first reports.
  func calls() -> [Call] {
    var text: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let count = pread(file, &buffer, buffer.count, offset)
      guard count > 0 else { break }
      text += buffer[..<count]
      offset += count
    }
    return Self.calls(in: String(decoding: text, as: UTF8.self))
  }

  /// Parses reports.
  static func calls(in text: String) -> [Call] {
    var calls: [Call] = [], function: String?, stack: [String] = [], isOver = false
    func add() {
      if let name = function, !calls.contains(where: { $0.function == name }) {
        calls.append(Call(function: name, stack: stack, check: check(name)))
      }
      function = nil
    }
    for line in text.split(separator: "\n") {
      if let start = line.firstRange(of: "unsafe function `") {
        add()
        function = String(line[start.upperBound...].prefix { $0 != "`" })
        (stack, isOver) = ([], false)
      } else if let frame = frame(line), !isOver {
        // The sanitizer's frames, and those of host functions that the plugin called, precede the plugin's frames; the
        // host's frames follow.
        if !isOfHost(frame) { stack.append(frame) } else { isOver = !stack.isEmpty }
      }
    }
    add()
    return calls
  }

  /// The stack frame in a line, `name file:line` or `(library+0x…)`; nil if the line has none.
  private static func frame(_ line: Substring) -> String? {
    let words = line.trimmingPrefix(while: \.isWhitespace)
    guard words.hasPrefix("#") else { return nil }
    // The format is `#3 0x7f… in name file:line` or `#3 0x7f… (library+0x…)`.
    let parts = words.split(separator: " ", maxSplits: 2)
    guard parts.count == 3 else { return nil }
    let end = parts[2].firstRange(of: " (BuildId")?.lowerBound ?? parts[2].endIndex
    let text = parts[2][..<end].trimmingPrefix(while: \.isWhitespace)
    return String(text.hasPrefix("in ") ? text.dropFirst(3) : text)
  }

  private static func isOfHost(_ frame: String) -> Bool {
    frame.contains("swiftlet-audit-host") || frame.contains("rtsan") || frame.hasPrefix("$s")
      || frame.contains("swiftlet_") || frame.contains("sanitizer_common")
  }

  private static func check(_ function: String) -> AuditCheck {
    let allocating = [
      "malloc", "calloc", "realloc", "reallocf", "free", "valloc", "aligned_alloc", "posix_memalign",
      "memalign",
      "pvalloc", "free_sized", "free_aligned_sized",
    ]
    if allocating.contains(function) { return .allocation }
    let locking = ["pthread_mutex_lock", "pthread_mutex_unlock", "pthread_join", "OSSpinLockLock"]
    let isLock =
      locking.contains(function) || function.hasPrefix("pthread_cond") || function.hasPrefix("pthread_rwlock")
      || function.hasPrefix("pthread_spin") || function.hasPrefix("sem_")
    return isLock ? .lock : .systemCall
  }
}
