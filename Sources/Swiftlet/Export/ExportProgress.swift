// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension ExportSession {
  /// The progress of an export.
  public struct Progress: Sendable, Equatable {
    /// The stage of an export.
    @nonexhaustive public enum Stage: Sendable, Equatable {
      /// The engine is rendered.
      case rendering
      /// The limiter's gain reduction is measured, in one or several passes over the whole length.
      case limiting
      /// The sound is brought to the target loudness.
      case levelling
    }

    /// The current stage. Each stage goes over the whole length.
    public var stage: Stage
    /// The duration of sound that is done, and the total duration.
    public var done: Duration, total: Duration
    /// The time that the stage has taken so far.
    public var elapsed: Duration

    /// Creates a progress value.
    package init(done: Duration, total: Duration, elapsed: Duration, stage: Stage = .rendering) {
      self.stage = stage
      self.done = done
      self.total = total
      self.elapsed = elapsed
    }

    /// The fraction that is done, from 0 to 1.
    public var part: Double { total > .zero ? min(max(done / total, 0), 1) : 1 }

    /// The speed as a multiple of real time; 0 if it is unknown.
    package var speed: Double { elapsed > .zero ? done / elapsed : 0 }

    /// The estimated remaining time; nil if it is unknown, and at the end.
    public var left: Duration? {
      guard .zero < done, done < total, elapsed >= .milliseconds(200) else { return nil }
      return .seconds((total - done) / done * (elapsed / .seconds(1)))
    }
  }
}
