// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletControl
internal import SwiftletJack
internal import SwiftletManifest

/// A live run of a manifest, from the start of the server to the report about the takes.
final class LiveRun {
  let options: RunCommand
  let manifest: ResolvedManifest
  let file: String
  let console: Console
  let stopSignal = StopSignal()
  private(set) var server: DummyServer?

  /// Creates a run that has not started.
  init(options: RunCommand, manifest: ResolvedManifest, file: String, console: Console) {
    self.options = options
    self.manifest = manifest
    self.file = file
    self.console = console
  }

  /// Runs until the user, the time limit or an error ends it, and prints the result.
  ///
  /// - Throws: A ``Failure`` with the exit status.
  func run() throws {
    let names = Set(manifest.nodes.filter { $0.kind == .capture || $0.kind == .midiIn }.map(\.name))
    for play in options.play where !names.contains(play.node) {
      throw Failure(
        .badCommandLine,
        "--play: there is no capture or midi-in node '\(play.node.shortened())'"
          + (names.isEmpty ? "" : "; expected \(names.sorted().map { "'\($0)'" }.joined(separator: " or "))"))
    }
    try options.takes.requireTakesInside(manifest, file: file)
    options.takes.noteUnfinished(manifest, console)
    if let dummy = options.dummy { try startServer(dummy) }
    defer { server?.stop() }
    let session = try open()
    defer { session.engine.close() }
    if session.engine.hasReplacedTimebase {
      console.warning(
        "another program was the timebase source of the transport; '\(session.manifest.name)' has replaced it"
      )
    }
    let inputFiles = try InputFilePlayer.all(
      options.play, into: session, server: server?.name ?? options.server)
    defer { for voice in inputFiles { voice.close() } }
    let control = SessionControl(session), tree = ControlTree(control)
    let live = LiveSession(
      session: session, control, tree, console: console, stopSignal: stopSignal, limit: options.seconds?.value
    )
    // Takes begin with the first sound, so the recorder starts before the engine. If a take is shifted by the latency
    // of the JACK graph, it starts after the engine, since the latency is known only then.
    let waits = session.manifest.taps.contains { $0.recording?.output != nil }
    if !waits { try reportingErrors { () throws(EngineError) in try session.recorder.start() } }
    try reportingErrors { () throws(EngineError) in try session.engine.start() }
    if waits { try reportingErrors { () throws(EngineError) in try session.recorder.start() } }
    for voice in inputFiles { try voice.start() }
    let remote = RemoteAccess(session, tree, console)
    let end = live.run()
    tree.end()
    remote.close()
    let reports = session.recorder.finish()
    session.engine.close()
    live.reportFinalEvents()
    try printSummary(reports, end, hasLostSound: live.hasLostSound, isOverloaded: live.isOverloaded)
  }

  private func startServer(_ dummy: DummyRate) throws {
    do throws(JackError) {
      server = try makeServer(dummy, timeout: 0)
    } catch .tooManyServers(let most) {
      console.note("\(most) private JACK servers run already; waiting for one to end")
      do throws(JackError) { server = try makeServer(dummy, timeout: 60) } catch {
        throw Failure(.jack(error))
      }
    } catch {
      throw Failure(.jack(error))
    }
  }

  private func makeServer(_ dummy: DummyRate, timeout: Double) throws(JackError) -> DummyServer {
    try DummyServer(
      .init(sampleRate: dummy.sampleRate, period: dummy.period, waitsForClients: true), timeout: timeout,
      log: { [console] in console.detail("jackd: \($0.text)") })
  }

  private func open() throws -> Session {
    var changes = Session.Options()
    changes.takesFolder = options.takes.takes
    changes.records = !options.takes.noRecord
    changes.allowsTakesOutside = options.takes.allowOutside
    changes.connects = !options.noConnect
    do throws(EngineError) {
      let session = try Session(
        manifest, on: .jack(name: manifest.name, server: server?.name ?? options.server), changes)
      // A private server that has ended is not started again.
      session.engine.reconnects = server == nil && !options.noReconnect
      return session
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
  }

  private func reportingErrors(_ body: () throws(EngineError) -> Void) throws {
    do throws(EngineError) { try body() } catch { throw Failure(error) }
  }

  private func printSummary(
    _ reports: [TakeReport], _ end: LiveSession.End, hasLostSound: Bool, isOverloaded: Bool
  ) throws {
    for report in reports {
      if let failure = Advice.text(report) { console.error(failure) }
    }
    var failure: Failure?
    if hasLostSound || reports.contains(where: { !$0.isClean }) { failure = .silent(.incomplete) }
    if case .lost(let reason) = end { failure = Failure(.failedHost, reason) }
    try Results().print(before: failure) { results in
      for line in FileSummary.text(
        reports.filter(\.hasSummary).map { FileSummary($0, isOverloaded: isOverloaded) })
      {
        try results.line(line)
      }
      if server != nil, options.chain == nil {
        console.note("to run it on your own JACK server: swiftlet run \(options.manifest ?? file)")
      }
    }
  }
}
