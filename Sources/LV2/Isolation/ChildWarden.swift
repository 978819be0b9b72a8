// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletProcesses
internal import SwiftletThreads
internal import Synchronization

/// Watches the process of isolated plugins on a thread of its own: answers its questions for names, keeps what it prints,
/// and says how it ended, and by which plugin.
// @unchecked: `progress` is a monitor; the rest never changes.
final class ChildWarden: @unchecked Sendable {
  private enum Progress: Equatable {
    case running
    /// The child is not to be used any more; why, unless it says so by how it ends.
    case failing(String)
  }

  /// A plugin in the process, and what is called once when that has failed: with whether the plugin may be to blame.
  private struct Guest: Sendable {
    let seat: IsolatedSeat
    var onFailure: (@Sendable (_ isToBlame: Bool) -> Void)?
  }

  private struct State: Sendable {
    var progress = Progress.running
    /// The plugins in the process, by the numbers of their seats.
    var guests: [UInt32: Guest] = [:]
    /// The seats of plugins that may be to blame for the failure.
    var guilty: Set<UInt32> = []
    /// What the child printed last.
    var words: [String] = []
    /// Whether its end is no failure.
    var isUnwanted = false
    /// Whether it has ended, and all is known of that.
    var hasEnded = false
    /// How many names the child has added to the host's.
    var nameCount = 0
  }

  /// Is written to when the child is to be looked at.
  let alarm: Int32
  /// A ``swiftlet_isolated_state``, which the audio thread and this share. One for all plugins in the process, so that after
  /// the one that fails no other is waited for.
  let flag: UnsafeMutablePointer<Int32>
  private let process: HelperProcess
  private let names: IsolationSocket, words: IsolationSocket
  private let state: Monitor<State>
  private let thread: Mutex<JoinableThread?>

  private static let mostWords = 4
  /// How many names of URIs a child may ask for: they stay as long as the host does.
  private static let mostNames = 1 << 16

  init(_ process: HelperProcess, names: IsolationSocket, words: IsolationSocket) {
    (self.process, self.names, self.words) = (process, names, words)
    alarm = swiftlet_new_alarm()
    flag = .allocate(capacity: 1)
    flag.initialize(to: Int32(SWIFTLET_ISOLATED_PLAYS.rawValue))
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
    flag.deallocate()
  }

  /// Whether the child has failed, as far as the audio thread knows.
  var isGivenUp: Bool { flag.pointee != Int32(SWIFTLET_ISOLATED_PLAYS.rawValue) }

  /// Whether the child is not to be used any more.
  var hasFailed: Bool { state.value.progress != .running }

  /// Watches for a plugin, too, from before the process hosts it.
  func add(_ seat: IsolatedSeat) { state.change { $0.guests[seat.number] = Guest(seat: seat) } }

  /// The process hosts a plugin no longer.
  func remove(_ seat: IsolatedSeat) { state.change { $0.guests[seat.number] = nil } }

  /// Calls `body` once the child has failed, at once if it has: with whether the plugin of the seat may be to blame.
  func whenFailed(_ seat: IsolatedSeat, _ body: @escaping @Sendable (_ isToBlame: Bool) -> Void) {
    let isToBlame: Bool? = state.change { state in
      // Who is to blame is known with the end of the process, where all are called.
      if state.hasEnded { return state.guilty.contains(seat.number) }
      state.guests[seat.number]?.onFailure = body
      return nil
    }
    if let isToBlame { body(isToBlame) }
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
    // The audio thread stops waiting: at once if somebody listens; a render only when the failure has been reported, since it
    // might end before that.
    let isHeard = state.value.guests.values.allSatisfy(\.seat.isHeard)
    if isHeard { swiftlet_fail_isolated(flag) }
    defer { swiftlet_fail_isolated(flag) }
    let status = hasEnded ? process.reap() : process.finish()
    listen()
    let guests = state.change { state -> [Guest] in
      state.hasEnded = true
      if state.isUnwanted { return [] }
      var why = "it did not process a block in time"
      if case .failing(let known) = state.progress { why = known }
      if hasEnded { why = Self.ending(status) }
      state.progress = .failing(why)
      let guests = state.guests.values.sorted { $0.seat.number < $1.seat.number }
      let atWork = guests.filter(\.seat.isAtWork)
      // Where none was at work, a thread of any of them may have failed.
      state.guilty = Set((atWork.isEmpty ? guests : atWork).map(\.seat.number))
      return guests
    }
    tell(guests)
  }

  /// Tells of the failure what it means to each plugin.
  private func tell(_ guests: [Guest]) {
    let state = state.value
    guard case .failing(let why) = state.progress else { return }
    let last = state.words.isEmpty ? "" : "; its last words: \(state.words.joined(separator: " / "))"
    for guest in guests {
      let isToBlame = state.guilty.contains(guest.seat.number)
      let others = guests.filter { state.guilty.contains($0.seat.number) }.map { "<\($0.seat.uri)>" }
      guest.seat.tally.tell(
        .failed(
          isToBlame ? why + last : "\(others.joined(separator: ", ")) ended the process that they share"))
      guest.onFailure?(isToBlame)
    }
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
      // Which of several plugins prints is not known, unless one is at work.
      let seats = state.value.guests.values.map(\.seat)
      let log = (seats.first { $0.isAtWork } ?? seats.min { $0.number < $1.number })?.log
      let lines = String(decoding: bytes[..<got], as: UTF8.self).split(whereSeparator: \.isNewline)
      for line in lines {
        let text = String(line.prefix(240))
        text.withCString { log?.write(0, $0) }
        state.change {
          $0.words.append(text)
          if $0.words.count > Self.mostWords { $0.words.removeFirst() }
        }
      }
    }
  }

  /// Answers a question of the child; false if it is none.
  private func answer() -> Bool {
    guard
      let question = names.receive(within: .seconds(1), atMost: IsolationMessage.mostBytesOfName)
    else { return false }
    var answer = IsolationMessage(kind: .answer)
    switch question.kind {
    case .map:
      let count = state.change { state in
        state.nameCount += 1
        return state.nameCount
      }
      guard count <= Self.mostNames else { return false }
      answer.number = URIDMap.shared.number(of: question.text)
    case .unmap:
      guard let name = URIDMap.shared.name(of: question.number) else {
        answer.kind = .nothing
        break
      }
      answer.bytes = Array(String(cString: name).utf8)
    case .ownPath:
      guard let path = state.value.guests[question.number]?.seat.files.path(for: question.text) else {
        answer.kind = .nothing
        break
      }
      answer.bytes = Array(path.utf8)
    default: return false
    }
    return names.send(answer)
  }
}
