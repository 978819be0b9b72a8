// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// A program that MIDI asks for, and the bank that it lies in; both count from 0.
package struct ProgramChange: Sendable, Equatable {
  package var bank: Int, program: Int

  init(bank: Int, program: Int) { (self.bank, self.program) = (bank, program) }
}

/// What a plugin does when MIDI asks for another program.
package enum ProgramChangeUse: String, Sendable, CaseIterable {
  /// The plugin gets the message.
  case plugin
  /// The host loads the plugin's preset of that bank and number, and the plugin does not get the message.
  case preset
}

/// Finds program changes among MIDI messages. The audio thread's own.
struct ProgramChangeReader: BitwiseCopyable {
  private var bankHigh = 0, bankLow = 0

  init() {}

  /// Reads a message: notes the bank, which controllers 0 and 32 select on any channel.
  ///
  /// - Returns: a number for the program that it asks for, as of ``number(bank:program:)``; 0 if it asks for none.
  @_noLocks @_noAllocation mutating func read(_ bytes: UnsafeRawPointer, size: Int) -> Int {
    guard size >= 2 else { return 0 }
    let status = bytes.load(as: UInt8.self) & 0xF0,
      first = Int(bytes.load(fromByteOffset: 1, as: UInt8.self) & 127)
    if status == 0xC0 { return 1 + ((bankHigh << 7 | bankLow) << 7 | first) }
    if status == 0xB0, size >= 3 {
      let second = Int(bytes.load(fromByteOffset: 2, as: UInt8.self) & 127)
      if first == 0 { bankHigh = second } else if first == 32 { bankLow = second }
    }
    return 0
  }

  /// The program behind a number that is not 0.
  static func program(_ number: Int) -> ProgramChange {
    ProgramChange(bank: (number - 1) >> 7, program: (number - 1) & 127)
  }
}

extension PluginProcessor {
  /// The program that MIDI has asked for last since the last call; nil if there was none. Any thread but the audio thread.
  package func takeProgramChange() -> ProgramChange? {
    let number = tally.counts.pointee.program.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : ProgramChangeReader.program(number)
  }
}
