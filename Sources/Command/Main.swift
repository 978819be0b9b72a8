// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc

/// The program: parses the command line, runs the command, and exits with the matching status.
@main enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    ResourceLimits.check(words)
    prepareProcess(words)
    if words == [LibraryProbe.word] { probeLibraries() }
    if let failure = RawArguments.fault(in: RawArguments.words) { end(failure, words) }
    let arguments = NegativeNumbers.protected(HomePaths.expanded(DummyRate.spelledOut(words)))
    if let failure = Tool.unknownCommand(in: arguments) { end(failure, arguments) }
    do {
      var command = try Tool.parseAsRoot(arguments)
      try command.run()
    } catch {
      end(error, arguments)
    }
    leave(.done)
  }

  /// Prepares signals, standard streams and library output, before any other thread exists.
  ///
  /// SIGPIPE and SIGXFSZ are ignored, so that a closed pipe or the limit on file sizes does not end the program
  /// before its recordings are finished. Signals that request the end are unblocked, since the parent process may
  /// have blocked them. Closed standard streams are opened as `/dev/null`, so that no other file gets their
  /// descriptors. The output of libraries is redirected, so that it does not mix with results or messages.
  private static func prepareProcess(_ arguments: [String]) {
    // Qt ends the process if it finds no display, and plugins written with Qt use it for more than their windows.
    if ["DISPLAY", "WAYLAND_DISPLAY"].allSatisfy({ (Environment[$0] ?? "").isEmpty }) {
      setenv("QT_QPA_PLATFORM", "offscreen", 0)
    }
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGCONT, SIGALRM] { sigaddset(&signals, number) }
    sigprocmask(SIG_UNBLOCK, &signals, nil)
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
    let isVerbose = arguments.prefix { $0 != "--" }.contains { $0 == "-v" || $0 == "--verbose" }
    LibraryOutput.redirect(
      to: isVerbose ? Console(stream: .error, volume: .verbose, color: .scanned(from: arguments)) : nil)
  }

  /// Runs as the child process of ``LibraryProbe``: loads the libraries of plugins, and exits.
  private static func probeLibraries() -> Never {
    do { try LibraryProbe.serveRequests() } catch { end(error) }
    leave(.done)
  }

  /// Exits with a status, after pending output of libraries has been written.
  private static func leave(_ status: ExitStatus) -> Never {
    CrashReport.parkIfCrashed()
    LibraryOutput.finish()
    ExitDeadline.set(status)
    exit(status.rawValue)
  }

  /// Prints the reason why the command ends, and exits with its status.
  private static func end(_ error: any Error, _ arguments: [String] = []) -> Never {
    if error is ClosedPipe { leave(.done) }
    if let failure = Failure(error) {
      failure.print(Console(stream: .error, color: .scanned(from: arguments)))
      leave(failure.status)
    }
    // All other errors are the argument parser's: help, shell completions, or a command line that it cannot parse.
    if Tool.exitCode(for: error) == .success {
      let text = Tool.fullMessage(for: error)
      do {
        try Results().write(text.hasSuffix("\n") ? text : text + "\n")
      } catch {
        end(error)
      }
      leave(.done)
    }
    let failure = Failure(usage: Tool.message(for: error), arguments: arguments)
    failure.print(Console(stream: .error, color: .scanned(from: arguments)))
    leave(failure.status)
  }
}
