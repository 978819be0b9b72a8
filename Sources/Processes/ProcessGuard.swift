// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Dispatch
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Ends the process group of a child when this process ends, for programs that the kernel may fail to end.
///
/// Two guard processes wait until their sockets to this process close, which the kernel does however this process
/// ends, and then send signals to the group. They are shells, since a guard must not share this process's memory:
/// `fork` would write-protect the audio thread's pages. If one guard is killed, the other remains until it is
/// replaced.
final class ProcessGuard: Sendable {
  private struct Post {
    var guardian: pid_t
    /// This program's end of the guard's socket.
    var socket: Int32
  }

  private struct State {
    var posts: [Post] = []
    /// The guarded process group; 0 until it is known.
    var group: pid_t = 0
    var isDismissed = false
  }

  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)
  private let signal: Int32
  /// Closed by ``dismiss()`` to wake the thread that watches the guards.
  private let wakeUp: (own: Int32, watched: Int32)

  /// The guard's shell script. A group that handles SIGTERM has three seconds before SIGKILL.
  private static let script = """
    trap '' HUP INT QUIT TERM
    read -r group || exit 0
    read -r end
    kill -s "$1" -- "-$group" 2>/dev/null
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
      kill -s 0 -- "-$group" 2>/dev/null || exit 0
      sleep 0.1
    done
    kill -s KILL -- "-$group" 2>/dev/null
    """

  /// Starts the guards.
  ///
  /// - Parameter signal: The first signal: SIGKILL, or SIGTERM, which SIGKILL follows.
  /// - Throws: ``StartError``.
  init(signal: Int32) throws(StartError) {
    self.signal = signal
    wakeUp = try Self.pair()
    do throws(StartError) {
      for _ in 0..<2 {
        let post = try makePost()
        state.withLock { $0.posts.append(post) }
      }
    } catch {
      dismiss()
      throw error
    }
  }

  /// The sockets to which the starter writes the process group's number and a newline.
  var sockets: [Int32] { state.withLock { $0.posts.map(\.socket) } }

  /// The IDs of the guard processes.
  var guardians: [pid_t] { state.withLock { $0.posts.map(\.guardian) } }

  /// Starts replacing guards that are killed. The guards must have received the group's number before.
  func watch(_ group: pid_t) {
    state.withLock { $0.group = group }
    startThread("swiftlet-guard") { [self] in
      while replaceKilled() {}
      hasEnded.signal()
    }
  }

  /// Ends the guards. Call it before the guarded process is reaped, since its ID may be reused afterwards.
  func dismiss() {
    let (isFirst, isWatched) = state.withLock { state in
      defer { state.isDismissed = true }
      return (!state.isDismissed, state.group > 0)
    }
    guard isFirst else { return }
    close(wakeUp.own)
    if isWatched { hasEnded.wait() }
    close(wakeUp.watched)
    for post in state.withLock({ $0.posts }) { Self.end(post) }
  }

  /// Waits until a guard ends, and starts a replacement.
  ///
  /// - Returns: Whether the guards are still needed.
  private func replaceKilled() -> Bool {
    let (posts, group) = state.withLock { ($0.posts, $0.group) }
    var waited = (posts.map(\.socket) + [wakeUp.watched]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&waited, nfds_t(waited.count), -1) < 0 && errno == EINTR {}
    guard waited[posts.count].revents == 0 else { return false }
    for (number, post) in posts.enumerated() where waited[number].revents != 0 {
      // If no replacement can be started, the remaining guard must suffice; try again later.
      guard let next = try? makePost() else {
        Waiting.sleep(.milliseconds(100))
        continue
      }
      let line = "\(group)\n"
      _ = send(next.socket, line, line.utf8.count, Int32(MSG_NOSIGNAL))
      state.withLock { $0.posts[number] = next }
      Self.end(post)
    }
    return true
  }

  private func makePost() throws(StartError) -> Post {
    let ends = try Self.pair()
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { for end in [ends.watched, nothing] where end >= 0 { close(end) } }
    do throws(StartError) {
      guard nothing >= 0 else { throw StartError(number: errno) }
      let guardian = try ProcessStarter.startUnguarded(
        .init(
          path: "/bin/sh",
          arguments: ["-c", Self.script, "swiftlet-guard", signal == SIGKILL ? "KILL" : "TERM"],
          descriptors: [ends.watched, nothing, nothing], deathSignal: 0))
      return Post(guardian: guardian, socket: ends.own)
    } catch {
      close(ends.own)
      throw error
    }
  }

  private static func end(_ post: Post) {
    kill(post.guardian, SIGKILL)
    close(post.socket)
    while waitpid(post.guardian, nil, 0) < 0 && errno == EINTR {}
  }

  private static func pair() throws(StartError) -> (own: Int32, watched: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw StartError(number: errno) }
    return (ends[0], ends[1])
  }
}
