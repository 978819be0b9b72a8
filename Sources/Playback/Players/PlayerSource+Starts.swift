// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// When clips begin. Audio thread only.
extension PlayerSource {
  /// The item of the first waiting clip; `Int.max` for none. Computed once, not for each waiting clip.
  var firstWaiting: Int {
    @_noLocks @_noAllocation get {
      var first = Int.max
      for index in 0..<voiceCount where unsafe voices[index].isWaiting {
        if unsafe !voices[index].isPendingPart { first = unsafe min(first, voices[index].clip.item) }
      }
      return first
    }
  }

  /// Returns the number of frames until a waiting clip begins; `Int.max` if that is not known yet.
  @_noLocks @_noAllocation
  func untilStart(_ index: Int, behind first: Int, at frame: Int64) -> Int {
    let clip = unsafe voices[index].clip
    // Of the clips that wait for each other, only the first can begin.
    let isBehind = clip.entrance.isAtOnce ? false : clip.entrance.cutsIn ? false : first < clip.item
    if isBehind { return .max }
    guard let time = untilTime(clip.start, at: frame) else { return .max }
    return clip.entrance.isAtOnce ? time : untilFree(clip, from: time)
  }

  /// Returns the number of frames until the clips before a clip make room for it, at least `time`: until their end,
  /// less the crossfade, or until a loop point if the clip cuts in or the clip before it is endless.
  @_noLocks @_noAllocation private func untilFree(_ clip: Clip, from time: Int) -> Int {
    let last = lastPlaying(before: clip)
    guard last >= 0 else { return time }
    let (before, seen) = unsafe (voices[last].clip, view(of: last))
    if !clip.entrance.cutsIn, !before.repetitions.areEndless {
      guard clip.crossfade > 0 else { return max(time, seen.untilEnd) }
      return max(time, max(untilEnd(before, seen) - clip.crossfade, 0))
    }
    // The first loop point at or after the clip's start time.
    let there = Double(time) * seen.advance
    let from = seen.position + Int(there < 0x1p50 ? there : 0x1p50)
    guard let point = before.repetitions.point(from: from) else { return max(time, seen.untilEnd) }
    return max(time, seen.frames(to: point))
  }

  /// Returns the index of the clip that ends last among those that a clip waits for or cuts off; of several endless
  /// clips, the one scheduled last; -1 for none.
  @_noLocks @_noAllocation func lastPlaying(before clip: Clip) -> Int {
    var last = -1, end = 0
    for index in 0..<voiceCount where unsafe voices[index].isPlaying {
      let other = unsafe voices[index].clip
      guard clip.entrance.cutsIn ? true : other.item < clip.item else { continue }
      let left = other.repetitions.areEndless ? Int.max : untilEnd(other, view(of: index))
      let isLater = unsafe last < 0 ? true : left == end ? other.item > voices[last].clip.item : left > end
      if isLater { (last, end) = (index, left) }
    }
    return last
  }

  /// Returns the number of frames that a clip still plays, as far as known before its end has been read.
  @_noLocks @_noAllocation func untilEnd(_ clip: Clip, _ seen: ClipView) -> Int {
    clip.length == .max ? seen.untilEnd : min(seen.untilEnd, max(seen.frames(to: clip.length), 0))
  }

  /// Returns the number of frames until a start time; 0 if it has passed, nil if it is not known.
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
      // Invalid values from a timebase source, such as NaN, must not trap the audio thread.
      guard left < 0x1p40 else { return nil }
      // 1e-6 absorbs rounding errors: a time just before a frame counts as that frame.
      return max(-Int(rt_floor_double(1e-6 - left)), 0)
    }
  }
}
