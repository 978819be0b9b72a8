// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// How clips start and end. Audio thread only.
extension PlayerSource {
  /// Takes the clips that were handed over, while there are unused voices.
  @_noLocks @_noAllocation func takeIn(at frame: Int64) {
    guard !isSolo else { return }
    while voiceCount > 0, unsafe voices[voiceCount - 1].isFree { unsafe audio.pointee.voiceCount -= 1 }
    // Retry sources and replacements that were not available in the last block.
    for index in 0..<voiceCount where unsafe voices[index].isThere {
      if unsafe voices[index].isPendingPart { replace(with: index, at: frame) }
      if unsafe !voices[index].isWaiting, unsafe !voices[index].isHeld { settle(index) }
    }
    var index = 0
    while index < capacity {
      if index < voiceCount, unsafe !voices[index].isFree {
        index += 1
        continue
      }
      // A clip handed over after a stop that the audio thread has not seen yet waits for the next block.
      guard let clip = clips.peek(), unsafe clip.run <= audio.pointee.run else { return }
      _ = clips.pop()
      unsafe audio.pointee.status.lastTaken = clip.number
      // Publish immediately: control threads must no longer treat its source as unread.
      publish()
      unsafe audio.pointee.voiceCount = max(voiceCount, index + 1)
      unsafe voices[index] = ClipVoice(clip)
      if unsafe clip.run != audio.pointee.run {
        end(index, .stopped, at: frame)
      } else {
        updateParameters(of: clip)
        if clip.entrance.isPart { replace(with: index, at: frame) }
      }
    }
  }

  /// Updates a clip whose source was filled before the speed, varispeed or pitch changed.
  @_noLocks @_noAllocation private func updateParameters(of clip: Clip) {
    let (speed, varispeed, pitch) = unsafe (
      audio.pointee.speed, audio.pointee.varispeed, audio.pointee.pitch
    )
    if let speed, speed != clip.speed { unsafe setParameter(clip.source, .speed, to: speed) }
    if let varispeed, varispeed != clip.varispeed {
      unsafe setParameter(clip.source, .varispeed, to: varispeed)
    }
    if let pitch, pitch != clip.pitch { unsafe setParameter(clip.source, .pitch, to: pitch) }
  }

  /// Replaces the clip of the same item; ends the new clip if that item has none. If its source is not available, the
  /// clip waits for the next block.
  @_noLocks @_noAllocation private func replace(with index: Int, at frame: Int64) {
    let item = unsafe voices[index].clip.item
    for other in 0..<voiceCount where other != index {
      guard unsafe voices[other].isWaiting, unsafe voices[other].clip.item == item else { continue }
      unsafe voices[index].clip.start = unsafe voices[other].clip.start
      unsafe voices[index].clip.entrance = unsafe voices[other].clip.entrance
      unsafe voices[index].clip.crossfade = unsafe voices[other].clip.crossfade
      end(other, .replaced, at: frame)
      // The replaced clip may have been a replacement that waited for its source, too.
      guard unsafe voices[index].isPendingPart else { return }
    }
    for other in 0..<voiceCount where other != index {
      guard unsafe voices[other].isPlaying, unsafe voices[other].clip.item == item else { continue }
      guard hold(index) else { return }
      skipPlayedFrames(index, by: other)
      if isRunning {
        cutOff(other, .replaced)
      } else {
        end(other, .replaced, at: frame)
      }
      unsafe voices[index].state = .playing
      fadeIn(index)
      return
    }
    end(index, .replaced, at: frame)
  }

  /// Skips the frames that the replaced clip has played since this one was created, if this one continues from there.
  @_noLocks @_noAllocation private func skipPlayedFrames(_ index: Int, by other: Int) {
    guard let since = unsafe voices[index].clip.since else { return }
    guard let source = unsafe voices[index].clip.source else { return }
    let played = unsafe view(voices[other].clip.source).position - since
    let seen = unsafe view(source)
    let late = seen.frames(to: min(seen.position + max(played, 0), 1 << 60))
    let here = min(late, seen.available)
    unsafe skip(source, here)
    unsafe voices[index].lateFrames = min(late - here, seen.untilEnd - here)
  }

  /// Begins all clips that are due.
  @_noLocks @_noAllocation func enter(at frame: Int64) {
    // Each iteration begins one clip, and there are at most `voiceCount`.
    for _ in 0..<voiceCount {
      var next = -1
      let first = firstWaiting
      for index in 0..<voiceCount where unsafe voices[index].isWaiting {
        if unsafe voices[index].isPendingPart { continue }
        guard untilStart(index, behind: first, at: frame) == 0 else { continue }
        // Of two due clips, the one that interrupts begins first: it ends the other.
        if next < 0 ? true : isAhead(index, of: next) { next = index }
      }
      guard next >= 0, begin(next, at: frame) else { return }
    }
  }

  @_noLocks @_noAllocation private func isAhead(_ index: Int, of other: Int) -> Bool {
    let (a, b) = unsafe (voices[index].clip, voices[other].clip)
    if a.entrance.cutsIn != b.entrance.cutsIn { return a.entrance.cutsIn }
    return a.item < b.item
  }

