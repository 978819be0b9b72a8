// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import Synchronization

/// A MIDI program change, with the bank that was selected before it. Both numbers start at 0.
package struct ProgramChange: Sendable, Equatable, BitwiseCopyable {
  package var bank: Int, program: Int
}

/// The effect of a MIDI program change at a plugin's input.
package enum ProgramChangeUse: String, Sendable, CaseIterable {
  /// The plugin receives the message.
  case plugin
  /// The host loads the plugin's preset of that bank and number, and the plugin does not receive the message.
  case preset
}

/// Parses program changes in MIDI messages, and stores the selected bank. Audio thread.
struct ProgramChangeReader: BitwiseCopyable {
  private var bankHigh = 0, bankLow = 0

  init() {}

  /// Reads a message. Controllers 0 and 32 select the bank, on any channel.
  ///
  /// - Returns: The program change; nil for any other message.
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

/// A plugin's latest program change that control threads have not taken yet: one atomic number.
struct PendingProgramChange: ~Copyable {
  /// Bank, program and a set bit; 0 if there is none.
  private let bits = Atomic<Int>(0)

  /// Replaces a program change that has not been taken. Audio thread.
  @_noLocks @_noAllocation func put(_ change: ProgramChange) {
    bits.store((change.bank << 7 | change.program) << 1 | 1, ordering: .releasing)
  }

  /// Takes the program change, if there is one. Any thread except the audio thread.
  func take() -> ProgramChange? {
    let bits = bits.exchange(0, ordering: .acquiringAndReleasing)
    return bits == 0 ? nil : ProgramChange(bank: bits >> 8, program: bits >> 1 & 127)
  }
}

extension PluginRuntime {
  /// Returns whether an event is a program change for which the host loads a preset. If so, reports it, unless another
  /// body that reads the same events reports it.
  @_noLocks @_noAllocation mutating func takesProgramChange(_ event: Event) -> Bool {
    guard loadsPresets, event.header.type == EventHeader.midi else { return false }
    guard let change = programs.read(event.bytes, size: Int(event.header.size)) else { return false }
    if passesEvents { faults.pointee.reportProgramChange(change) }
    return true
  }
}

extension PluginProcessor {
  /// The latest program change since the last call. Any thread except the audio thread.
  package func takeProgramChange() -> ProgramChange? { faults.counts.pointee.programChange.take() }
}
