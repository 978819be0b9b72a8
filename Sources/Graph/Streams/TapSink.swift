// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// The audio thread's half of a tap: it measures a bus, and copies it for whoever drains it.
///
/// Its one input bus goes nowhere else; it has no output. It always measures. Between two
/// absolute frames it also copies every frame into a ring that one other thread drains. What
/// finds no room is counted, and its place kept.
@safe package final class TapSink: Processor, @unchecked Sendable {
  /// How many channels it listens to.
  package let channelCount: Int
  let ring: FrameRing
  /// The audio thread tells the draining thread of them.
  let losses = RecordRing<Loss>(capacity: 256, filler: Loss(recording: 0, position: 0))
  let meters: LevelMeters

  // Asked by the control thread. `request` goes up with each recording and hands the other two over.
  let request = Atomic(0)
  // A start of `Int64.min` is the first frame that comes.
  let startFrame = Atomic(Int64.min)
  let stopFrame = Atomic(Int64.max)
  // Answered by the audio thread, in the same way.
  let begun = Atomic(0)
  let ended = Atomic(0)
  let firstFrame = Atomic(Int64(0))
  let firstPosition = Atomic(0)
  let lost = Atomic(0)

  private let audio: UnsafeMutablePointer<AudioSide>
  let drained: UnsafeMutablePointer<DrainSide>

  /// What only the audio thread touches.
  private struct AudioSide {
    var recording = 0
    var isRecording = false
    var next: Int64 = 0
    /// Frames that are lost and not told of yet, and how many of them found no room.
    var pending = 0, overrun = 0
  }

  /// What only the draining thread touches.
  struct DrainSide {
    var recording = 0
    var frame: Int64 = 0
  }

  /// Makes a tap. Control thread.
  ///
  /// - Parameters:
  ///   - channelCount: channels of the bus, 1 or more.
  ///   - capacity: how many frames wait at most to be drained; rounded up to a power of two. Four seconds or
  ///     more outlast a disk that stalls.
  package init(channelCount: Int, capacity: Int = 1 << 18) {
    self.channelCount = max(channelCount, 1)
    ring = FrameRing(channelCount: channelCount, capacity: capacity)
    meters = LevelMeters(channelCount: self.channelCount)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(to: AudioSide())
    unsafe drained = .allocate(capacity: 1)
    unsafe drained.initialize(to: DrainSide())
    super.init()
  }

  deinit {
    unsafe audio.deallocate()
    unsafe drained.deallocate()
  }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    let bus = block.input()
    meters.measure(bus)
    let asked = request.load(ordering: .acquiring)
    if unsafe asked != audio.pointee.recording { begin(asked, at: block.frame) }
    guard unsafe audio.pointee.isRecording else { return }
    keep(bus, at: block.frame)
  }

  @_noLocks @_noAllocation private func begin(_ recording: Int, at frame: Int64) {
    let start = startFrame.load(ordering: .relaxed)
    let first = start == .min ? frame : start
    unsafe audio.pointee = AudioSide(recording: recording, isRecording: true, next: first)
    // Who reads one of these, and then finds the request unchanged, has read what belongs to it.
    firstFrame.store(first, ordering: .releasing)
    firstPosition.store(ring.writePosition, ordering: .releasing)
    lost.store(0, ordering: .relaxed)
    begun.store(recording, ordering: .releasing)
  }

  /// Copies the part of the block that is asked for, and counts what should have come before it and did not.
  @_noLocks @_noAllocation private func keep(_ bus: InputBus, at frame: Int64) {
    let next = unsafe audio.pointee.next
    let stop = max(stopFrame.load(ordering: .acquiring), next)
    let end = min(frame + Int64(bus.frameCount), stop)
    if end > next {
      let from = min(max(frame, next), end)
      lose(Int(from - next), isOverrun: false)
      let count = Int(end - from)
      if count > 0 {
        // The loss before goes first, and only if the sound behind it will find room.
        let hasRoom = count > ring.writable ? false : settle()
        let isKept = hasRoom ? ring.write(bus, from: Int(from - frame), count: count) : false
        if !isKept { lose(count, isOverrun: true) }
      }
      unsafe audio.pointee.next = end
    }
    if unsafe audio.pointee.next == stop, settle() {
      unsafe audio.pointee.isRecording = false
      unsafe ended.store(audio.pointee.recording, ordering: .releasing)
    }
  }

  @_noLocks @_noAllocation private func lose(_ count: Int, isOverrun: Bool) {
    guard count > 0 else { return }
    unsafe audio.pointee.pending += count
    if isOverrun { unsafe audio.pointee.overrun += count }
    lost.add(count, ordering: .relaxed)
  }

  /// Tells the draining thread of the losses before this place; false where even that finds no room yet.
  @_noLocks @_noAllocation private func settle() -> Bool {
    let (recording, count) = unsafe (audio.pointee.recording, audio.pointee.pending)
    guard count > 0 else { return true }
    var loss = Loss(recording: recording, position: ring.writePosition)
    loss.count = count
    unsafe loss.overrun = audio.pointee.overrun
    guard losses.push(loss) else { return false }
    unsafe audio.pointee.pending = 0
    unsafe audio.pointee.overrun = 0
    return true
  }
}
