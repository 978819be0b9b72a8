// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// When clips begin. All of it is the audio thread's.
extension PlayerSource {
  /// The item of the first clip that waits; `Int.max` for none. Looked for once, not for each clip that waits.
  var firstWaiting: Int {
    @_noLocks @_noAllocation get {
      var first = Int.max
      for index in 0..<places where unsafe voices[index].isWaiting {
        if unsafe !voices[index].isPendingPart { first = unsafe min(first, voices[index].clip.item) }
      }
      return first
    }
  }

  /// In how many frames a waiting clip begins; `Int.max` where that is not to be seen yet.
  @_noLocks @_noAllocation
  func untilStart(_ index: Int, behind first: Int, at frame: Int64) -> Int {
    let clip = unsafe voices[index].clip
    // Only the first of those that wait for each other is looked at.
    let isBehind = clip.entrance.isAtOnce ? false : clip.entrance.cutsIn ? false : first < clip.item
    if isBehind { return .max }
    guard let time = untilTime(clip.start, at: frame) else { return .max }
    return clip.entrance.isAtOnce ? time : untilFree(clip, from: time)
  }

  /// In how many frames those before a clip make room for it, `time` at least.
  @_noLocks @_noAllocation private func untilFree(_ clip: Clip, from time: Int) -> Int {
    let last = lastPlaying(before: clip)
    guard last >= 0 else { return time }
    let (before, seen) = unsafe (voices[last].clip, view(of: last))
    if !clip.entrance.cutsIn, !before.turns.areEndless {
      guard clip.crossfade > 0 else { return max(time, seen.untilEnd) }
      return max(time, max(untilEnd(before, seen) - clip.crossfade, 0))
    }
    // At the first loop point from its time on.
    let there = Double(time) * seen.advance
    let from = seen.place + Int(there < 0x1p50 ? there : 0x1p50)
    guard let point = before.turns.point(from: from) else { return max(time, seen.untilEnd) }
    return max(time, seen.frames(to: point))
  }

  /// The place of the clip that ends last of those that play and that a clip waits for, or cuts off: of several without end
  /// the one scheduled last; -1 for none.
  @_noLocks @_noAllocation func lastPlaying(before clip: Clip) -> Int {
    var last = -1, end = 0
    for index in 0..<places where unsafe voices[index].isPlaying {
      let other = unsafe voices[index].clip
      guard clip.entrance.cutsIn ? true : other.item < clip.item else { continue }
      let left = other.turns.areEndless ? Int.max : untilEnd(other, view(of: index))
      let isLater = unsafe last < 0 ? true : left == end ? other.item > voices[last].clip.item : left > end
      if isLater { (last, end) = (index, left) }
    }
    return last
  }

  /// How many frames a clip still sounds, as far as that can be told before its end has been read.
  @_noLocks @_noAllocation func untilEnd(_ clip: Clip, _ seen: ClipView) -> Int {
    clip.length == .max ? seen.untilEnd : min(seen.untilEnd, max(seen.frames(to: clip.length), 0))
  }

  /// In how many frames a time comes; 0 where it has passed, nil where it is not known.
  @_noLocks @_noAllocation private func untilTime(_ start: ClipStart, at frame: Int64) -> Int? {
    switch start {
    case .next: return 0
    case .frame(let time): return Int(max(time, frame) - frame)
    case .playerTime(let time):
      return
        unsafe Int(max(time, audio.pointee.status.time) - audio.pointee.status.time)
    case .beat(let beat):
      let now = unsafe audio.pointee.transport
      guard now.isRolling, now.tempo > 0 else { return nil }
      let there = (Double(now.bar) - 1) * Double(now.beatsPerBar) + now.beat
      let passed = unsafe Double(frame - audio.pointee.transportFrame)
      let left = (beat - there) * 60 / now.tempo * sampleRate - passed
      if left <= 0 { return 0 }
      // A leader that sends nonsense, such as no number, must not trap the audio thread.
      guard left < 0x1p40 else { return nil }
      // Just before a frame is on it.
      return max(-Int(rt_floor_double(1e-6 - left)), 0)
    }
  }
}
