// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletControl
internal import SwiftletManifest
internal import SwiftletThreads

/// The main loop of a live run: draws meters, handles keys and signals, prints events.
final class LiveSession {
  /// The reason why the loop ended.
  enum End: Equatable {
    /// The time limit was reached, or the user or a signal ended the run.
    case asked
    /// The server has shut down and has not returned. The value is its message.
    case lost(String)
  }

  let session: Session
  /// The values and commands that the keys share with other front ends.
  private let tree: ControlTree
  let console: Console
  let stopSignal: StopSignal
  /// The length of the run in seconds of sound; nil for no limit.
  let limit: Double?
  private let keyboard: Keyboard?
  private let eventQueue: EventQueue
  private var display: LiveDisplay
  private var board: MeterBoard
  private var showsKeys = false
  private var isAsked = false
  /// Whether sound is missing from the output: a file could not be read to its end or in time, a playback node was
  /// muted, or the graph exceeded the period.
  private(set) var hasLostSound = false
  /// Whether the graph exceeded the period.
  private(set) var isOverloaded = false
  /// The server's shutdown message, while the server is unavailable; nil otherwise.
  private var absence: String?
  /// The lost output ports for which players are paused, and whether another session has interrupted this one.
  private var lostPorts: Set<String> = [], isInterrupted = false

  /// Creates the loop for a session whose engine is about to start.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - control: The session as its front ends see it.
  ///   - tree: The values and commands that all front ends share.
  ///   - console: The console that prints events and meters.
  ///   - stopSignal: The signals that end the run.
  ///   - limit: The length of the run in seconds of sound; nil for no limit.
  init(
    session: Session, _ control: SessionControl, _ tree: ControlTree, console: Console,
    stopSignal: StopSignal,
    limit: Double?
  ) {
    self.session = session
    self.tree = tree
    self.console = console
    self.stopSignal = stopSignal
    self.limit = limit
    keyboard = console.style.canRedraw && console.volume > .quiet ? Keyboard() : nil
    eventQueue = EventQueue(session.engine)
    display = LiveDisplay(console)
    board = MeterBoard(session, control.levels)
  }

  /// Runs until the user, a signal, the time limit or the loss of the server ends the run.
  func run() -> End {
    if !display.canRedraw { console.note("\(session.manifest.name): \(MeterView.lineLegend)") }
    if case .local(_, _, isPaused: true) = session.manifest.transport {
      if keyboard == nil {
        console.note("the timeline is paused; 'swiftlet transport play' starts it")
      } else {
        display.interrupt { $0.note("the timeline is paused; press t to start it") }
      }
    }
    let start = SystemClock.now
    while true {
      wait()
      if let end = report(eventQueue.take()) { return leave(end) }
      if isAsked || stopSignal.isEnding { return leave(absence.map(End.lost) ?? .asked) }
      let time = SystemClock.now - start
      if let limit, let end = end(after: limit, at: time) { return leave(end) }
      if display.isDue(at: time) { draw(at: time) }
    }
  }

  /// Returns how a run with a limit in seconds of sound ends, if it ends now; nil otherwise. While the server is
  /// unavailable, no frames pass, so the limit then applies to wall-clock time, and an unattended run does not stay
  /// forever.
  private func end(after limit: Double, at time: Double) -> End? {
    if session.engine.now.seconds >= limit { return .asked }
    guard let absence, time >= limit else { return nil }
    return .lost("\(absence); the time of --for elapsed before the server came back")
  }

  /// Waits for a key or a signal, at most 10 ms.
  private func wait() {
    CrashReport.parkIfCrashed()
    var sources = [pollfd(fd: stopSignal.descriptor, events: Int16(POLLIN), revents: 0)]
    if keyboard != nil { sources.append(pollfd(fd: 0, events: Int16(POLLIN), revents: 0)) }
    // A run ends within 10 ms of its limit. The display is drawn at most 20 times a second.
    guard poll(&sources, nfds_t(sources.count), 10) > 0 else { return }
    if sources[0].revents != 0, stopSignal.requests().contains(.resume) {
      keyboard?.enableRawInput()
      display.invalidate()
    }
    if sources.count > 1, sources[1].revents != 0, let keyboard {
      for key in keyboard.read() { press(key) }
    }
  }

  private func draw(at time: Double) {
    let view = board.view(at: time)
    let keys = showsKeys ? KeyHelp.long(session) : KeyHelp.short
    display.draw(
      at: time,
      screen: { columns, rows in
        view.screen(columns: columns, rows: rows, style: console.style, keys: keyboard == nil ? [] : keys)
      }, line: { view.line })
  }

  /// Restores the terminal and prints a summary of the run. The last drawn meters stay on the screen.
  private func leave(_ end: End) -> End {
    keyboard?.giveBack()
    let xruns = session.engine.jackClient?.xruns ?? 0
    if xruns > 0 {
      let cause = board.worstXrun.map { ": \($0.text)" }
      console.note("\(Digits.count(xruns, "xrun"))\(cause ?? "")")
    }
    let dry = session.engine.nodes.map(\.underruns)
    let (times, frames) = (dry.map(\.count).reduce(0, +), dry.map(\.frames).reduce(0, +))
    let silence = Digits.count(frames, "frame")
    let words = "players had \(Digits.count(times, "underrun")): \(silence) of silence"
    if times > 0 {
      hasLostSound = true
      console.warning("\(words): \(EventText.reason(session.engine.underrunCause))")
    } else {
      console.detail(words)
    }
    if let load = session.engine.cycleLoad { console.note("load: \(LoadText.line(load))") }
    console.detail("the longest cycle took \(Digits.fixed(session.engine.longestCycle * 1e6, 0)) µs")
    return end
  }

