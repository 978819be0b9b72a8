// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A moment in the engine's stream: a whole number of frames since it was first started, and, in JACK, the time of the
/// machine's clock. A moment that is given at another rate than the engine's counts as the nearest of its frames.
///
/// Moments are compared by frame and rate; the host time is not looked at.
public struct AudioTime: Hashable, Sendable, Comparable {
  /// Frames since the engine's first frame.
  public let frame: Int64
  /// Frames a second.
  public let sampleRate: Double
  /// When the frame enters or leaves the machine by its clock, for `play(at:)` and to compare with other clocks; estimated
  /// from JACK's clock to a fraction of a period. Nil offline, and before JACK's first cycle.
  public let hostTime: ContinuousClock.Instant?

  /// The moment at `frame`.
  ///
  /// - Parameters:
  ///   - frame: frames since the engine's first frame.
  ///   - sampleRate: frames a second.
  ///   - hostTime: the frame's time by the machine's clock; default: nil.
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

  /// The moment `duration` later, to the nearest frame; the first or last moment if it lies beyond. The host time is later
  /// by `duration`, too.
  public static func + (time: AudioTime, duration: Duration) -> AudioTime {
    let (sum, isBeyond) = time.frame.addingReportingOverflow(duration.frames(at: time.sampleRate))
    let edge: Int64 = time.frame < 0 ? .min : .max
    return AudioTime(
      frame: isBeyond ? edge : sum, sampleRate: time.sampleRate,
      hostTime: isBeyond ? nil : time.hostTime?.advanced(by: duration))
  }

  /// The frame of an engine of another rate that is nearest to the moment; 2⁶⁰ frames away at most, so that it can be
  /// reckoned with.
  func frame(at rate: Double) -> Int64 {
    let limit = Int64(1) << 60
    guard rate != sampleRate else { return min(max(frame, -limit), limit) }
    let frames = (seconds * rate).rounded()
    return frames.isNaN ? 0 : Int64(min(max(frames, -0x1p60), 0x1p60))
  }
}

extension Duration {
  /// Seconds, as a number.
  public var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// How many frames it spans at `sampleRate`, to the nearest; beyond ±2⁶² it stays there.
  package func frames(at sampleRate: Double) -> Int64 {
    let limit = Double(1 << 62 as Int64)
    return Int64(max(-limit, min((seconds * sampleRate).rounded(), limit)))
  }
}
