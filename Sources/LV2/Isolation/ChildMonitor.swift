// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletProcesses
internal import SwiftletThreads
internal import Synchronization

/// Monitors the process of isolated plugins on a thread of its own: answers its requests for URIDs and paths, keeps
/// its output, and reports how it ended and which plugin caused that.
// @unchecked: `state` is a monitor; the rest never changes.
final class ChildMonitor: @unchecked Sendable {
  private enum Progress: Equatable {
    case running
    /// The child must not be used any more. The text is the reason, unless the exit status gives a better one.
    case failing(String)
  }

  /// A plugin in the process, and a callback that is called once when the plugin has failed, with whether it may
  /// have caused that.
  private struct MonitoredPlugin: Sendable {
    let plugin: IsolatedPlugin
    var onFailure: (@Sendable (_ mayHaveFailed: Bool) -> Void)?
  }

  private struct State: Sendable {
    var progress = Progress.running
    /// The plugins in the process, by their numbers.
    var plugins: [UInt32: MonitoredPlugin] = [:]
    /// The numbers of the plugins that may have caused the failure.
    var failed: Set<UInt32> = []
    /// The last lines that the child printed.
    var lastLines: [String] = []
    /// Whether the child's end is expected, not a failure.
    var isUnwanted = false
    /// Whether the child has ended and the cause is known.
    var hasEnded = false
    /// The number of URIDs that the child has requested.
    var nameCount = 0
  }

  /// An eventfd that is written to when the child must be checked.
  let alarm: Int32
  /// A ``swiftlet_isolated_state`` that the audio thread shares. All plugins in the process have the same one, so that
  /// after one fails the audio thread waits for no other.
  let flag: UnsafeMutablePointer<Int32>
  private let process: HelperProcess
  private let names: IsolationSocket, output: IsolationSocket
  private let state: Monitor<State>
  private let thread: Mutex<JoinableThread?>

  private static let mostLines = 4
  /// The maximum number of URIDs that a child may request, since they are never freed.
  private static let mostNames = 1 << 16

  init(_ process: HelperProcess, names: IsolationSocket, output: IsolationSocket) {
    (self.process, self.names, self.output) = (process, names, output)
    alarm = swiftlet_new_alarm()
    flag = .allocate(capacity: 1)
    flag.initialize(to: Int32(SWIFTLET_ISOLATED_PLAYS.rawValue))
    state = Monitor(State())
    thread = Mutex(nil)
    // Unretained: `end` joins the thread before this object is released.
    let monitor = Unmanaged.passUnretained(self)
    let started = JoinableThread("swiftlet-child") { monitor._withUnsafeGuaranteedRef { $0.watch() } }
    thread.withLock { $0 = started }
    if started == nil {
      state.change {
        $0.progress = .failing("the system cannot start a thread to monitor the process; end other programs")
      }
    }
  }

  deinit {
    for file in [alarm, names.descriptor, output.descriptor] { close(file) }
    flag.deallocate()
  }

  /// Whether the audio thread treats the child as failed.
  var isMarkedFailed: Bool { flag.pointee != Int32(SWIFTLET_ISOLATED_PLAYS.rawValue) }

  /// Whether the child must not be used any more.
  var hasFailed: Bool { state.value.progress != .running }

  /// Adds a plugin. Call it before the process hosts the plugin.
  func add(_ plugin: IsolatedPlugin) {
    state.change { $0.plugins[plugin.number] = MonitoredPlugin(plugin: plugin) }
  }

  /// Removes a plugin that the process no longer hosts.
  func remove(_ plugin: IsolatedPlugin) { state.change { $0.plugins[plugin.number] = nil } }

  /// Calls `body` when the child has failed, or at once if it already has, with whether the plugin may have caused
  /// that.
  func whenFailed(_ plugin: IsolatedPlugin, _ body: @escaping @Sendable (_ mayHaveFailed: Bool) -> Void) {
    let mayHaveFailed: Bool? = state.change { state in
      // The plugins that may have failed are determined when the process has ended; all callbacks are called then.
      if state.hasEnded { return state.failed.contains(plugin.number) }
      state.plugins[plugin.number]?.onFailure = body
      return nil
    }
    if let mayHaveFailed { body(mayHaveFailed) }
  }

  /// Ends the child because a function of the plugin did not return, and waits for that: a plugin that is removed
  /// meanwhile would not get the report.
  func noteFailure(in function: IsolationMessage.Kind) {
    fail("it did not return from '\(function)'")
    state.wait(within: .seconds(2)) { $0.hasEnded }
  }