  /// Begins a clip; returns false if its source is not available in this block.
  @_noLocks @_noAllocation private func begin(_ index: Int, at frame: Int64) -> Bool {
    guard hold(index) else { return false }
    let clip = unsafe voices[index].clip, last = lastPlaying(before: clip)
    for other in 0..<voiceCount where other != index {
      switch unsafe voices[other].state {
      case .playing:
        if clip.entrance.cutsIn ? true : isFollowed(other, by: clip, last) {
          crossfade(to: index, from: other)
        }
      case .waiting:
        // A clip that interrupts removes everything scheduled before it.
        guard clip.entrance.cutsIn, unsafe voices[other].clip.item < clip.item else { continue }
        end(other, .interrupted, at: frame)
      case .free, .crossing, .leaving, .over: continue
      }
    }
    unsafe voices[index].state = .playing
    if unsafe !voices[index].envelope.isMoving { fadeIn(index) }
    unsafe voices[index].began = frame
    reportPending(index)
    return true
  }

  /// Returns whether a playing clip must make room for a clip that waited for it: the one that ends last, and endless
  /// ones before it. The others end by themselves.
  @_noLocks @_noAllocation private func isFollowed(_ other: Int, by clip: Clip, _ last: Int) -> Bool {
    guard case .follows = clip.entrance else { return false }
    if other == last { return true }
    let before = unsafe voices[other].clip
    return before.repetitions.areEndless ? before.item < clip.item : false
  }

  /// Fades in a clip that does not start at its beginning, because of a seek.
  @_noLocks @_noAllocation private func fadeIn(_ index: Int) {
    guard unsafe view(voices[index].clip.source).position > 0 else { return }
    unsafe voices[index].envelope = Ramp(0)
    unsafe voices[index].fade(to: 1, over: fadeFrames, power: false)
  }

  /// Fades out one clip as another begins.
  @_noLocks @_noAllocation private func crossfade(to index: Int, from other: Int) {
    let (clip, before) = unsafe (voices[index].clip, voices[other].clip)
    let seen = view(of: other)
    let isNatural = clip.entrance.cutsIn ? false : !before.repetitions.areEndless
    guard clip.crossfade > 0 else { return cutOff(other, .interrupted) }
    let length = min(clip.crossfade, untilEnd(before, seen))
    guard length > 0 else { return cutOff(other, .interrupted) }
    unsafe voices[other].state = .crossing
    unsafe voices[other].end = isNatural ? .finished : .interrupted
    unsafe voices[other].fade(to: 0, over: length, power: true)
    unsafe voices[index].envelope = Ramp(0)
    unsafe voices[index].fade(to: 1, over: length, power: true)
  }

  /// Fades out a clip over 5 ms, even if the player pauses.
  @_noLocks @_noAllocation func cutOff(_ index: Int, _ reason: ClipEnd) {
    unsafe voices[index].state = .leaving
    unsafe voices[index].end = reason
    unsafe voices[index].base = unsafe audio.pointee.pause.value
    unsafe voices[index].fade(to: 0, over: fadeFrames, power: false)
  }

  /// Ends the clips that have reached their end.
  @_noLocks @_noAllocation func leave(at frame: Int64) {
    for index in 0..<voiceCount {
      let voice = unsafe voices[index]
      switch voice.state {
      case .free, .waiting: continue
      case .over:
        end(index, voice.end, at: voice.endFrame)
        continue
      case .playing:
        guard view(of: index).isOver else { break }
        if isSolo { return endStream() }
        end(index, .finished, at: frame)
      case .crossing, .leaving:
        let isOver = view(of: index).isOver
        if isOver ? true : !voice.envelope.isMoving { end(index, voice.end, at: frame) }
      }
      reportPending(index)
      settle(index)
    }
    guard isPausing, unsafe !audio.pointee.pause.isMoving else { return }
    state = .stopped
    for index in 0..<voiceCount where unsafe voices[index].isHeld {
      if isSolo {
        giveBack(index)
      } else {
        unsafe publishPosition(voices[index].clip.source, at: nil, late: 0)
      }
    }
  }

  /// Ends a voice's clip; the voice becomes unused as soon as the end is reported.
  @_noLocks @_noAllocation func end(_ index: Int, _ reason: ClipEnd, at frame: Int64) {
    giveBack(index)
    unsafe voices[index].end = reason
    unsafe voices[index].endFrame = frame
    let isReported = reportPending(index) ? report(.ended(reason), index, at: frame) : false
    unsafe voices[index].state = isReported ? .free : .over
  }

  /// Sends the reports of a voice that did not fit into the ring before; returns false if they do not fit now.
  @discardableResult
  @_noLocks @_noAllocation func reportPending(_ index: Int) -> Bool {
    let voice = unsafe voices[index]
    if let began = voice.began {
      guard report(.began, index, at: began) else { return false }
      unsafe voices[index].began = nil
    }
    guard voice.repeated > 0 else { return true }
    guard report(.repeated(voice.repeated), index, at: voice.repetitionFrame) else { return false }
    unsafe voices[index].repeated = 0
    return true
  }

  @_noLocks @_noAllocation private func report(_ kind: ClipReport.Kind, _ index: Int, at frame: Int64) -> Bool
  {
    let clip = unsafe voices[index].clip
    return notes.push(ClipReport(kind: kind, clip: clip.number, item: clip.item, frame: frame))
  }
}
