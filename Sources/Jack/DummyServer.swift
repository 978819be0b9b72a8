// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletProcesses
internal import SwiftletThreads
internal import Synchronization

/// A private JACK server without a sound card, for as long as somebody holds it.
///
/// It runs under a name of its own beside any other server, and ends with ``stop()``, with the last
/// reference, or with this process, however that ends. At most four run on a machine for one user; jackd2
/// itself allows eight.
public final class DummyServer: Sendable {
  /// What kind of server to run.
  public struct Settings: Sendable, Hashable {
    /// Frames a second.
    public var sampleRate: Int
    /// Frames in a cycle, a power of two up to 8192.
    public var period: Int
    /// How many physical ports to pretend there are, each way.
    public var captureCount: Int, playbackCount: Int
    /// Whether the server waits for late clients rather than going on without
    /// them: for machines that are busy.
    public var isPatient: Bool

    /// A stereo sound card that is not there, at 48 kHz and 256 frames, unless told otherwise.
    public init(
      sampleRate: Int = 48_000, period: Int = 256, captureCount: Int = 2, playbackCount: Int = 2,
      isPatient: Bool = false
    ) {
      self.sampleRate = sampleRate
      self.period = period
      self.captureCount = captureCount
      self.playbackCount = playbackCount
      self.isPatient = isPatient
    }
  }

  /// The server's name, for programs that join it and for `jack_lsp --server`.
  public let name: String
  /// The server's process.
  package let processIdentifier: Int32
  /// Whether it was asked to run with real-time priority, because this user may.
  package let isRealtime: Bool
  private let process: ServiceProcess
  /// Frees the server's place where it was killed.
  private let freePlace: @Sendable () -> Void
  private let isStopped = Atomic<Bool>(false)

  /// How many of our servers may run at once.
  package static let most = 4
  private static let count = Atomic<Int>(0)

  /// Starts a server and waits until it takes clients, at most ten seconds.
  ///
  /// - Parameters:
  ///   - settings: what kind of server; default: a stereo sound card at 48 kHz and 256 frames.
  ///   - patience: how many seconds to wait for a place if four servers of this user run already; default: 0.
  /// - Throws: ``JackError/noServerProgram``, ``JackError/tooManyServers(most:)``, ``JackError/noPlaceLeft``,
  ///   ``JackError/dummyFailed(_:)``, ``JackError/otherServer(open:wanted:)`` while this process is a client
  ///   of another server.
  public convenience init(_ settings: Settings = Settings(), patience: Double = 0) throws(JackError) {
    try self.init(settings, patience: patience, log: { _ in })
  }

  /// Starts a server and waits until it takes clients, at most ten seconds.
  ///
  /// - Parameters:
  ///   - settings: what kind of server.
  ///   - patience: how many seconds to wait for a place where four servers run already.
  ///   - log: takes the server's own messages, on a thread of its own.
  /// - Throws: ``JackError/noServerProgram``, ``JackError/tooManyServers(most:)``, ``JackError/noPlaceLeft``,
  ///   ``JackError/dummyFailed(_:)``, ``JackError/otherServer(open:wanted:)`` while this process is a client
  ///   of another server.
  package init(
    _ settings: Settings = Settings(), patience: Double = 0,
    log: @escaping @Sendable (JackMessage) -> Void
  ) throws(JackError) {
    guard let program = Self.find("jackd") else { throw .noServerProgram }
    let place = try ServerPlace(patience: patience)
    isRealtime = Self.mayBeRealtime
    // Half of jackd2's ports take half of its 100 MB, and half the time to start.
    var arguments = ["--port-max", "1024", isRealtime ? "-R" : "-r"]
    if settings.isPatient { arguments.append("-S") }
    arguments += ["-d", "dummy", "-r", "\(settings.sampleRate)", "-p", "\(settings.period)"]
    arguments += ["-C", "\(settings.captureCount)", "-P", "\(settings.playbackCount)"]
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let own = "swiftlet-\(getpid())-\(number)"
    ServerLeavings.removeAbandoned()
    for left in ServerRegistry().abandoned() { Self.freePlace(of: left, program, place) }
    name = own
    process = try Self.start(program, ["-n", own] + arguments, place, log)
    processIdentifier = process.identifier
    freePlace = { Self.freePlace(of: own, program, place) }
  }

