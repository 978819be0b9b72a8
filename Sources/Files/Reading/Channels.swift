// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// A view of frames of sound: one pointer per channel, from a start frame on. It owns no memory.
///
/// All readers pass sound in this form. Samples are interleaved only where a library requires it.
struct Channels {
  /// The number of channels.
  let count: Int
  private let table: UnsafePointer<UnsafeMutablePointer<Float>>
  private let start: Int

  /// Creates a view of the first `count` channels of a pointer table, from frame `start` on.
  init(_ table: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, from start: Int = 0) {
    (self.table, self.count, self.start) = (table, count, start)
  }

  /// The address of the first frame of a channel.
  subscript(channel: Int) -> UnsafeMutablePointer<Float> { table[channel] + start }

  /// Returns the same channels from a later frame on.
  func from(_ frame: Int) -> Channels { Channels(table, count: count, from: start + frame) }

  /// Returns the first `count` channels.
  func first(_ count: Int) -> Channels { Channels(table, count: count, from: start) }

  /// Clears `frames` frames to silence.
  func clear(_ frames: Int) {
    guard frames > 0 else { return }
    for channel in 0..<count { self[channel].update(repeating: 0, count: frames) }
  }

  /// Copies `frames` frames from a source that has at least as many channels.
  func copy(_ source: Channels, _ frames: Int) {
    guard frames > 0 else { return }
    for channel in 0..<count { self[channel].update(from: source[channel], count: frames) }
  }

  /// Mixes frames of other channels into these, as a wire does; see ``ChannelRule``.
  ///
  /// - Parameter isAdding: whether to add to the existing frames; otherwise they are replaced. The default is false.
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

  /// Copies interleaved frames into the channels.
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

  /// Copies frames from the channels, interleaved.
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

  /// Returns one array of `frames` samples per channel.
  func arrays(_ frames: Int) -> [[Float]] {
    (0..<count).map { Array(UnsafeBufferPointer(start: self[$0], count: frames)) }
  }
}
