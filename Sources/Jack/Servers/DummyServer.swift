// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc
internal import SwiftletProcesses
internal import SwiftletThreads
internal import Synchronization

/// A private JACK server without a sound card.
///
/// It runs under a unique name beside any other server. It ends at ``stop()``, when the last reference is released,
/// or when this process ends, however that happens. At most four run for one user on a machine; jackd2 itself allows
/// eight servers.
public final class DummyServer: Sendable {
  /// The settings of a private server.
  public struct Settings: Sendable, Hashable {
    /// The sample rate in Hz.
    public var sampleRate: Int
    /// The period in frames: a power of two, at most 8192.
    public var period: Int
    /// The numbers of simulated physical capture and playback ports.
    public var captureCount: Int, playbackCount: Int
    /// Whether the server waits for late clients (jackd's synchronous mode) instead of continuing without them. For
    /// busy machines.
    public var waitsForClients: Bool

    /// Creates settings. The default is a stereo sound card at 48 kHz with a period of 256 frames.
    public init(
      sampleRate: Int = 48_000, period: Int = 256, captureCount: Int = 2, playbackCount: Int = 2,
      waitsForClients: Bool = false
    ) {
      self.sampleRate = sampleRate
      self.period = period
      self.captureCount = captureCount
      self.playbackCount = playbackCount
      self.waitsForClients = waitsForClients
    }
  }

  /// The server's name, for programs that join it and for `jack_lsp --server`.
  public let name: String
  /// The identifier of the server's process.
  package let processIdentifier: Int32
  /// Whether the server was started with real-time priority, because this user may have real-time threads.
  package let isRealtime: Bool
  private let process: ServiceProcess
  /// Releases the server's slot in jackd2's registry after the server was killed.
  private let freeSlot: @Sendable () -> Void
  private let isStopped = Atomic<Bool>(false)

  /// The maximum number of private servers at a time.
  package static let most = 4
  private static let count = Atomic<Int>(0)

  /// Starts a server and waits until it accepts clients, at most ten seconds.
  ///
  /// - Parameters:
  ///   - settings: the settings of the server; default: a stereo sound card at 48 kHz and 256 frames.
  ///   - timeout: the time to wait for a free slot if four servers of this user run already, in seconds; default: 0.
  /// - Throws: ``JackError/noServerProgram``, ``JackError/tooManyServers(most:)``, ``JackError/noFreeSlot``,
  ///   ``JackError/dummyFailed(_:)``, ``JackError/otherServer(open:wanted:)`` if this process is a client of another
  ///   server.
  public convenience init(_ settings: Settings = Settings(), timeout: Double = 0) throws(JackError) {
    try self.init(settings, timeout: timeout, log: { _ in })
  }

  /// Starts a server and waits until it accepts clients, at most ten seconds.
  ///
  /// - Parameters:
  ///   - settings: the settings of the server.
  ///   - timeout: the time to wait for a free slot if four servers run already, in seconds.
  ///   - log: receives the server's messages, on a thread of its own.
  /// - Throws: ``JackError/noServerProgram``, ``JackError/tooManyServers(most:)``, ``JackError/noFreeSlot``,
  ///   ``JackError/dummyFailed(_:)``, ``JackError/otherServer(open:wanted:)`` if this process is a client of another
  ///   server.
  package init(
    _ settings: Settings = Settings(), timeout: Double = 0,
    log: @escaping @Sendable (JackMessage) -> Void
  ) throws(JackError) {
    guard let program = Self.find("jackd") else { throw .noServerProgram }
    let slot = try ServerSlot(timeout: timeout)
    isRealtime = Self.mayBeRealtime
    // Half of jackd2's default number of ports needs half of its 100 MB of memory, and half the time to start.
    var arguments = ["--port-max", "1024", isRealtime ? "-R" : "-r"]
    if settings.waitsForClients { arguments.append("-S") }
    arguments += ["-d", "dummy", "-r", "\(settings.sampleRate)", "-p", "\(settings.period)"]
    arguments += ["-C", "\(settings.captureCount)", "-P", "\(settings.playbackCount)"]
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let own = "swiftlet-\(getpid())-\(number)"
    AbandonedSemaphores.removeAbandoned()
    for left in ServerRegistry().abandoned() { Self.freeSlot(of: left, program, slot) }
    name = own
    process = try Self.start(program, ["-n", own] + arguments, slot, log)
    processIdentifier = process.identifier
    freeSlot = { Self.freeSlot(of: own, program, slot) }
  }

  /// Releases the slot of a killed server. jackd2 keeps the slot in shared memory until a server of the same name
  /// ends, so this function runs one for a moment.
  private static func freeSlot(of name: String, _ program: String, _ slot: ServerSlot) {
    let arguments = ["-n", name, "--port-max", "128", "-r", "-d", "dummy"]
    guard let successor = try? ServiceProcess(program, arguments, keepingOpen: slot.descriptor, log: { _ in })
    else { return }
    Waiting.until(every: .milliseconds(10), within: .seconds(3)) {
      !successor.isRunning || ServerRegistry().hasServer(name, successor.identifier)
    }
    successor.end()
    AbandonedSemaphores.remove(of: name)
  }

  /// Starts a server and waits until it accepts clients.
  private static func start(
    _ program: String, _ arguments: [String], _ slot: ServerSlot,
    _ log: @escaping @Sendable (JackMessage) -> Void
  ) throws(JackError) -> ServiceProcess {
    let process: ServiceProcess
    do throws(StartError) {
      process = try ServiceProcess(program, arguments, keepingOpen: slot.descriptor) {
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

  /// Ends the server and removes the shared memory files that it leaves behind. Its clients are notified of the
  /// shutdown. May be called more than once.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    process.end()
    if process.endSignal != nil { freeSlot() }
    // Files that clients leave in shared memory are not removed by the server.
    AbandonedSemaphores.remove(of: name)
  }

  /// Tries to open a client until that succeeds.
  ///
  /// - Throws: the reason if the server has ended, or after ten seconds.
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
        let last = process.lastOutput(without: greetings)
        // All servers of a user share jackd's metadata database. It stays unusable if a process was killed while
        // creating it.
        let words =
          process.isRunning
          ? "it accepts no clients after ten seconds; if no other JACK server runs, "
            + "remove '/dev/shm/jack_db-\(getuid())'"
            + " and try again (its last output: \(last))" : last
        guard !words.isEmpty else {
          throw .dummyFailed(
            "jackd ended without any output\(process.endSignal.map { " (signal \($0))" } ?? "")")
        }
        throw words.contains("Too many servers") ? .noFreeSlot : .dummyFailed(words)
      }
      Waiting.sleep(.milliseconds(20))
    }
  }

  /// Lines that jackd prints at every start: its name and licence.
  private static let greetings = [
    "Copyright", "NO WARRANTY", "free software", "under certain conditions", "jackdmp 1",
    "message buffer overruns",
  ]

  private static func find(_ program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Whether this user may have real-time threads. Found by trying on a short-lived thread.
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
