// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// A MIDI program change, with the bank that was selected before it. Both count from 0.
package struct ProgramChange: Sendable, Equatable, BitwiseCopyable {
  package var bank: Int, program: Int
}

/// What a MIDI program change at a plugin's input does.
package enum ProgramChangeUse: String, Sendable, CaseIterable {
  /// The plugin receives the message.
  case plugin
  /// The host loads the plugin's preset of that bank and number, and the plugin does not receive the message.
  case preset
}

/// Reads program changes from MIDI messages, and remembers the selected bank. Audio thread.
struct ProgramChangeReader: BitwiseCopyable {
  private var bankHigh = 0, bankLow = 0

  init() {}

  /// Reads a message. Controllers 0 and 32 select the bank, on any channel.
  ///
  /// - Returns: the program change; nil if the message is another one.
  @_noLocks @_noAllocation mutating func read(_ bytes: UnsafeRawPointer, size: Int) -> ProgramChange? {
    guard size >= 2 else { return nil }
    let status = bytes.load(as: UInt8.self) & 0xF0
    let first = Int(bytes.load(fromByteOffset: 1, as: UInt8.self) & 127)
    if status == 0xC0 { return ProgramChange(bank: bankHigh << 7 | bankLow, program: first) }
    if status == 0xB0, size >= 3 {
      let second = Int(bytes.load(fromByteOffset: 2, as: UInt8.self) & 127)
      if first == 0 { bankHigh = second } else if first == 32 { bankLow = second }
    }
    return nil
  }
}

/// The latest program change of a plugin that its host has not taken yet: one number for two threads.
struct PendingProgramChange: ~Copyable {
  /// Bank, program and a set bit; 0 if there is none.
  private let bits = Atomic<Int>(0)

  /// Replaces the one that has not been taken. Audio thread.
  @_noLocks @_noAllocation func put(_ change: ProgramChange) {
    bits.store((change.bank << 7 | change.program) << 1 | 1, ordering: .releasing)
  }

  /// Any thread but the audio thread.
  func take() -> ProgramChange? {
    let bits = bits.exchange(0, ordering: .acquiringAndReleasing)
    return bits == 0 ? nil : ProgramChange(bank: bits >> 8, program: bits >> 1 & 127)
  }
}

extension PluginRuntime {
  /// Whether an event is a program change for which the host loads a preset. Then reports it, unless the body plays beside the
  /// one that reports: both read the same events.
  @_noLocks @_noAllocation mutating func takesProgramChange(_ event: Event) -> Bool {
    guard loadsPresets, event.header.type == EventHeader.midi else { return false }
    guard let change = programs.read(event.bytes, size: Int(event.header.size)) else { return false }
    if passesEvents { tally.pointee.reportProgramChange(change) }
    return true
  }
}

extension PluginProcessor {
  /// The latest program change since the last call. Any thread but the audio thread.
  package func takeProgramChange() -> ProgramChange? { tally.counts.pointee.programChange.take() }
}
