// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization

/// An offline engine with one player, mono by default, and a log of its items' events.
final class PlayerRig {
  let engine: AudioEngine
  let player: PlayerNode
  let output: AudioNode
  let log = EventLog()
  private let channels: Int
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  init(channels: Int = 1, rate: Double = 8000, ceiling: Float? = nil) throws {
    self.channels = channels
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    engine = try AudioEngine(.offline(sampleRate: rate, longestBlock: 1000))
    player = try PlayerNode(engine, channels: channels)
    output = try engine.attach(.playback(channels: channels, ceiling: ceiling))
    try engine.connect(player.node, output)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file of floats.
  func file(_ name: String, _ channels: [[Float]], rate: Int = 8000) throws -> String {
    let path = folder + "/" + name
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path, named: path.hasSuffix(".flac") ? nil : "32-float"),
      sampleRate: Double(rate), channelCount: channels.count)
    try writer.write(channels)
    try writer.close()
    return path
  }

  /// Returns the first channel of the next frames.
  func render(_ count: Int, block: Int = 64) throws -> [Float] { try renderAll(count, block: block)[0] }

  func renderAll(_ count: Int, block: Int = 64) throws -> [[Float]] {
    var result = [[Float]](repeating: [], count: channels), left = count
    while left > 0 {
      let heard = try engine.render(min(block, left))[output]
      for channel in 0..<channels { result[channel] += heard?[channel] ?? [] }
      left -= block
    }
    return result
  }
}

/// The reported events, in order, with their frames.
final class EventLog: Sendable {
  private let events = Mutex<[PlayerEvent]>([])

  var all: [PlayerEvent] { events.withLock { $0 } }
  func add(_ event: PlayerEvent) { events.withLock { $0.append(event) } }

  /// Returns the frames of the events of one kind.
  func frames(_ kind: PlayerEvent.Kind) -> [Int64] { all.filter { $0.kind == kind }.map(\.time.frame) }

  /// Returns the kinds of an item's events, in order.
  func kinds(of item: PlayerItem) -> [PlayerEvent.Kind] { all.filter { $0.item == item }.map(\.kind) }
}

/// Returns frames that all differ: numbers from `first` on, divided by 2²⁰.
func staircase(_ count: Int, from first: Int = 0) -> [Float] {
  (0..<count).map { Float(first + $0) / 1_048_576 }
}

func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

/// Returns a sine at half of full scale.
func sine(_ count: Int, _ frequency: Double, rate: Double) -> [Float] {
  (0..<count).map { frame in
    let phase = 2 * Double.pi * frequency * Double(frame) / rate
    return Float(0.5 * sin(phase))
  }
}

/// Returns the remaining level in a frame of a fade of 5 ms at 8 kHz.
func falling(_ frame: Int) -> Float { 1 - Float(frame + 1) / 40 }
