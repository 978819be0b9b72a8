// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// The terminal's own settings, kept where a signal handler can put them back.
enum TerminalState {
  /// The address of the settings; 0 while there are none.
  private static let kept = Atomic<UInt>(0)

  /// Makes sure that the first use does not come inside a signal.
  static func prepare() { _ = kept.load(ordering: .acquiring) }

  /// Keeps the settings to be put back; they are never freed, so a signal finds them at any time.
  static func keep(_ settings: termios) {
    guard kept.load(ordering: .acquiring) == 0 else { return }
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: settings)
    kept.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// Puts them back. Safe inside a signal handler.
  static func restore() {
    guard let settings = UnsafePointer<termios>(bitPattern: kept.load(ordering: .acquiring)) else { return }
    tcsetattr(0, TCSANOW, settings)
  }
}
