// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

extension Recorder {
  /// Waits until stopped takes have ended, so that their taps are free. That takes a few periods in JACK. Offline
  /// nothing is rendered meanwhile, so only the sound that has been rendered is written.
  func awaitEnds(of taps: Set<String>?) {
    let stopped = tracks.withLock { tracks in
      Set(tracks.filter { $0.path == nil && taps?.contains($0.tap) ?? !$0.options.isArmed }.map(\.tap))
    }
    let ending = Set(writer.status.filter { stopped.contains($0.tap) }.map(\.path))
    writer.wait(within: .seconds(engine.jackClient != nil ? 2 : 0.5)) {
      $0.allSatisfy { !ending.contains($0.path) }
    }
  }

  /// Waits until `holds` returns true for the status of the running takes, at most for a time; nil for no limit.
  /// `holds` must not wait.
  package func wait(within time: Duration?, until holds: ([TakeStatus]) -> Bool) {
    writer.wait(within: time, until: holds)
  }

  /// Waits until the writer of takes is at most `most` frames behind.
  func awaitWriter(behind most: Int) {
    // Read these first, since the writer's lock is held while the closure runs.
    let sinks = tracks.withLock { tracks in
      Dictionary(tracks.compactMap { track in track.path.map { ($0, track.meter.sink) } }) { first, _ in first
      }
    }
    writer.wait(within: nil) { running in running.allSatisfy { (sinks[$0.path]?.waitingFrames ?? 0) <= most }
    }
  }
}
