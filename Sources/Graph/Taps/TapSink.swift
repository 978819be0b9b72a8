// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// The audio thread's half of a tap: measures a bus, and copies it for the thread that drains the tap.
///
/// It has one input bus and no output. It always measures levels. Between two absolute frames it also copies each
/// frame into a ring that one other thread drains. Frames that do not fit are counted as lost, at their position.
@safe package final class TapSink: Processor, @unchecked Sendable {
  /// The number of channels of the tapped bus.
  package let channelCount: Int
  let ring: FrameRing
  /// Losses, from the audio thread to the draining thread.
  let losses = RecordRing<Loss>(capacity: 256, filler: Loss(recording: 0, position: 0))
  let meters: LevelMeters

  // Written by the control thread. Incrementing `request` starts a recording and publishes the two values below.
  let request = Atomic(0)
  // `Int64.min` starts at the first frame that arrives.
  let startFrame = Atomic(Int64.min)
  let stopFrame = Atomic(Int64.max)
  // Written by the audio thread. Storing `begun` publishes `firstFrame` and `firstPosition`.
  let begun = Atomic(0)
  let ended = Atomic(0)
  let firstFrame = Atomic(Int64(0))
  let firstPosition = Atomic(0)
  let lost = Atomic(0)

  private let audio: UnsafeMutablePointer<AudioSide>
  let drained: UnsafeMutablePointer<DrainSide>

  /// State that only the audio thread uses.
  private struct AudioSide {
    var recording = 0
    var isRecording = false
    var next: Int64 = 0
    /// The lost frames that are not yet reported, and how many of them did not fit into the ring.
    var pending = 0, overrun = 0
  }

  /// State that only the draining thread uses.
  struct DrainSide {
    var recording = 0
    var frame: Int64 = 0
  }

  /// Creates a tap. Control threads only.
  ///
  /// - Parameters:
  ///   - channelCount: the bus's channels, at least 1.
  ///   - capacity: the ring's capacity in frames, rounded up to a power of two. Four seconds or more bridge a stalled
  ///     disk.
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
    // A reader that loads one of these values and then finds `request` unchanged has loaded that recording's value.
    firstFrame.store(first, ordering: .releasing)
    firstPosition.store(ring.writePosition, ordering: .releasing)
    lost.store(0, ordering: .relaxed)
    begun.store(recording, ordering: .releasing)
  }

  /// Copies the requested part of the block, and counts the frames before it that never arrived.
  @_noLocks @_noAllocation private func keep(_ bus: InputBus, at frame: Int64) {
    let next = unsafe audio.pointee.next
    let stop = max(stopFrame.load(ordering: .acquiring), next)
    let end = min(frame + Int64(bus.frameCount), stop)
    if end > next {
      let from = min(max(frame, next), end)
      recordLoss(Int(from - next), isOverrun: false)
      let count = Int(end - from)
      if count > 0 {
        // The preceding loss must be reported first, and only if the frames after it fit into the ring.
        let hasRoom = count > ring.writable ? false : settle()
        let isKept = hasRoom ? ring.write(bus, from: Int(from - frame), count: count) : false
        if !isKept { recordLoss(count, isOverrun: true) }
      }
      unsafe audio.pointee.next = end
    }
    if unsafe audio.pointee.next == stop, settle() {
      unsafe audio.pointee.isRecording = false
      unsafe ended.store(audio.pointee.recording, ordering: .releasing)
    }
  }

  @_noLocks @_noAllocation private func recordLoss(_ count: Int, isOverrun: Bool) {
    guard count > 0 else { return }
    unsafe audio.pointee.pending += count
    if isOverrun { unsafe audio.pointee.overrun += count }
    lost.add(count, ordering: .relaxed)
  }

  /// Reports the losses before the write position; returns false if the ring of losses is full.
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
