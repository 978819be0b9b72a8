// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A moment in the engine's stream: a whole number of frames since it was first started. One that is told at another
/// rate than the engine's is taken to the nearest of its frames.
public struct AudioTime: Hashable, Sendable, Comparable {
  /// Frames since the engine's first frame.
  public let frame: Int64
  /// Frames a second.
  public let sampleRate: Double

  /// The moment at `frame`.
  public init(frame: Int64, sampleRate: Double) {
    self.frame = frame
    self.sampleRate = sampleRate
  }

  /// Seconds since the engine's first frame.
  public var seconds: Double { Double(frame) / sampleRate }

  public static func < (a: AudioTime, b: AudioTime) -> Bool {
    a.sampleRate == b.sampleRate ? a.frame < b.frame : a.seconds < b.seconds
  }

  /// The moment `duration` later, to the nearest frame; the first or last that can be told where it lies beyond.
  public func advanced(by duration: Duration) -> AudioTime {
    let (sum, isBeyond) = frame.addingReportingOverflow(duration.frames(at: sampleRate))
    let edge: Int64 = frame < 0 ? .min : .max
    return AudioTime(frame: isBeyond ? edge : sum, sampleRate: sampleRate)
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
  public func frames(at sampleRate: Double) -> Int64 {
    let limit = Double(1 << 62 as Int64)
    return Int64(max(-limit, min((seconds * sampleRate).rounded(), limit)))
  }
}
