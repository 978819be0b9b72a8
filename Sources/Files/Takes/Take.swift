// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// A take that is being recorded: its tap, its file and its progress.
// @unchecked: the writer thread uses `file`, `peak` and `failure` until the take is over, then the thread that finishes
// the take does; the finishing queue synchronizes the two. All other properties are atomic, locked or constant.
final class Take: @unchecked Sendable {
  let request: TakeRecorder.Request
  let file: TakeFile
  let written = Atomic(0)
  let lost = Atomic(0)
  /// The number of lost frames that found no room in the ring. Writer thread.
  private var overrun = 0
  /// The paused ranges, in absolute frames. The last may be open-ended.
  private let pauses = Mutex<[Range<Int64>]>([])
  private let stopping = Atomic(false)
  private var peak: Float = 0
  private var failure: String?
  private var lastDrain = ContinuousClock.now
  private var nextCheck = ContinuousClock.now + Take.checkInterval
  /// Whether the last check of the file's name ended with an error.
  private var hasNameFault = false
  /// The `errno` from flushing the file to the disk; 0 if there was none. Set by the syncing thread.
  private let flushFailure = Atomic<Int32>(0)
  private let hasNoMore = Atomic(false)

  /// The number of frames to collect before writing: a few large writes are cheaper for a disk than many small ones.
  private static let batch = 4096
  private static let drainInterval = Duration.milliseconds(100)
  /// The interval between two checks of the file's name.
  private static let checkInterval = Duration.seconds(1)

  init(_ request: TakeRecorder.Request, sampleRate: Int, prepare: ((FileSink) -> Void)?) throws(FileError) {
    self.request = request
    file = try TakeFile(
      request.path, beneath: request.root, format: request.format, sampleRate: sampleRate,
      channelCount: request.sink.channelCount,
      origin: request.origin, overwrites: request.overwrites, prepare: prepare)
  }

  /// Whether the take's end has been requested.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Ends the take before a frame, or as soon as possible if nil. Control thread.
  func stop(at frame: Int64?) {
    stopping.store(true, ordering: .releasing)
    request.sink.stop(at: frame)
  }

  /// Ends the take with the sound that has arrived; no more will arrive. Control thread.
  func endWithSound() {
    if !isStopping { stop(at: nil) }
    hasNoMore.store(true, ordering: .releasing)
  }

  /// Pauses or resumes the take at an absolute frame. Frames that were already written stay. Control thread.
  func pause(_ isPaused: Bool, at frame: Int64) {
    pauses.withLock { pauses in
      let isOpen = pauses.last?.upperBound == .max
      guard isOpen != isPaused else { return }
      if isPaused {
        pauses.append(frame..<Int64.max)
      } else if let last = pauses.popLast(), last.lowerBound < frame {
        pauses.append(last.lowerBound..<frame)
      }
    }
  }

  /// The writer thread's expectation of further sound.
  enum ExpectedSound {
    /// More sound may arrive.
    case open
    /// No more sound will arrive, as expected.
    case over
    /// More sound should have arrived, but did not.
    case late
  }

  /// Writes the frames that have arrived once there are enough of them. Returns true once the take is over. Writer
  /// thread.
  func advance(_ outlook: ExpectedSound) -> Bool {
    let sink = request.sink, outlook = hasNoMore.load(ordering: .acquiring) ? .over : outlook
    let isLast = outlook != .open
    let isEnding = isLast || isStopping || !sink.isRecording
    let now = ContinuousClock.now
    guard isEnding || sink.waitingFrames >= Take.batch || now - lastDrain >= Take.drainInterval else {
      return false
    }
    lastDrain = now
    do throws(FileError) {
      try sink.drain { run throws(FileError) in try write(run) }
      try file.writer.updateHeader()
      if file.rescue != nil || now >= nextCheck {
        keepInPlace(now)
      }
      let number = flushFailure.load(ordering: .relaxed)
      if number != 0 { throw .writing(file.path, errno: number) }
    } catch {
      failure = "ended early: \(error)"
      sink.stop()
      return true
    }
    if sink.isDrained { return true }
    if isLast {
      if outlook == .late && !sink.isStoppingAnywhere { failure = "ended early: no more sound arrived" }
      sink.stop()
    }
    return isLast
  }

