// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The terminal's keyboard, read key by key without echo.
///
/// ^C and ^Z still send their signals.
final class Keyboard {
  private let before: termios

  /// Switches the terminal to key-by-key input; nil if standard input is no terminal or another process group owns
  /// it.
  init?() {
    var settings = termios()
    guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), tcgetattr(0, &settings) == 0 else { return nil }
    before = settings
    TerminalState.keep(settings)
    enableRawInput()
  }

  deinit { giveBack() }

  /// Turns line mode and echo off. Also called after ^Z and `fg`, since the shell has restored its own settings.
  func enableRawInput() {
    var settings = before
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(0, TCSANOW, &settings)
  }

  /// Restores the terminal's settings.
  func giveBack() { TerminalState.restore() }

  /// Reads the pressed keys; empty if there are none. Call it after `poll` has reported input.
  func read() -> [Character] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(0, &bytes, bytes.count)
    guard count > 0 else { return [] }
    // Arrow keys send several bytes after an escape; their letters are not commands.
    guard bytes[0] != 0x1B else { return [] }
    return Array(String(decoding: bytes[..<count], as: UTF8.self))
  }
}
