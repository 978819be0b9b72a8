// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import SwiftletFiles
@testable import SwiftletJack

extension FuzzTarget {
  /// Standard MIDI Files.
  static let midi = FuzzTarget(
    name: "midi",
    format: FuzzFormat(
      words: [
        Array("MThd".utf8), Array("MTrk".utf8), [0, 0, 0, 6], [0xFF, 0x51, 3], [0xFF, 0x2F, 0], [0xF0],
        [0x90],
      ]),
    seeds: {
      let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 2, 0, 96]
      let tempo: [UInt8] = [0, 0xFF, 0x51, 3, 7, 0xA1, 0x20, 0x83, 0x60, 0xFF, 0x2F, 0]
      let notes: [UInt8] = [0, 0x90, 60, 100, 0x60, 60, 0, 0, 0xF0, 2, 1, 0xF7, 0, 0xC0, 5, 0, 0xFF, 0x2F, 0]
      func track(_ events: [UInt8]) -> [UInt8] {
        Array("MTrk".utf8) + [0, 0, 0, UInt8(events.count)] + events
      }
      let timed = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0xE3, 80]
      return [head + track(tempo) + track(notes), timed + track(notes)]
    },
    feed: { bytes in
      var reader = MIDIFileReader(bytes, "a.mid")
      guard let score = try? reader.score() else { return false }
      for rate in [1000, 48_000, 1_536_000] {
        guard let file = try? MIDIFile(score, "a.mid", sampleRate: rate) else { continue }
        precondition(file.messages.allSatisfy { 0...file.length ~= $0.frame })
      }
      return true
    },
    plantedFault: { bytes in
      // Quarter notes per minute, computed from a tempo that may be 0.
      var reader = MIDIFileReader(bytes, "a.mid")
      for event in (try? reader.score())?.events ?? [] {
        if case .tempo(let microseconds) = event.content { precondition(60_000_000 / microseconds >= 0) }
      }
    })

  /// The cache of waveforms. The target corrects the checksum, because no mutator would find it.
  static let cache = FuzzTarget(
    name: "cache", format: FuzzFormat(), longest: 20_000,
    seeds: {
      guard let cacheStamp else { return [] }
      return [(1, 5), (2, 300)].compactMap { channels, count in
        WaveformOverview(
          sampleRate: 48_000, channelCount: channels, frameCount: 256 * count, framesPerBucket: 256,
          finest: Array(repeating: .init(low: -0.5, high: 0.5, rms: 0.3), count: channels * count)
        ).kept(of: "/a.wav", cacheStamp).map { Array($0.prefix(20_000)) }
      }
    },
    feed: { bytes in
      guard let cacheStamp,
        let overview = WaveformOverview(kept: summed(bytes, cacheStamp), of: "/a.wav", cacheStamp)
      else { return false }
      for channel in 0..<overview.channelCount {
        precondition(overview.total(of: channel).low.isFinite)
        _ = overview.columns(of: channel, in: -5..<Int.max, count: 7)
      }
      return true
    },
    plantedFault: { bytes in
      // A picture's height, computed from unchecked numbers.
      guard bytes.count >= 8 * 9 else { return }
      let words = bytes.withUnsafeBytes { bytes in
        (0..<9).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
      }
      guard words[5] < 128, words[7] > 0 else { return }
      precondition((Int(words[6]) + Int(words[7]) - 1) / Int(words[7]) >= 0)
    })

  /// The stamp of an arbitrary file.
  private static let cacheStamp = FileStamp("/")

  /// The bytes with a valid stamp and checksum.
  private static func summed(_ bytes: [UInt8], _ stamp: FileStamp) -> [UInt8] {
    guard bytes.count >= 32 else { return bytes }
    var bytes = bytes
    func put(_ word: UInt64, at place: Int) {
      withUnsafeBytes(of: word) { word in bytes.replaceSubrange(place..<place + 8, with: word) }
    }
    put(UInt64(bitPattern: Int64(stamp.size)), at: 16)
    put(UInt64(bitPattern: Int64(stamp.changed)), at: 24)
    put(WaveformCache.hash(bytes, from: 16), at: 8)
    return bytes
  }

  /// The server slots in the shared memory of jackd2.
  static let registry = FuzzTarget(
    name: "registry",
    format: FuzzFormat(words: ["KCAJ", "jack-0:", "jack-0:swiftlet-1-1:"].map { Array($0.utf8) }),
    seeds: {
      var bytes = Array("KCAJ".utf8) + [UInt8](repeating: 0, count: 12) + [0x58, 0x08, 0, 0, 0, 0, 0, 0]
      for number in 0..<8 as Range<UInt8> {
        let name = Array("jack-0:swiftlet-1-\(number):".utf8)
        bytes += [number, 1, 0, 0] + name + [UInt8](repeating: 0, count: 260 - name.count)
      }
      return [bytes]
    },
    feed: { bytes in
      let registry = ServerRegistry(bytes, user: 0)
      precondition(registry.entries.allSatisfy { $0.process > 0 } && registry.entries.count <= 8)
      _ = registry.abandoned { _ in false }
      return !registry.entries.isEmpty
    },
    plantedFault: { bytes in
      // The last letter of a name that may be empty.
      for entry in ServerRegistry(bytes, user: 0).entries { precondition(!entry.name.isEmpty) }
    })
}
