// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal

/// The test signal for the inputs of a graph that is measured, the same each time: white noise of −25 dBFS (RMS), and
/// chords.
///
/// It opens gates, drives compressors and makes synthesizers sound. One thread at a time reads a signal.
// @unchecked: only the thread that renders touches `state`.
package final class TestSignal: @unchecked Sendable {
  private var state: UInt32 = 1
  /// The duration of a chord, in frames.
  private let chordLength: Int64
  private static let chord: [UInt8] = [48, 55, 60, 64]

  /// Creates a signal at its beginning.
  package init(sampleRate: Double) { chordLength = max(Int64(sampleRate / 2), 1) }

  /// Fills a channel with the next noise.
  package func fill(_ samples: MutableSamples) {
    for frame in 0..<samples.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      samples[frame] = Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.1
    }
  }

  /// Adds the MIDI messages of a block whose first frame is `start`: a chord of four notes, repeated every half
  /// second.
  package func play(_ events: EventBuffer, from start: Int64, frameCount: Int) {
    let next = (start + chordLength - 1) / chordLength * chordLength
    guard next < start + Int64(frameCount) else { return }
    for (status, velocity) in [(UInt8(0x80), UInt8(0)), (0x90, 90)] where next > 0 || status == 0x90 {
      for note in Self.chord {
        let header = EventHeader(frame: next, type: EventHeader.midi, size: 3)
        withUnsafeBytes(of: (status, note, velocity)) { bytes in
          if let base = bytes.baseAddress { events.append(header, bytes: base) }
        }
      }
    }
  }
}