  /// Checks that the file's name still leads to the file. If the sound cannot be kept in place, the check is repeated
  /// after a second and at the take's end; until then the open file holds the sound.
  private func keepInPlace(_ now: ContinuousClock.Instant) {
    guard now >= nextCheck || !hasNameFault else { return }
    if now >= nextCheck { nextCheck = now + Take.checkInterval }
    do throws(FileError) {
      try file.keepInPlace()
      hasNameFault = false
    } catch {
      hasNameFault = true
    }
  }

  /// Flushes the written sound to the disk. Blocks on the disk, so it runs on the syncing thread.
  func flush() {
    let number = file.flush()
    if number != 0 { flushFailure.store(number, ordering: .relaxed) }
  }

  /// Writes the parts of a drained buffer that lie outside pauses.
  private func write(_ tapRun: TapRun) throws(FileError) {
    var frame = tapRun.frame
    let end = tapRun.frame + Int64(tapRun.count)
    for pause in pauses.withLock({ $0 }) where pause.upperBound > frame && pause.lowerBound < end {
      if pause.lowerBound > frame { try write(tapRun, frame..<pause.lowerBound) }
      frame = min(pause.upperBound, end)
    }
    if frame < end { try write(tapRun, frame..<end) }
  }

  private func write(_ tapRun: TapRun, _ frames: Range<Int64>) throws(FileError) {
    let count = frames.count
    if tapRun.isLost {
      lost.add(count, ordering: .relaxed)
      overrun += min(tapRun.overrunCount, count)
      try file.writeGap(count)
    } else {
      let start = Int(frames.lowerBound - tapRun.frame)
      let channels = (0..<tapRun.channelCount).map { tapRun[$0].unsafeBase + start }
      try file.writer.write(count) { first, run, mixed in
        for (channel, source) in channels.enumerated() {
          for frame in 0..<run {
            mixed[frame * channels.count + channel] = source[first + frame]
          }
          peak = max(peak, Samples(source + first, count: run).peak)
        }
      }
    }
    written.store(file.writer.frameCount, ordering: .relaxed)
  }

  /// Closes and encodes the file, and returns the report. Any one thread, once the take is over; may take long.
  func finish() -> TakeReport {
    var isPresent = true, unfinishedSound: String?
    let recorded = file.recorded
    // A take that stops before its first frame has no file, and is not a failure.
    let isDiscarded = recorded.frameCount == 0 && failure == nil
    var stored = recorded
    do throws(FileError) {
      if isDiscarded { file.discard() } else { stored = try file.finish() }
    } catch {
      unfinishedSound = file.abandon()
      failure = failure ?? "is not finished: \(error)"
      // Journaled sound has another name than the take.
      isPresent = file.isSoundUnderTakeName
    }
    let late = flushFailure.load(ordering: .acquiring)
    if failure == nil, late != 0 {
      failure = "may be incomplete: \(FileError.writing(file.path, errno: late))"
    }
    if let loss = file.loss {
      let isMoved = file.path != file.askedPath
      let what = isMoved ? "holds the take that was to be '\(file.askedPath)'" : "is not what was recorded"
      failure = (failure.map { $0 + "; " } ?? "") + "\(what): \(loss)"
    }
    // This part comes last, so that a program can append how it recovers takes.
    if let unfinishedSound {
      failure = (failure.map { $0 + "; " } ?? "") + "its sound is in '\(unfinishedSound)'; recover it"
    }
    // The file's rate may differ from the rate of the recorded sound.
    let (rate, storedRate) = (recorded.sampleRate, stored.sampleRate)
    return TakeReport(
      tap: request.tap, path: file.path, frameCount: stored.frameCount, sampleRate: Double(storedRate),
      peak: Decibels.meter(peak),
      lostFrames: SoundLength.frames(lost.load(ordering: .relaxed), from: rate, to: storedRate),
      overrunFrames: SoundLength.frames(overrun, from: rate, to: storedRate),
      gaps: file.gaps.converted(from: rate, to: storedRate), failure: failure,
      unfinishedSound: unfinishedSound, isPresent: isPresent, isDiscarded: isDiscarded)
  }

  var status: TakeStatus {
    TakeStatus(
      tap: request.tap, path: request.path, frameCount: written.load(ordering: .relaxed),
      lostFrames: request.sink.lostFrames)
  }
}
