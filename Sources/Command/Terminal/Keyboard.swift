// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The keyboard of a terminal, read key by key, without echo.
///
/// ^C and ^Z keep their meaning.
final class Keyboard {
  private let before: termios

  /// Takes the keyboard over; nil where standard input is no terminal, or another program has it.
  init?() {
    var settings = termios()
    guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), tcgetattr(0, &settings) == 0 else { return nil }
    before = settings
    TerminalState.keep(settings)
    takeOver()
  }

  deinit { giveBack() }

  /// Reads keys one by one from now on; also after ^Z and `fg`, where a shell has put its own settings.
  func takeOver() {
    var settings = before
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(0, TCSANOW, &settings)
  }

  /// Leaves the terminal as it was.
  func giveBack() { TerminalState.restore() }

  /// The keys that were pressed; none where none were. Call when `poll` says that there are some.
  func read() -> [Character] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(0, &bytes, bytes.count)
    guard count > 0 else { return [] }
    // Arrows and the like come as several bytes after an escape: nobody means a letter by them.
    guard bytes[0] != 0x1B else { return [] }
    return Array(String(decoding: bytes[..<count], as: UTF8.self))
  }
}
