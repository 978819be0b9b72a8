// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletDisk
internal import SwiftletFiles
internal import SwiftletThreads
internal import Synchronization

/// What is printed when a plugin or the program crashes, calls `exit` or does not return, with the last bytes of
/// ``LibraryOutput``.
///
/// Swift's runtime, C++'s and the C library print why they end the program to the descriptor 2, which is the pipe of
/// ``LibraryOutput``. The signal handler of `Crash.h` prints which plugin crashed, then these bytes, while a rescue thread
/// finishes the takes.
enum CrashReport {
  /// The most bytes that are kept.
  private static let capacity = 4096
  /// The last bytes, as a ring, and the number of all that have come.
  nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private static let count = Atomic<Int>(0)

  /// How long the rescue thread works on takes at most. The handler ends the program after two seconds.
  private static let rescueTime = Duration.milliseconds(1900)

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
    _ = count.load(ordering: .acquiring)
    TerminalState.prepare()
    swiftlet_catch_crashes(
      swiftlet_crash_settings(
        output: StandardStreams.error, before_report: beginReport, print_last_words: printLastWords))
    startThread("swiftlet-rescue") {
      swiftlet_await_crash()
      // First: it takes no lock and no time.
      UnfinishedFiles.removeAll()
      let takes = LastTakes.finish(within: rescueTime)
      swiftlet_rescue_is_over(Int32(clamping: takes.finished), Int32(clamping: takes.left))
    }
    HangWatch.start()
  }

  /// Keeps a byte that a library has printed. Only the thread that reads calls it.
  static func remember(_ byte: UInt8) {
    let number = count.load(ordering: .relaxed)
    bytes[number % capacity] = byte
    count.store(number + 1, ordering: .releasing)
  }

  /// Has a plugin's crash end the program by its signal.
  static func keepCore() { swiftlet_keep_core() }

  /// Says that the program ends by itself. It may still crash as it does.
  static func programEnds() { swiftlet_exit_is_ours() }

  /// Waits for the end of a program that has crashed. Other threads then neither print nor end it.
  static func leaveToReport() {
    if swiftlet_has_crashed() != 0 { swiftlet_park() }
  }

  /// How long a report gives other threads to finish what they print, in microseconds.
  private static var pause: UInt32 { 20_000 }

  /// Safe inside a signal handler.
  fileprivate static func begin() {
    // The thread that reads the pipe is given the time to read all of it.
    Waiting.sleep(microseconds: pause)
    TerminalState.restore()
    StandardStreams.rejoin()
  }

  /// Prints what libraries have printed last. Safe inside a signal handler.
  fileprivate static func printBytes() {
    let end = count.load(ordering: .acquiring), start = max(0, end - capacity)
    for number in start..<end {
      // What moves a cursor or is no ASCII stays out: here is no memory for more.
      let byte = bytes[number % capacity]
      bytes[number % capacity] = byte == 10 || 0x20..<0x7F ~= byte ? byte : UInt8(ascii: "?")
    }
    let first = start % capacity, run = min(end - start, capacity - first)
    _ = write(2, bytes + first, run)
    _ = write(2, bytes, end - start - run)
  }
}

private func beginReport() { CrashReport.begin() }

private func printLastWords() { CrashReport.printBytes() }
