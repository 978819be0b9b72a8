// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// The terminal's original settings, stored so that a signal handler can restore them.
enum TerminalState {
  /// The address of the settings; 0 if none are stored.
  private static let kept = Atomic<UInt>(0)

  /// Initializes the lazy globals before a signal handler uses them.
  static func prepare() { _ = kept.load(ordering: .acquiring) }

  /// Stores the settings. They are never freed, so a signal handler can read them at any time.
  static func keep(_ settings: termios) {
    guard kept.load(ordering: .acquiring) == 0 else { return }
    let memory = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    memory.initialize(to: settings)
    kept.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// Restores the stored settings. Safe inside a signal handler.
  static func restore() {
    guard let settings = UnsafePointer<termios>(bitPattern: kept.load(ordering: .acquiring)) else { return }
    tcsetattr(0, TCSANOW, settings)
  }
}
