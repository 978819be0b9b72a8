// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// Where frames of sound lie, or go: a run of memory for each channel, from a frame on.
///
/// Sound passes through all readers in this shape. Libraries that want channel beside channel are served where
/// they are called. A view: it owns nothing.
struct Channels {
  /// How many channels there are.
  let count: Int
  private let table: UnsafePointer<UnsafeMutablePointer<Float>>
  private let start: Int

  /// The first `count` channels of a table, from a frame on.
  init(_ table: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, from start: Int = 0) {
    (self.table, self.count, self.start) = (table, count, start)
  }

  /// The first frame of a channel.
  subscript(channel: Int) -> UnsafeMutablePointer<Float> { table[channel] + start }

  /// The same channels, from a later frame on.
  func from(_ frame: Int) -> Channels { Channels(table, count: count, from: start + frame) }

  /// The first channels alone.
  func first(_ count: Int) -> Channels { Channels(table, count: count, from: start) }

  /// Silences so many frames.
  func clear(_ frames: Int) {
    guard frames > 0 else { return }
    for channel in 0..<count { self[channel].update(repeating: 0, count: frames) }
  }

  /// Copies so many frames from elsewhere, which has as many channels or more.
  func copy(_ source: Channels, _ frames: Int) {
    guard frames > 0 else { return }
    for channel in 0..<count { self[channel].update(from: source[channel], count: frames) }
  }

  /// Mixes frames of other channels into these as a wire does: see ``ChannelRule``.
  ///
  /// - Parameter isAdding: whether they are added to the frames that are here; otherwise they replace them.
  func mix(_ source: Channels, _ frames: Int, isAdding: Bool = false) {
    switch ChannelRule(from: source.count, to: count) {
    case .mean:
      let share = 1 / Float(source.count)
      for part in 0..<source.count {
        mix(source[part], frames, to: 0, by: share, isAdding: isAdding || part > 0)
      }
    case .copied: for channel in 0..<count { mix(source[0], frames, to: channel, isAdding: isAdding) }
    case .inOrder:
      for channel in 0..<min(count, source.count) {
        mix(source[channel], frames, to: channel, isAdding: isAdding)
      }
      for channel in min(count, source.count)..<count where !isAdding {
        self[channel].update(repeating: 0, count: frames)
      }
    }
  }

  private func mix(
    _ source: UnsafeMutablePointer<Float>, _ frames: Int, to channel: Int, by factor: Float = 1,
    isAdding: Bool
  ) {
    let target = self[channel]
    if isAdding {
      for frame in 0..<frames { target[frame] += source[frame] * factor }
    } else {
      for frame in 0..<frames { target[frame] = source[frame] * factor }
    }
  }

  /// Takes frames that lie channel beside channel.
  func deinterleave(_ mixed: UnsafePointer<Float>, _ frames: Int) {
    switch count {
    case 1: self[0].update(from: mixed, count: frames)
    case 2:
      let (left, right) = (self[0], self[1])
      for frame in 0..<frames {
        left[frame] = mixed[2 * frame]
        right[frame] = mixed[2 * frame + 1]
      }
    default:
      for channel in 0..<count {
        let target = self[channel]
        for frame in 0..<frames { target[frame] = mixed[frame * count + channel] }
      }
    }
  }

  /// Lays frames channel beside channel.
  func interleave(_ frames: Int, to mixed: UnsafeMutablePointer<Float>) {
    switch count {
    case 1: mixed.update(from: self[0], count: frames)
    case 2:
      let (left, right) = (self[0], self[1])
      for frame in 0..<frames {
        mixed[2 * frame] = left[frame]
        mixed[2 * frame + 1] = right[frame]
      }
    default:
      for channel in 0..<count {
        let source = self[channel]
        for frame in 0..<frames { mixed[frame * count + channel] = source[frame] }
      }
    }
  }

  /// An array a channel, of so many frames.
  func arrays(_ frames: Int) -> [[Float]] {
    (0..<count).map { Array(UnsafeBufferPointer(start: self[$0], count: frames)) }
  }
}
