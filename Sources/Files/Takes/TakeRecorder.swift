// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// Records any number of taps to files. One thread drains all taps.
///
/// A tap's ring holds the sound that the disk cannot accept in time. Frames that are lost when the ring is full become
/// silence in the take, are marked, and are listed in the report; later frames keep their positions.
package final class TakeRecorder: Sendable {
  /// A request to record one take.
  package struct Request: Sendable {
    /// The tap's name.
    package var tap: String
    /// The tap that supplies the sound. It serves one take at a time.
    package var sink: TapSink
    /// The path of the finished file.
    package var path: String
    /// The folder that ``path`` begins with and must not leave, not even by a symbolic link; nil, the default, for a
    /// path that a user chose.
    package var root: String?
    /// Container and encoding.
    package var format: RecordingFormat
    /// The absolute stream frame that becomes frame 0 of the take; nil, the default, for the next frame that arrives.
    package var startFrame: Int64?
    /// The origin that is stored in the file. Its date is the instant of frame 0.
    package var origin: TakeOrigin
    /// Whether an existing file is replaced. The default is false.
    package var overwrites: Bool

    /// Creates a request to record `sink` to `path`.
    package init(
      tap: String, sink: TapSink, path: String, format: RecordingFormat, startFrame: Int64? = nil,
      origin: TakeOrigin, overwrites: Bool = false, root: String? = nil
    ) {
      self.tap = tap
      self.sink = sink
      self.path = path
      self.format = format
      self.startFrame = startFrame
      self.origin = origin
      self.overwrites = overwrites
      self.root = root
    }
  }

  /// Frames per second.
  package let sampleRate: Int
  private let queue: TakeQueue
  private let prepare: (@Sendable (FileSink) -> Void)?

  /// Creates a recorder and starts its threads.
  ///
  /// - Parameter whenDone: called with each take's report, on a thread of the recorder.
  package convenience init(sampleRate: Int, whenDone: (@Sendable (TakeReport) -> Void)? = nil) {
    self.init(sampleRate: sampleRate, prepare: nil, whenDone: whenDone)
  }

  /// Creates a recorder; `prepare` receives each file before anything is written to it.
  init(
    sampleRate: Int, prepare: (@Sendable (FileSink) -> Void)?,
    whenDone: (@Sendable (TakeReport) -> Void)? = nil
  ) {
    self.sampleRate = sampleRate
    self.prepare = prepare
    let queue = TakeQueue(whenDone: whenDone)
    self.queue = queue
    CrashTakeFinisher.add(queue)
    startThread("swiftlet-writer") {
      queue.run()
    }
    startThread("swiftlet-syncer") {
      queue.runSync()
    }
  }

  deinit { queue.close() }

  /// Creates all files, then starts all takes. If one file cannot be created, the others are removed and no take
  /// starts.
  ///
  /// - Parameter instant: called once all files exist; returns a frame that has not passed. Each request's `startFrame`
  ///   then counts from that frame.
  /// - Throws: ``FileError`` if a file cannot be created.
  package func start(_ requests: [Request], from instant: (() -> Int64)? = nil) throws(FileError) {
    var takes: [Take] = []
    do throws(FileError) {
      for request in requests {
        takes.append(try Take(request, sampleRate: sampleRate, prepare: prepare))
      }
    } catch {
      for take in takes { take.file.discard() }
      throw error
    }
    // Creating files takes time, so the start frame is chosen only now.
    let beginning = instant.map { TapSink.possible($0()) }
    for request in requests {
      let start = request.startFrame.map(TapSink.possible)
      request.sink.record(from: beginning.map { $0 + (start ?? 0) } ?? start)
    }
    queue.add(takes)
  }

  /// Ends the takes of some taps, or of all if nil, before the absolute frame `frame`, or as soon as possible if nil.
  ///
  /// Returns at once. Reports follow when the files are finished.
  package func stop(taps: Set<String>? = nil, at frame: Int64? = nil) {
    for take in queue.active where taps?.contains(take.request.tap) ?? true { take.stop(at: frame) }
  }

  /// Pauses or resumes the takes of some taps, or of all if nil, at an absolute frame. A resumed take continues
  /// directly after the last frame before the pause. Frames that were already written stay.
  package func pause(_ isPaused: Bool, taps: Set<String>? = nil, at frame: Int64) {
    for take in queue.active where taps?.contains(take.request.tap) ?? true {
      take.pause(isPaused, at: frame)
    }
  }

  /// Ends all takes with the sound that has arrived, or at the end that was requested before; no more sound arrives.
  /// Returns at once. Reports follow when the files are finished.
  package func endWithSound() {
    for take in queue.active { take.endWithSound() }
  }

  /// Ends all takes, waits until their files are finished, and returns the reports of all takes since the last call, in
  /// the order in which they began. Takes whose end was requested before end there. Blocks while compressed files are
  /// encoded.
  ///
  /// - Parameters:
  ///   - frame: the absolute frame before which the other takes end; nil, the default, is as soon as possible.
  ///   - timeout: the maximum wait for the audio thread to reach that frame; the default is 2 s. A take that has not
  ///     ended by then is reported as ended early. 0 means that no more sound arrives, and takes end with the sound so
  ///     far.
  package func finish(at frame: Int64? = nil, within timeout: Duration = .seconds(2)) -> [TakeReport] {
    for take in queue.active where !take.isStopping { take.stop(at: frame) }
    return queue.finish(within: timeout)
  }

  /// The status of the running takes.
  package var status: [TakeStatus] { queue.active.map(\.status) }

  /// Waits until the running takes meet a condition.
  ///
  /// - Parameters:
  ///   - time: the maximum wait; nil for no limit.
  ///   - holds: the condition. It is evaluated now and after each pass of the writer thread, and must not wait.
  /// - Returns: whether the condition holds.
  @discardableResult
  package func wait(within time: Duration?, until holds: ([TakeStatus]) -> Bool) -> Bool {
    queue.wait(within: time, until: holds)
  }

  /// The time until the disk is full at the rate of the running takes; nil if no take is running.
  package var remainingTime: Duration? {
    DiskSpace.time(for: queue.active.map { ($0.request.path, $0.file.bytesPerSecond) })
  }
}
