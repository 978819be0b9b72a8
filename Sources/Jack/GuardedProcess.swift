// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Foundation
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// A child process that ends when we do, however we end.
///
/// A shell stands in between and reads a socket whose other end only we hold: when that closes, because we
/// say so or because we are gone, it ends the program. (The kernel's own death signal follows the *thread*
/// that forked, and ours come and go.) Both have a process group of their own, so that ^C on the terminal is
/// ours to handle.
final class GuardedProcess: Sendable {
  /// The program's process.
  let identifier: Int32
  private let shell: Int32
  private let leash: Int32
  private let words = Mutex("")
  private let hasEnded = DispatchSemaphore(value: 0)
  private let isGone = Atomic<Bool>(false)

  /// `$@` is the program with its arguments. Descriptor 3 stays open in it: it holds a lock.
  private static let script = """
    exec 4<&0
    /bin/sh -c 'echo $$; exec "$@"' swiftlet "$@" </dev/null 4<&- & program=$!
    (read -r _ <&4; kill -TERM $program; sleep 3; kill -KILL $program) >/dev/null 2>&1 3>&- & guard=$!
    wait $program
    status=$?
    kill $guard 2>/dev/null
    exec >/dev/null 2>&1 </dev/null
    [ -n "$0" ] || exit
    if [ $status -gt 128 ]; then
      "$@" 4<&- & program=$!
      sleep 0.5
      kill -TERM $program
      wait $program
    fi
    rm -f "$0"*
    """

  /// Starts `program`; nil, with `errno`, where that fails.
  ///
  /// - Parameters:
  ///   - descriptor: an open file that the program inherits.
  ///   - leavings: what the names of files begin with that may be left behind, and are removed. Where there
  ///     are such, a program that was killed is run once more for half a second, unheard, to clear away what
  ///     else it left.
  ///   - log: takes what it writes, line by line, on a thread of its own.
  init?(
    _ program: String, _ arguments: [String], keepingOpen descriptor: Int32, leavings: String = "",
    log: @escaping @Sendable (JackMessage) -> Void
  ) {
    var leashEnds: [Int32] = [-1, -1], wordEnds: [Int32] = [-1, -1]
    // Sockets rather than pipes: they are born closed to other children, without a moment in between.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &leashEnds) == 0 else { return nil }
    guard socketpair(AF_UNIX, kind, 0, &wordEnds) == 0 else {
      leashEnds.forEach { _ = close($0) }
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, leashEnds[0], 0)
    posix_spawn_file_actions_adddup2(&actions, wordEnds[1], 1)
    posix_spawn_file_actions_adddup2(&actions, wordEnds[1], 2)
    posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setpgroup(&attributes, 0)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] =
      (["/bin/sh", "-c", Self.script, leavings, program] + arguments).map { strdup($0) } + [nil]
    var child: pid_t = 0
    let failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, environ)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    words.forEach { free($0) }
    _ = close(leashEnds[0])
    _ = close(wordEnds[1])
    leash = leashEnds[1]
    shell = child
    // The first line is the program's number, written by itself before it becomes the program.
    let first = failure == 0 ? Self.line(from: wordEnds[0]) : nil
    guard let first, let number = Int32(first) else {
      _ = close(leashEnds[1])
      _ = close(wordEnds[0])
      if failure == 0 { waitpid(child, nil, 0) }
      errno = failure
      return nil
    }
    identifier = number
    listen(to: wordEnds[0], log)
  }

  /// Whether the program still runs.
  var isRunning: Bool { !isGone.load(ordering: .acquiring) }

  /// What jackd says at every start: its name and licence.
  private static let greetings = [
    "Copyright", "NO WARRANTY", "free software", "under certain conditions", "jackdmp 1",
    "message buffer overruns",
  ]

  /// The end of what it wrote, without greetings, in one line.
  var lastWords: String {
    words.withLock { words in
      words.split(separator: "\n").filter { line in !Self.greetings.contains { line.contains($0) } }
        .suffix(4).joined(separator: "; ")
    }
  }

  /// Ends the program, at first politely, and waits until it has. Once only.
  func end() {
    _ = close(leash)
    if hasEnded.wait(timeout: .now() + 5) == .timedOut {
      _ = kill(identifier, SIGKILL)
      _ = kill(shell, SIGKILL)
    }
    while waitpid(shell, nil, 0) < 0 && errno == EINTR {}
  }

  private static func line(from file: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 32, read(file, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what the program writes until nobody can write any more.
  private func listen(to file: Int32, _ log: @escaping @Sendable (JackMessage) -> Void) {
    startThread("swiftlet-words") { [self] in
      var rest: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(file, &bytes, bytes.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { break }
        rest += bytes[..<count]
        while let end = rest.firstIndex(of: 10) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest.removeSubrange(...end)
          words.withLock { $0 = String(($0 + line + "\n").suffix(2000)) }
          if !line.isEmpty { log(JackMessage(text: line, isError: false)) }
        }
        if rest.count > 65_536 { rest = [] }
      }
      _ = close(file)
      isGone.store(true, ordering: .releasing)
      hasEnded.signal()
    }
  }
}