  /// Frees the place of a server that was killed: jackd2 keeps it in its memory until a server of the same name ends. So
  /// one is run for a moment.
  private static func freePlace(of name: String, _ program: String, _ place: ServerPlace) {
    let arguments = ["-n", name, "--port-max", "128", "-r", "-d", "dummy"]
    guard let heir = try? ServiceProcess(program, arguments, keepingOpen: place.descriptor, log: { _ in })
    else { return }
    Waiting.until(every: .milliseconds(10), within: .seconds(3)) {
      !heir.isRunning || ServerRegistry().hasServer(name, heir.identifier)
    }
    heir.end()
    ServerLeavings.remove(of: name)
  }

  /// Starts a server and waits until it takes clients.
  private static func start(
    _ program: String, _ arguments: [String], _ place: ServerPlace,
    _ log: @escaping @Sendable (JackMessage) -> Void
  ) throws(JackError) -> ServiceProcess {
    let process: ServiceProcess
    do throws(StartError) {
      process = try ServiceProcess(program, arguments, keepingOpen: place.descriptor) {
        log(JackMessage(text: $0, isError: false))
      }
    } catch {
      throw .dummyFailed("it could not be started (\(String(cString: strerror(error.number))))")
    }
    do {
      try wait(for: process, arguments[1])
    } catch {
      process.end()
      throw error
    }
    return process
  }

  deinit { stop() }

  /// Ends the server and removes what it leaves behind. Clients are told that
  /// it has gone. Safe more than once.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    process.end()
    if process.endSignal != nil { freePlace() }
    // What clients leave in shared memory does not go with the server.
    ServerLeavings.remove(of: name)
  }

  /// Tries to become a client until it works.
  private static func wait(for process: ServiceProcess, _ name: String) throws(JackError) {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      do throws(JackError) {
        try JackClient(name: "swiftlet-probe", server: name).close()
        return
      } catch {
        if case .otherServer = error { throw error }
      }
      guard process.isRunning, ContinuousClock.now < end else {
        let last = process.lastWords(without: greetings)
        // jackd's database of metadata is shared by all servers of a user, and stays unusable if a process was
        // killed while it made it.
        let words =
          process.isRunning
          ? "it takes no clients after ten seconds; if no other JACK server runs, remove '/dev/shm/jack_db-\(getuid())'"
            + " and try again (its last words: \(last))" : last
        guard !words.isEmpty else {
          throw .dummyFailed("jackd ended without a word\(process.endSignal.map { " (signal \($0))" } ?? "")")
        }
        throw words.contains("Too many servers") ? .noPlaceLeft : .dummyFailed(words)
      }
      Waiting.sleep(.milliseconds(20))
    }
  }

  /// What jackd writes at every start: its name and licence.
  private static let greetings = [
    "Copyright", "NO WARRANTY", "free software", "under certain conditions", "jackdmp 1",
    "message buffer overruns",
  ]

  private static func find(_ program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Whether this user may have real-time threads: tried, on a thread that ends at once.
  private static var mayBeRealtime: Bool {
    final class Answer: Sendable { let isYes = Atomic<Bool>(false) }
    let answer = Answer(), done = DispatchSemaphore(value: 0)
    startThread("swiftlet-trial") {
      var parameters = sched_param()
      parameters.sched_priority = 10
      answer.isYes.store(sched_setscheduler(0, SCHED_FIFO, &parameters) == 0, ordering: .releasing)
      done.signal()
    }
    done.wait()
    return answer.isYes.load(ordering: .acquiring)
  }
}
