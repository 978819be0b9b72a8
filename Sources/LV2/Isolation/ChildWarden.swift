// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletProcesses
internal import SwiftletThreads
internal import Synchronization

/// Watches the process of an isolated plugin on a thread of its own: answers its questions for names, keeps what it prints,
/// and says how it ended.
// @unchecked: `progress` is a monitor; the rest never changes.
final class ChildWarden: @unchecked Sendable {
  private enum Progress: Equatable {
    case running
    /// The child is not to be used any more; why, unless it says so by how it ends.
    case failing(String)
  }

  private struct State: Sendable {
    var progress = Progress.running
    /// What the child printed last.
    var words: [String] = []
    /// Whether its end is no failure.
    var isUnwanted = false
    /// Is called once when the child has failed.
    var onFailure: (@Sendable () -> Void)?
  }

  /// Is written to when the child is to be looked at.
  let alarm: Int32
  private let process: HelperProcess
  private let names: IsolationSocket, words: IsolationSocket
  private let files: PluginFiles, log: PluginLog, tally: PluginTally
  private let state: Monitor<State>
  private let shared: UnsafeMutablePointer<Int32>
  private let thread: Mutex<JoinableThread?>

  private static let mostWords = 4

  init(
    _ process: HelperProcess, names: IsolationSocket, words: IsolationSocket, files: PluginFiles,
    log: PluginLog, tally: PluginTally, state shared: UnsafeMutablePointer<Int32>
  ) {
    (self.process, self.names, self.words) = (process, names, words)
    (self.files, self.log, self.tally, self.shared) = (files, log, tally, shared)
    alarm = swiftlet_new_alarm()
    state = Monitor(State())
    thread = Mutex(nil)
    // Not retained: `end` joins the thread.
    let warden = Unmanaged.passUnretained(self)
    let started = JoinableThread("swiftlet-warden") { warden._withUnsafeGuaranteedRef { $0.watch() } }
    thread.withLock { $0 = started }
    if started == nil { state.change { $0.progress = .failing("the system gives no thread to watch it") } }
  }

  deinit {
    for file in [alarm, names.descriptor, words.descriptor] { close(file) }
  }

  /// Whether the child is not to be used any more.
  var hasFailed: Bool { state.value.progress != .running }

  /// Calls `body` once the child has failed, at once if it has.
  func whenFailed(_ body: @escaping @Sendable () -> Void) {
    let isLate = state.change { state in
      let isLate = state.progress != .running
      if !isLate { state.onFailure = body }
      return isLate
    }
    if isLate { body() }
  }

  /// A function of the plugin did not answer: the child is ended.
  func noteFailure(in function: IsolationMessage.Kind) {
    fail("it did not come back from '\(function)'")
  }

  /// Ends the child, if it has not ended, and waits for that.
  ///
  /// - Parameter reason: why, if nothing else is known; nil for a child that is no longer needed.
  /// - Returns: why the child ended, and what it printed last.
  func end(asksFor reason: String?) -> [String] {
    if let reason {
      // One that is about to end by itself says more.
      state.wait(within: .milliseconds(500)) { $0.progress != .running }
      fail(reason)
    } else {
      state.change { $0.isUnwanted = true }
      raiseAlarm()
    }
    if let thread = thread.withLock({ thread in
      defer { thread = nil }
      return thread
    }) {
      thread.join()
    }
    let now = state.value
    guard case .failing(let why) = now.progress else { return now.words }
    return [why] + now.words
  }

  private func fail(_ why: String) {
    state.change { if $0.progress == .running { $0.progress = .failing(why) } }
    raiseAlarm()
  }

  private func raiseAlarm() {
    var one: UInt64 = 1
    _ = write(alarm, &one, 8)
  }

  private func watch() {
    while true {
      var waited = [process.descriptor, alarm, names.descriptor, words.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waited, 4, -1) > 0 else { continue }
      if waited[3].revents != 0 { listen() }
      if waited[0].revents != 0 { return finish(hasEnded: true) }
      if waited[1].revents != 0 {
        // A child that crashes fails to answer before it has ended.
        return finish(hasEnded: poll(&waited, 1, state.value.isUnwanted ? 0 : 100) > 0)
      }
      if waited[2].revents != 0, !answer() { fail("it talks nonsense") }
    }
  }

  /// The child has ended, or is to.
  private func finish(hasEnded: Bool) {
    // The audio thread waits for it no longer.
    swiftlet_fail_isolated(shared)
    let status = hasEnded ? process.reap() : process.finish()
    listen()
    let (why, call) = state.change { state -> (String?, (@Sendable () -> Void)?) in
      if state.isUnwanted { return (nil, nil) }
      var why = "it did not process a block in time"
      if case .failing(let known) = state.progress { why = known }
      if hasEnded { why = Self.ending(status) }
      state.progress = .failing(why)
      return (why, state.onFailure)
    }
    guard let why else { return }
    let words = state.value.words
    let last = words.isEmpty ? "" : "; its last words: \(words.joined(separator: " / "))"
    tally.tell(.failed(why + last))
    call?()
  }

  private static func ending(_ status: Int32) -> String {
    guard status < 0 else { return "it ended itself with exit status \(status)" }
    return "signal \(-status) (\(String(cString: strsignal(-status)))) ended it"
  }

  /// Reads what the child prints.
  private func listen() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = recv(words.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard got > 0 else { return }
      let lines = String(decoding: bytes[..<got], as: UTF8.self).split(whereSeparator: \.isNewline)
      for line in lines {
        let text = String(line.prefix(240))
        text.withCString { log.write(0, $0) }
        state.change {
          $0.words.append(text)
          if $0.words.count > Self.mostWords { $0.words.removeFirst() }
        }
      }
    }
  }

  /// Answers a question of the child; false if it is none.
  private func answer() -> Bool {
    guard let question = names.receive(within: .seconds(1)) else { return false }
    var answer = IsolationMessage(kind: .answer)
    switch question.kind {
    case .map: answer.number = URIDMap.shared.number(of: question.text)
    case .unmap:
      guard let name = URIDMap.shared.name(of: question.number) else {
        answer.kind = .nothing
        break
      }
      answer.bytes = Array(String(cString: name).utf8)
    case .ownPath:
      guard let path = files.path(for: question.text) else {
        answer.kind = .nothing
        break
      }
      answer.bytes = Array(path.utf8)
    default: return false
    }
    return names.send(answer)
  }
}