  /// Prints the events about overloads and missing sound that came in while the engine closed.
  func reportFinalEvents() {
    for event in eventQueue.take() {
      if case .overloaded = event { isOverloaded = true }
      guard event.losesSound || event.explainsLoss, let text = EventText.line(event) else { continue }
      hasLostSound = true
      text.print(console)
    }
  }

  /// Prints events. Returns the end of the run if an event ends it; nil otherwise.
  private func report(_ events: [EngineEvent]) -> End? {
    for event in events {
      if case .serverLost(let reason) = event { return .lost(reason) }
      if event.losesSound { hasLostSound = true }
      if case .overloaded = event { isOverloaded = true }
      note(event)
      board.note(event)
      // JACK also reports the sample rate at each start.
      if case .server(.sampleRate(session.engine.sampleRate)) = event { continue }
      guard var text = EventText.line(event) else { continue }
      if case .muted = event, keyboard != nil { text.line += "; press o to open it" }
      if case .routeChange(_, let paused) = event, !paused.isEmpty {
        text.line += keyboard != nil ? "; press space to continue" : "; playback continues when it is back"
      }
      display.interrupt { console in
        text.print(console)
      }
    }
    if let text = EventText.badInput(in: events) { display.interrupt { text.print($0) } }
    if !events.isEmpty { resume() }
    return nil
  }

  /// Resumes players that a lost route paused, once their ports are back. Only without a keyboard: with one, the user
  /// resumes them. Players that another session has interrupted stay paused.
  private func resume() {
    guard keyboard == nil, !lostPorts.isEmpty, !isInterrupted, let route = session.engine.currentRoute,
      lostPorts.isSubset(of: route.physicalOutputs)
    else { return }
    let ports = lostPorts.sorted().joined(separator: " and "), isOne = lostPorts.count == 1
    lostPorts = []
    let names = session.engine.resumePlayers().map { "'\($0)'" }
    guard !names.isEmpty else { return }
    display.interrupt { console in
      console.warning(
        "\(names.joined(separator: " and ")) \(names.count == 1 ? "goes" : "go") on: \(ports) "
          + "\(isOne ? "is" : "are") back")
    }
  }

  /// Stores whether the server is available, which ports are lost, and whether another session interrupts this one.
  private func note(_ event: EngineEvent) {
    if case .routeChange(let change, let paused) = event, change.losesOutput,
      !(paused.isEmpty && lostPorts.isEmpty)
    {
      lostPorts.formUnion(change.lostOutputs)
    }
    guard case .interruption(let interruption) = event else { return }
    switch interruption {
    case .began(.serverShutdown(let text)): absence = text
    case .began(.zombified): absence = "the JACK server removed this client: it was too slow"
    case .ended(.serverShutdown, _), .ended(.zombified, _): absence = nil
    case .began(.peer), .began(.duckingPeer): isInterrupted = true
    case .ended(.peer, _), .ended(.duckingPeer, _): isInterrupted = false
    case .began(.freewheel), .began(.suspended), .ended(.freewheel, _), .ended(.suspended, _): break
    }
  }

  private func press(_ key: Character) {
    switch key {
    case "q", "Q", "\u{4}": isAsked = true
    case "r", "R": record()
    case " ": pause()
    case "t", "T": toggleTransport()
    case "c", "C": board.clearClips()
    case "o", "O": board.open()
    case "?", "h": showsKeys.toggle()
    case "1"..."9": bypass(key.wholeNumberValue ?? 0)
    default: break
    }
    if display.canRedraw { display.expire() }
  }

  private func record() {
    let isRecording = session.recorder.taps.contains(where: session.recorder.isRecording)
    guard !session.recorder.taps.isEmpty else {
      return display.interrupt {
        $0.note("nothing to record: --no-record was given, or no tap has a file to record into")
      }
    }
    perform(isRecording ? .endTake(nil) : .startTake(nil))
  }

  /// Carries out a command, as other front ends do, and prints why it failed.
  private func perform(_ command: ControlCommand) {
    do throws(ControlError) { _ = try tree.perform(command) } catch {
      display.interrupt { console in
        if error.kind == .notPossible { console.note(error.text) } else { console.error(error.text) }
      }
    }
  }

  /// Pauses or resumes the engine. A running take is ended first, so that it has no gap.
  private func pause() {
    if session.engine.isRunning {
      // Resume players that were paused by a route change or an interruption.
      guard session.engine.resumePlayers().isEmpty else { return }
      session.recorder.stop()
      session.recorder.wait(within: .seconds(1)) { $0.isEmpty }
      session.engine.pause()
    } else {
      do throws(EngineError) { try session.engine.start() } catch {
        display.interrupt { $0.error(Advice.text(error)) }
      }
    }
  }

  /// Starts or stops the transport that the timeline follows.
  private func toggleTransport() {
    perform(.transport(session.engine.transport.isRolling ? .stop : .play))
  }

  /// Toggles the bypass of the effect with this number, counted from 1.
  private func bypass(_ number: Int) {
    let effects = KeyHelp.effects(session)
    if effects.indices.contains(number - 1) { perform(.bypass(effects[number - 1].name, nil)) }
  }
}
