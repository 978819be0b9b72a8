// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// A snapshot of a clip's source, as the audio thread sees it.
struct ClipView: BitwiseCopyable {
  /// The number of readable frames, and of frames until the end; `Int.max` until the end is known.
  var available = 0, untilEnd = Int.max
  /// The pending seek, for which the prefetch thread needs the source.
  var goal = StreamGoal.stay
  /// Whether the prefetch thread has restarted elsewhere in the file since the source was last read.
  var isRefilled = false
  /// The position in the sound, and the playback rate in file frames per output frame.
  var position = 0, advance = 1.0
  /// The next timeline frame; nil if the ring's content does not belong to the timeline.
  var timelineFrame: Int64?

  /// The view without a source.
  @_noLocks @_noAllocation init() {}

  /// Whether the end has been reached.
  var isOver: Bool { @_noLocks @_noAllocation get { untilEnd == 0 } }

  /// Returns the number of output frames until a position in the sound is reached.
  @_noLocks @_noAllocation func frames(to there: Int) -> Int {
    guard advance != 1 else { return max(there - position, 0) }
    return Int(min(max(-rt_floor_double(-Double(there - position) / advance), 0), 0x1p50))
  }
}

/// How clips are mixed. Audio thread only.
extension PlayerSource {
  /// Returns the view of a voice's source. The end is unknown while the prefetch thread holds the source.
  @_noLocks @_noAllocation func view(of index: Int) -> ClipView {
    var seen = unsafe view(voices[index].clip.source)
    if unsafe !voices[index].isHeld { seen.untilEnd = .max }
    return seen
  }

  /// Adds the output of all voices to a range of the block.
  @_noLocks @_noAllocation func play(_ bus: OutputBus, from start: Int, count: Int, at frame: Int64) {
    let isRunning = isRunning
    for index in 0..<voiceCount {
      switch unsafe voices[index].state {
      case .free, .waiting, .over: continue
      case .playing, .crossing: guard isRunning else { continue }
      case .leaving: break
      }
      play(index, bus, from: start, count: count, at: frame)
      unsafe voices[index].envelope.skip(count)
      unsafe voices[index].duck.skip(count)
    }
    unsafe audio.pointee.gain.skip(count)
    guard isRunning else { return }
    unsafe audio.pointee.pause.skip(count)
    unsafe audio.pointee.status.time += Int64(count)
  }

  @_noLocks @_noAllocation private func play(
    _ index: Int, _ bus: OutputBus, from start: Int, count: Int, at frame: Int64
  ) {
    var voice = unsafe voices[index]
    guard voice.isHeld, let source = unsafe voice.clip.source else { return }
    unsafe claim(source, voice.lateFrames + count)
    let before = unsafe view(source)
    let late = min(voice.lateFrames, before.available)
    if late > 0 {
      unsafe skip(source, late)
      voice.lateFrames -= late
      if isSolo {
        // A player that fades out continues to do so.
        if !isPausing { fadeIn() }
      } else {
        voice.duck = Ramp(0)
        voice.duck.glide(to: 1, over: fadeFrames)
      }
    }
    unsafe publishPosition(source, at: frame, late: voice.lateFrames)
    let wanted = min(count, before.untilEnd - late)
    unsafe voices[index] = voice
    let here = unsafe add(
      source, voice, to: bus, from: start, count: min(wanted, before.available - late))
    if here < wanted {
      unsafe audio.pointee.status.underruns &+= 1
      unsafe audio.pointee.status.missedFrames &+= wanted - here
      unsafe voices[index].lateFrames += wanted - here
      unsafe publishPosition(
        source, at: frame &+ Int64(wanted), late: voices[index].lateFrames, missed: wanted - here)
    }
    guard voice.isPlaying, voice.clip.repetitions.count > 1 else { return }
    let (past, now) = unsafe (before.position, view(source).position)
    let repetitions = voice.clip.repetitions.begun(at: now)
    guard repetitions > voice.clip.repetitions.begun(at: past) else { return }
    let point = voice.clip.repetitions.first + (repetitions - 1) * voice.clip.repetitions.length
    unsafe voices[index].repeated = repetitions
    unsafe voices[index].repetitionFrame = frame + Int64(before.frames(to: point))
    reportPending(index)
  }

