// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// What is printed when the program crashes, or a library ends it: the last bytes of ``LibraryOutput``.
///
/// Swift's runtime, C++'s and the C library print why they end the program to the descriptor 2, which is the pipe of
/// ``LibraryOutput``. A signal handler prints these bytes to standard error, makes the number 2 lead there again, and
/// passes the signal on to the action that was set before.
enum CrashReport {
  /// The most bytes that are kept.
  private static let capacity = 4096
  /// The last bytes, as a ring, and the number of all that have come.
  nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private static let count = Atomic<Int>(0)
  /// How far a report is. Threads may crash at the same moment.
  private enum Stage: Int, AtomicRepresentable { case none, printing, printed }
  private static let stage = Atomic(Stage.none)
  /// Whether the program ends by itself: then an exit is nothing to report.
  private static let endsByItself = Atomic<Bool>(false)
  /// The node whose plugin is being made, restored or activated, as printable ASCII.
  nonisolated(unsafe) private static let node = UnsafeMutablePointer<UInt8>.allocate(capacity: longestNode)
  private static let nodeLength = Atomic<Int>(0)
  /// The most bytes of a node's name that are printed.
  private static var longestNode: Int { 64 }
  /// The process that reports: what a plugin forks does not.
  private static let process = Atomic<Int32>(0)
  /// The action of each signal before ``prepare()``.
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  /// Catches crashes from now on. Call it when ``StandardStreams`` have been separated.
  static func prepare() {
    // A sanitizer has handlers of its own, and is told where its report goes.
    if let symbol = dlsym(nil, "__sanitizer_set_report_fd") {
      let setReport = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
      setReport(UnsafeMutableRawPointer(bitPattern: Int(StandardStreams.error)))
      return
    }
    // Nothing is touched for the first time inside a signal.
    bytes.initialize(repeating: 0, count: capacity)
    node.initialize(repeating: 0, count: longestNode)
    _ = nodeLength.load(ordering: .acquiring)
    previous.initialize(repeating: sigaction(), count: 65)
    TerminalState.prepare()
    _ = (stage.load(ordering: .acquiring), endsByItself.load(ordering: .acquiring))
    process.store(getpid(), ordering: .releasing)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = { number, info, _ in noteCrash(number, info) }
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(number, &action, previous + Int(number))
    }
    atexit { noteExit() }
  }

  /// Keeps a byte that a library has printed. Only the thread that reads calls it.
  static func remember(_ byte: UInt8) {
    let number = count.load(ordering: .relaxed)
    bytes[number % capacity] = byte
    count.store(number + 1, ordering: .releasing)
  }

  /// Sets the node whose plugin is being made, restored or activated; nil for none.
  static func setNode(_ name: String?) {
    nodeLength.store(0, ordering: .releasing)
    guard let name, process.load(ordering: .acquiring) != 0 else { return }
    var length = 0
    for byte in name.utf8.prefix(longestNode) {
      node[length] = 0x20..<0x7F ~= byte ? byte : UInt8(ascii: "?")
      length += 1
    }
    nodeLength.store(length, ordering: .releasing)
  }

  /// Prints which plugin was being made, restored or activated. Safe inside a signal handler.
  private static func printNode() {
    let length = nodeLength.load(ordering: .acquiring)
    guard length > 0 else { return }
    let (before, after): (StaticString, StaticString) = (
      "it happened while the plugin of '", "' was made, restored or activated\n"
    )
    _ = write(2, before.utf8Start, before.utf8CodeUnitCount)
    _ = write(2, node, length)
    _ = write(2, after.utf8Start, after.utf8CodeUnitCount)
  }

  /// Says that the program ends by itself. It may still crash as it does.
  static func programEnds() { endsByItself.store(true, ordering: .releasing) }

  /// Whether the end of the process is to be reported.
  fileprivate static var isExitReported: Bool { !endsByItself.load(ordering: .acquiring) }

  /// How long a report gives other threads to finish what they print, in microseconds.
  private static var pause: UInt32 { 20_000 }

  /// Prints a sentence and what libraries have printed last. Safe inside a signal handler.
  ///
  /// - Parameter isSilentAlone: whether nothing is printed where libraries have printed nothing.
  fileprivate static func report(_ sentence: StaticString, isSilentAlone: Bool = false) {
    guard process.load(ordering: .acquiring) == getpid() else { return }
    let claim = stage.compareExchange(expected: .none, desired: .printing, ordering: .acquiringAndReleasing)
    guard claim.exchanged else {
      // Another thread has crashed and prints: its report must not be cut off.
      for _ in 0..<50 where stage.load(ordering: .acquiring) == .printing {
        Waiting.sleep(microseconds: pause)
      }
      return
    }
    defer { stage.store(.printed, ordering: .releasing) }
    // The thread that reads the pipe is given the time to read all of it.
    Waiting.sleep(microseconds: pause)
    TerminalState.restore()
    StandardStreams.rejoin()
    let end = count.load(ordering: .acquiring), start = max(0, end - capacity)
    if start == end, isSilentAlone { return }
    _ = write(2, sentence.utf8Start, sentence.utf8CodeUnitCount)
    printNode()
    for number in start..<end {
      // What moves a cursor or is no ASCII stays out: here is no memory for more.
      let byte = bytes[number % capacity]
      bytes[number % capacity] = byte == 10 || 0x20..<0x7F ~= byte ? byte : UInt8(ascii: "?")
    }
    let first = start % capacity, run = min(end - start, capacity - first)
    _ = write(2, bytes + first, run)
    _ = write(2, bytes, end - start - run)
  }

  /// Gives a signal back to what caught it before.
  fileprivate static func restore(_ number: Int32) { sigaction(number, previous + Int(number), nil) }
}

private func noteCrash(_ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?) {
  rt_foreign_enter()
  defer { rt_foreign_exit() }
  CrashReport.report(
    "swiftlet: error: Swiftlet or a plugin in it has crashed; takes are finished by 'swiftlet recover FOLDER'\n"
  )
  CrashReport.restore(number)
  // An instruction that cannot be executed comes again by itself; a breakpoint or a signal that was sent does not.
  if number == SIGTRAP || (info?.pointee.si_code ?? 0) <= 0 { raise(number) }
}

private func noteExit() {
  guard CrashReport.isExitReported else { return }
  CrashReport.report("swiftlet: error: a library has ended the program:\n", isSilentAlone: true)
}
