// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension ExportSession {
  /// How far an export has come.
  public struct Progress: Sendable, Equatable {
    /// The stage of an export.
    public enum Stage: Sendable, Equatable {
      /// The engine renders it.
      case rendering
      /// The limiter's gain reduction is measured, in one run or several over the whole length.
      case limiting
      /// The sound is brought to the target loudness.
      case levelling
    }

    /// The current stage. Each stage goes over the whole length.
    public var stage: Stage
    /// How much of the sound is done, and how much there is to do.
    public var done: Duration, total: Duration
    /// How long the stage has taken so far.
    public var elapsed: Duration

    /// So much of so much, after so long.
    package init(done: Duration, total: Duration, elapsed: Duration, stage: Stage = .rendering) {
      self.stage = stage
      self.done = done
      self.total = total
      self.elapsed = elapsed
    }

    /// The part that is done, from 0 to 1.
    public var part: Double { total > .zero ? min(max(done / total, 0), 1) : 1 }

    /// How many times faster than real time it goes; 0 before that can be known.
    package var speed: Double { elapsed > .zero ? done / elapsed : 0 }

    /// How long it will take yet; nil before that can be known, and at the end.
    public var left: Duration? {
      guard .zero < done, done < total, elapsed >= .milliseconds(200) else { return nil }
      return .seconds((total - done) / done * (elapsed / .seconds(1)))
    }
  }
}