  /// Adds frames of a source to the bus, with gain and fades, and returns their number: it can be lower than `count`,
  /// since the prefetch thread may be retracting frames.
  @_noLocks @_noAllocation private func add(
    _ source: UnsafeRawPointer, _ voice: ClipVoice, to bus: OutputBus, from start: Int, count: Int
  ) -> Int {
    let (gain, pause) = unsafe (audio.pointee.gain, audio.pointee.pause)
    var isShaped = voice.isShaped
    if gain.isMoving { isShaped = true }
    if pause.isMoving { isShaped = true }
    let isLeaving = voice.isLeaving
    let rest = gain.value * (isLeaving ? voice.base : pause.value)
    if rest != 1 { isShaped = true }
    var done = 0
    while done < count {
      let length = unsafe min(run(of: source), count - done)
      guard length > 0 else { return done }
      for channel in 0..<min(bus.channelCount, channelCount) {
        let (from, to) = unsafe (samples(of: source, channel), bus[channel])
        if isShaped {
          for frame in 0..<length {
            let after = done + frame + 1
            let level = voice.level(after: after) * gain.value(after: after)
            let own = isLeaving ? voice.base : pause.value(after: after)
            to[start + done + frame] += from[frame] * (level * own)
          }
        } else {
          for frame in 0..<length { to[start + done + frame] += from[frame] }
        }
      }
      unsafe skip(source, length)
      done += length
    }
    return done
  }
}

/// Calls through the sources' pointers, which the compiler cannot check; the calls are direct.
extension PlayerSource {
  /// Takes a voice's source for reading; returns false if the prefetch thread holds it.
  @_noLocks @_noAllocation func hold(_ index: Int) -> Bool {
    guard unsafe !voices[index].isHeld else { return true }
    let isHeld = unsafe hold(voices[index].clip.source)
    unsafe voices[index].isHeld = isHeld
    return isHeld
  }

  @_noLocks @_noAllocation func giveBack(_ index: Int, hasEnded: Bool = false) {
    guard unsafe voices[index].isHeld else { return }
    unsafe voices[index].isHeld = false
    unsafe giveBack(voices[index].clip.source, hasEnded)
  }

  /// Lends a voice's source to the prefetch thread if it needs it, and takes it back afterwards.
  @_noLocks @_noAllocation func settle(_ index: Int) {
    let voice = unsafe voices[index]
    guard !isSolo, voice.isThere else { return }
    let isAsked = unsafe !view(voice.clip.source).goal.isStay
    // A stopped voice is silent, and its fades are stopped too.
    let isHeard = voice.isLeaving ? true : isRunning
    guard voice.isHeld else {
      guard !isAsked, hold(index) else { return }
      unsafe voices[index].duck = Ramp(isHeard ? 0 : 1)
      if isHeard { unsafe voices[index].duck.glide(to: 1, over: fadeFrames) }
      return
    }
    guard isAsked else { return }
    if !isHeard {
      giveBack(index)
    } else if voice.duck.target != 0 {
      unsafe voices[index].duck.glide(to: 0, over: fadeFrames)
    } else if !voice.duck.isMoving {
      giveBack(index)
    }
  }

  @_semantics("no_performance_analysis")
  private func hold(_ source: UnsafeRawPointer?) -> Bool {
    guard let source = unsafe source else { return false }
    return unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.hold() }
  }

  @_semantics("no_performance_analysis")
  private func giveBack(_ source: UnsafeRawPointer?, _ hasEnded: Bool) {
    guard let source = unsafe source else { return }
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef {
      $0.giveBack(hasEnded: hasEnded)
    }
  }

  @_semantics("no_performance_analysis")
  func followGoal(_ source: UnsafeRawPointer?) -> Bool {
    guard let source = unsafe source else { return true }
    return unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.followGoal() }
  }

  @_semantics("no_performance_analysis")
  func rewind(_ source: UnsafeRawPointer?) {
    guard let source = unsafe source else { return }
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.rewind() }
  }

  @_semantics("no_performance_analysis")
  private func claim(_ source: UnsafeRawPointer, _ count: Int) {
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.ring.claim(count) }
  }

  @_semantics("no_performance_analysis")
  func view(_ source: UnsafeRawPointer?) -> ClipView {
    guard let source = unsafe source else { return ClipView() }
    return unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.view }
  }

  @_semantics("no_performance_analysis")
  func skip(_ source: UnsafeRawPointer, _ count: Int) {
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.pass(count) }
  }

  @_semantics("no_performance_analysis")
  func publishPosition(_ source: UnsafeRawPointer?, at frame: Int64?, late: Int, missed: Int = 0) {
    guard let source = unsafe source else { return }
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef {
      $0.publishPosition(at: frame, late: late, missed: missed)
    }
  }

  @_semantics("no_performance_analysis")
  private func run(of source: UnsafeRawPointer) -> Int {
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef { $0.ring.readableRun }
  }

  @_semantics("no_performance_analysis")
  private func samples(of source: UnsafeRawPointer, _ channel: Int) -> Samples {
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef {
      $0.ring.samples(of: channel)
    }
  }

  @_semantics("no_performance_analysis")
  func setParameter(_ source: UnsafeRawPointer?, _ parameter: StreamSource.Parameter, to value: Float) {
    guard let source = unsafe source else { return }
    unsafe Unmanaged<StreamSource>.fromOpaque(source)._withUnsafeGuaranteedRef {
      $0.setParameter(parameter, to: value)
    }
  }
}
