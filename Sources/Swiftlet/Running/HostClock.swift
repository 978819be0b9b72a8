// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Maps frames of the engine's stream to instants of the machine's clock and back.
struct HostClock {
  /// A frame and its instant.
  private let frame: Int64, instant: ContinuousClock.Instant
  private let sampleRate: Double

  /// Creates a clock for the present instant.
  ///
  /// - Parameters:
  ///   - frame: the frame that is played or captured now.
  ///   - sampleRate: the sample rate in Hz.
  init(frame: Int64, sampleRate: Double) {
    (self.frame, instant, self.sampleRate) = (frame, .now, sampleRate)
  }

  /// Returns the instant at which a frame is played or captured.
  func time(of other: Int64) -> ContinuousClock.Instant {
    let (frames, isBeyond) = other.subtractingReportingOverflow(frame)
    // Clamped to 2³⁰ s, about 34 years, so that the duration can be added to an instant.
    let seconds = isBeyond ? 0 : Double(frames) / sampleRate
    return instant.advanced(by: .seconds(min(max(seconds, -0x1p30), 0x1p30)))
  }

  /// Returns the frame that is played or captured at an instant, rounded to the nearest.
  func frame(at other: ContinuousClock.Instant) -> Int64 {
    let (sum, isBeyond) = frame.addingReportingOverflow((other - instant).frames(at: sampleRate))
    return isBeyond ? (other < instant ? .min : .max) : sum
  }
}

extension AudioEngine {
  /// The present mapping of the engine's frames to the machine's clock; nil offline, before JACK's first cycle and
  /// while there is no server.
  var hostClock: HostClock? {
    jackClient?.clockFrame.map { HostClock(frame: $0, sampleRate: sampleRate) }
  }
}
