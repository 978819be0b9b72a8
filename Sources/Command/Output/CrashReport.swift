// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletDisk
internal import SwiftletFiles
internal import SwiftletThreads
internal import Synchronization

/// The report that is printed when a plugin or the program crashes, calls `exit` or does not return. It ends with the
/// last bytes of ``LibraryOutput``.
///
/// The runtimes of Swift and C++ and the C library print the reason for an abort to descriptor 2, which is the pipe
/// of ``LibraryOutput``. The signal handler of `Crash.h` prints which plugin crashed, then these bytes, while a
/// rescue thread finishes the takes.
enum CrashReport {
  /// The capacity of the buffer in bytes.
  private static let capacity = 4096
  /// The last bytes as a ring buffer, and the number of all bytes received.
  nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private static let count = Atomic<Int>(0)

  /// The time limit for finishing takes on the rescue thread. The handler ends the program after two seconds.
  private static let rescueTime = Duration.milliseconds(1900)

  /// Installs the crash handlers. Call it after ``StandardStreams/separate(from:)``.
  static func prepare() {
    // A sanitizer has its own handlers; it gets the descriptor for its report.
    if let symbol = dlsym(nil, "__sanitizer_set_report_fd") {
      let setReport = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
      setReport(UnsafeMutableRawPointer(bitPattern: Int(StandardStreams.error)))
      return
    }
    // Lazy globals are initialized here, because a signal handler must not initialize them.
    bytes.initialize(repeating: 0, count: capacity)
    _ = count.load(ordering: .acquiring)
    TerminalState.prepare()
    swiftlet_catch_crashes(
      swiftlet_crash_settings(
        output: StandardStreams.error, before_report: beginReport, after_first_line: printStoredOutput))
    startThread("swiftlet-rescue") {
      swiftlet_await_crash()
      // Unfinished files come first, since their removal needs neither locks nor time.
      UnfinishedFiles.removeAll()
      let takes = CrashTakeFinisher.finish(within: rescueTime)
      swiftlet_rescue_is_over(Int32(clamping: takes.finished), Int32(clamping: takes.left))
    }
    HangWatch.start()
  }

  /// Stores a byte that a library has printed. Only the thread that reads the pipe calls it.
  static func append(_ byte: UInt8) {
    let number = count.load(ordering: .relaxed)
    bytes[number % capacity] = byte
    count.store(number + 1, ordering: .releasing)
  }

  /// Makes a plugin's crash end the program by its signal.
  static func keepCore() { swiftlet_keep_core() }

  /// Notes that the program itself calls `exit`. It may still crash while it exits.
  static func noteExit() { swiftlet_announce_exit() }

  /// If the program has crashed, parks this thread until the process ends, so that it neither prints nor exits.
  /// Otherwise returns at once.
  static func parkIfCrashed() {
    if swiftlet_has_crashed() != 0 { swiftlet_park() }
  }

  /// The time that the report leaves other threads to finish their output, in microseconds.
  private static var pause: UInt32 { 20_000 }

  /// Prepares the terminal and the standard streams for the report. Safe inside a signal handler.
  fileprivate static func begin() {
    // Gives the reading thread time to empty the pipe.
    Waiting.sleep(microseconds: pause)
    TerminalState.restore()
    StandardStreams.rejoin()
  }

  /// Prints the stored bytes. Safe inside a signal handler.
  fileprivate static func printBytes() {
    let end = count.load(ordering: .acquiring), start = max(0, end - capacity)
    for number in start..<end {
      // Replaces control characters and bytes outside ASCII by `?`, since escaping needs memory.
      let byte = bytes[number % capacity]
      bytes[number % capacity] = byte == 10 || 0x20..<0x7F ~= byte ? byte : UInt8(ascii: "?")
    }
    let first = start % capacity, run = min(end - start, capacity - first)
    _ = write(2, bytes + first, run)
    _ = write(2, bytes, end - start - run)
  }
}

private func beginReport() { CrashReport.begin() }

private func printStoredOutput() { CrashReport.printBytes() }
