// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletTimeline

/// A time in the engine's stream: a whole number of frames since the engine was first started, and, in JACK, the host
/// time of the machine's clock. A time at a sample rate other than the engine's is rounded to the nearest frame of
/// the engine.
///
/// Times are compared by frame and rate; the host time is ignored.
public struct AudioTime: Hashable, Sendable, Comparable {
  /// The number of frames since the engine's first frame.
  public let frame: Int64
  /// The sample rate in Hz.
  public let sampleRate: Double
  /// The host time at which the frame enters or leaves the machine, for `play(at:)` and to compare with other clocks.
  /// It is estimated from JACK's clock, to a fraction of a period. Nil offline, and before JACK's first cycle.
  public let hostTime: ContinuousClock.Instant?

  /// Creates the time of a frame.
  ///
  /// - Parameters:
  ///   - frame: the number of frames since the engine's first frame.
  ///   - sampleRate: the sample rate in Hz.
  ///   - hostTime: the host time of the frame; default: nil.
  public init(frame: Int64, sampleRate: Double, hostTime: ContinuousClock.Instant? = nil) {
    self.frame = frame
    self.sampleRate = sampleRate
    self.hostTime = hostTime
  }

  /// Seconds since the engine's first frame.
  public var seconds: Double { Double(frame) / sampleRate }

  public static func == (a: AudioTime, b: AudioTime) -> Bool {
    a.frame == b.frame && a.sampleRate == b.sampleRate
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(frame)
    hasher.combine(sampleRate)
  }

  public static func < (a: AudioTime, b: AudioTime) -> Bool {
    a.sampleRate == b.sampleRate ? a.frame < b.frame : a.seconds < b.seconds
  }

  /// Returns the time `duration` later, rounded to the nearest frame; clamped to the first or last possible frame.
  /// The host time is later by `duration`, too.
  public static func + (time: AudioTime, duration: Duration) -> AudioTime {
    let (sum, isBeyond) = time.frame.addingReportingOverflow(duration.frames(at: time.sampleRate))
    let edge: Int64 = time.frame < 0 ? .min : .max
    return AudioTime(
      frame: isBeyond ? edge : sum, sampleRate: time.sampleRate,
      hostTime: isBeyond ? nil : time.hostTime?.advanced(by: duration))
  }

  /// Returns the nearest frame of an engine with another sample rate, clamped to ±2⁶⁰ so that it can be added to
  /// other frames.
  func frame(at rate: Double) -> Int64 {
    let limit = Int64(1) << 60
    guard rate != sampleRate else { return min(max(frame, -limit), limit) }
    let frames = (seconds * rate).rounded()
    return frames.isNaN ? 0 : Int64(min(max(frames, -0x1p60), 0x1p60))
  }
}

extension Duration {
  /// The duration in seconds.
  public var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// Returns the number of frames at `sampleRate`, rounded to the nearest and clamped to ±2⁶².
  package func frames(at sampleRate: Double) -> Int64 {
    let limit = Double(1 << 62 as Int64)
    return Int64(max(-limit, min((seconds * sampleRate).rounded(), limit)))
  }
}

extension MediaTime {
  // Declared in this module, since the re-export of a type does not include its operators.

  /// Returns the time `duration` later. The duration is rounded to the nearest nanosecond, and the sum is limited to
  /// 68 years.
  ///
  /// In `time + .seconds(2)`, the second operand is a `MediaTime`.
  @_disfavoredOverload
  public static func + (time: MediaTime, duration: Duration) -> MediaTime { time + MediaTime(duration) }
}