  /// Ends the child unless it has ended, and waits for it.
  ///
  /// - Parameter reason: The reason, if no other is known; nil for a child that is no longer needed.
  /// - Returns: The cause of the child's end, and the last lines that it printed.
  func end(because reason: String?) -> [String] {
    if let reason {
      // Waits for a child that is about to end by itself, since its exit status is more informative.
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
    guard case .failing(let why) = now.progress else { return now.lastLines }
    return [why] + now.lastLines
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
      var waited = [process.descriptor, alarm, names.descriptor, output.descriptor].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waited, 4, -1) > 0 else { continue }
      if waited[3].revents != 0 { readOutput() }
      if waited[0].revents != 0 { return finish(hasEnded: true) }
      if waited[1].revents != 0 {
        // A crashing child may raise the alarm shortly before it has ended.
        return finish(hasEnded: poll(&waited, 1, state.value.isUnwanted ? 0 : 100) > 0)
      }
      if waited[2].revents != 0, !answer() { fail("it sent an invalid message") }
    }
  }

  /// Reaps the child, which has ended, or kills it.
  private func finish(hasEnded: Bool) {
    // Makes the audio thread stop waiting: at once in live mode. Offline, only after the failure has been reported,
    // since the render might end before that.
    let isLive = state.value.plugins.values.allSatisfy(\.plugin.isLive)
    if isLive { swiftlet_fail_isolated(flag) }
    defer { swiftlet_fail_isolated(flag) }
    let status = hasEnded ? process.reap() : process.finish()
    readOutput()
    let plugins = state.change { state -> [MonitoredPlugin] in
      state.hasEnded = true
      if state.isUnwanted { return [] }
      var why = "it did not process a block in time"
      if case .failing(let known) = state.progress { why = known }
      if hasEnded { why = Self.ending(status) }
      state.progress = .failing(why)
      let plugins = state.plugins.values.sorted { $0.plugin.number < $1.plugin.number }
      let atWork = plugins.filter(\.plugin.isAtWork)
      // If no plugin was at work, a thread of any of them may have failed.
      state.failed = Set((atWork.isEmpty ? plugins : atWork).map(\.plugin.number))
      return plugins
    }
    report(to: plugins)
  }

  /// Reports the failure to each plugin.
  private func report(to plugins: [MonitoredPlugin]) {
    let state = state.value
    guard case .failing(let why) = state.progress else { return }
    let last = state.lastLines.isEmpty ? "" : "; its last output: \(state.lastLines.joined(separator: " / "))"
    for monitored in plugins {
      let mayHaveFailed = state.failed.contains(monitored.plugin.number)
      let others = plugins.filter { state.failed.contains($0.plugin.number) }.map { "<\($0.plugin.uri)>" }
      monitored.plugin.faults.add(
        .failed(
          mayHaveFailed ? why + last : "\(others.joined(separator: ", ")) ended the process that they share"))
      monitored.onFailure?(mayHaveFailed)
    }
  }

  private static func ending(_ status: Int32) -> String {
    guard status < 0 else { return "it ended itself with exit status \(status)" }
    return "signal \(-status) (\(String(cString: strsignal(-status)))) ended it"
  }

  /// Reads the child's output, and the faults that it has counted.
  private func readOutput() {
    for monitored in state.value.plugins.values { monitored.plugin.takeFaults() }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = recv(output.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard got > 0 else { return }
      // Attributes the output to the plugin at work, or else to the first one.
      let plugins = state.value.plugins.values.map(\.plugin)
      let log = (plugins.first { $0.isAtWork } ?? plugins.min { $0.number < $1.number })?.log
      let lines = String(decoding: bytes[..<got], as: UTF8.self).split(whereSeparator: \.isNewline)
      for line in lines {
        let text = String(line.prefix(240))
        text.withCString { log?.write(0, $0) }
        state.change {
          $0.lastLines.append(text)
          if $0.lastLines.count > Self.mostLines { $0.lastLines.removeFirst() }
        }
      }
    }
  }

  /// Answers a request of the child; returns false if the message is no valid request.
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
      guard let path = state.value.plugins[question.number]?.plugin.files.path(for: question.text) else {
        answer.kind = .nothing
        break
      }
      answer.bytes = Array(path.utf8)
    default: return false
    }
    return names.send(answer)
  }
}
