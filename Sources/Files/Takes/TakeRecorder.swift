// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletGraph
internal import SwiftletThreads
internal import Synchronization

/// Records any number of taps to files: one thread that drains them all.
///
/// Each tap holds what the disk cannot take for as long as its ring lasts. What is lost even so is silence in
/// the take, marked, and told in the report; what comes after stays where it belongs.
package final class TakeRecorder: Sendable {
  /// What is to be recorded.
  package struct Request: Sendable {
    /// The tap's name.
    package var tap: String
    /// Where the sound comes from. It serves one take at a time.
    package var sink: TapSink
    /// Where the finished file goes.
    package var path: String
    /// The folder that ``path`` begins with and may not leave, also not by a symbolic link; nil for a path that a user
    /// chose.
    package var root: String?
    /// Container and encoding.
    package var format: RecordingFormat
    /// The absolute frame of the stream that is frame 0 of the take; nil for the first that comes.
    package var startFrame: Int64?
    /// What the file tells of its making. Its date is the instant of frame 0.
    package var origin: TakeOrigin
    /// Whether a file that is there is replaced.
    package var overwrites: Bool

    /// Asks for a take of `sink` in `path`.
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

  /// Frames a second.
  package let sampleRate: Int
  private let desk: WritingDesk
  private let prepare: (@Sendable (FileSink) -> Void)?

  /// Makes a recorder and starts its thread.
  ///
  /// - Parameter whenDone: is called with each take's report, on a thread of the recorder's.
  package convenience init(sampleRate: Int, whenDone: (@Sendable (TakeReport) -> Void)? = nil) {
    self.init(sampleRate: sampleRate, prepare: nil, whenDone: whenDone)
  }

  /// As the public one; `prepare` is given each file before anything is written to it.
  init(
    sampleRate: Int, prepare: (@Sendable (FileSink) -> Void)?,
    whenDone: (@Sendable (TakeReport) -> Void)? = nil
  ) {
    self.sampleRate = sampleRate
    self.prepare = prepare
    let desk = WritingDesk(whenDone: whenDone)
    self.desk = desk
    LastTakes.add(desk)
    startThread("swiftlet-writer") {
      desk.run()
    }
    startThread("swiftlet-syncer") {
      desk.runSync()
    }
  }

  deinit { desk.close() }

  /// Makes all files, then starts all takes. If one file cannot be made, none is, and nothing starts.
  ///
  /// - Parameter instant: gives a frame that has not passed, once all files are there; then each request's
  ///   `startFrame` counts from that frame.
  /// - Throws: ``FileError``.
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
    // Making files takes its time: a frame that shall not have passed is chosen now.
    let beginning = instant.map { TapSink.possible($0()) }
    for request in requests {
      let start = request.startFrame.map(TapSink.possible)
      request.sink.record(from: beginning.map { $0 + (start ?? 0) } ?? start)
    }
    desk.add(takes)
  }

  /// Ends the takes of some taps, or of all, before the absolute frame `frame`; nil is as soon as possible.
  ///
  /// Returns at once: reports come when the files are finished.
  package func stop(taps: Set<String>? = nil, at frame: Int64? = nil) {
    for take in desk.active where taps?.contains(take.request.tap) ?? true { take.stop(at: frame) }
  }

  /// Leaves out what comes from an absolute frame on in the takes of some taps, or of all; or goes on there, right
  /// behind what was kept before. Of frames that have come already none is left out.
  package func pause(_ isPaused: Bool, taps: Set<String>? = nil, at frame: Int64) {
    for take in desk.active where taps?.contains(take.request.tap) ?? true {
      take.pause(isPaused, at: frame)
    }
  }

  /// Ends all takes where sound did, since no more comes, or where they were told to end before. Returns at once:
  /// reports come when the files are finished.
  package func endWithSound() {
    for take in desk.active { take.endWithSound() }
  }

  /// Ends all takes, waits until their files are finished, and returns what became of every take since the last
  /// call, in the order in which they began. Takes that were told before where to end, end there. Blocks while
  /// compressed files are encoded.
  ///
  /// - Parameters:
  ///   - frame: the first absolute frame that no other take has; nil is as soon as possible.
  ///   - patience: how long to wait for the audio thread to get there; a take that it does not bring to its
  ///     end by then is reported as ended early. 0 says that no more sound comes, and takes end where it did.
  package func finish(at frame: Int64? = nil, within patience: Duration = .seconds(2)) -> [TakeReport] {
    for take in desk.active where !take.isStopping { take.stop(at: frame) }
    return desk.finish(within: patience)
  }

  /// How the running takes stand.
  package var status: [TakeStatus] { desk.active.map(\.status) }

  /// Waits until the running takes stand as asked, for a time at most.
  ///
  /// - Parameter holds: is asked now and whenever the writer has looked after the takes. It must not wait.
  /// - Returns: whether it holds.
  @discardableResult
  package func wait(within time: Duration?, until holds: ([TakeStatus]) -> Bool) -> Bool {
    desk.wait(within: time, until: holds)
  }

  /// How long the disk will last at the rate of the running takes; nil while nothing is recorded.
  package var remainingTime: Duration? {
    DiskSpace.time(for: desk.active.map { ($0.request.path, $0.file.bytesPerSecond) })
  }
}
