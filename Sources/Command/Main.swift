// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Glibc

/// The program: reads the command line, does what it says, and ends with the exit code that fits.
@main enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    ResourceLimits.check(words)
    prepareProcess(words)
    if words == [LibraryProbe.word] { probeLibraries() }
    if let failure = RawArguments.fault(in: RawArguments.words) { end(failure, words) }
    let arguments = HomePaths.expanded(DummyRate.spelledOut(words))
    if let failure = Tool.unknownCommand(in: arguments) { end(failure, arguments) }
    do {
      var command = try Tool.parseAsRoot(arguments)
      try command.run()
    } catch {
      end(error, arguments)
    }
    leave(.done)
  }

  /// A pipe that is closed early, or a file that may not grow, ends nothing by itself: recordings must be
  /// finished first. What asks us to end must reach us, even if who started us does not hear it. And the
  /// numbers of the standard streams must not be given to a file of ours. What libraries print must not be taken for
  /// results or messages.
  private static func prepareProcess(_ arguments: [String]) {
    // Qt ends the process where it finds no display, and plugins of its authors use it for more than their windows.
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
      // It gets the lowest number that is free: this one.
      _ = open("/dev/null", O_RDWR)
    }
    let isVerbose = arguments.prefix { $0 != "--" }.contains { $0 == "-v" || $0 == "--verbose" }
    LibraryOutput.redirect(
      to: isVerbose ? Console(stream: .error, volume: .verbose, color: .scanned(from: arguments)) : nil)
  }

  /// Loads libraries of plugins for another process of this program.
  private static func probeLibraries() -> Never {
    do { try LibraryProbe.answer() } catch { end(error) }
    leave(.done)
  }

  /// Ends the program.
  private static func leave(_ status: ExitStatus) -> Never {
    CrashReport.leaveToReport()
    LibraryOutput.finish()
    ExitDeadline.set(status)
    exit(status.rawValue)
  }

  /// Says why the command ends, and ends.
  private static func end(_ error: any Error, _ arguments: [String] = []) -> Never {
    if error is ClosedPipe { leave(.done) }
    if let failure = Failure(error) {
      failure.tell(Console(stream: .error, color: .scanned(from: arguments)))
      leave(failure.status)
    }
    // What is left is the argument parser's: help, completions, or a command line it cannot read.
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
    failure.tell(Console(stream: .error, color: .scanned(from: arguments)))
    leave(failure.status)
  }
}
