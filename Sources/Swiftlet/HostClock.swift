// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Which frame of the engine's stream an instant of the machine's clock is.
struct HostClock {
  /// A frame and its instant.
  private let frame: Int64, instant: ContinuousClock.Instant
  private let sampleRate: Double

  /// - Parameter frame: the frame that is heard or read now.
  init(frame: Int64, sampleRate: Double) {
    (self.frame, instant, self.sampleRate) = (frame, .now, sampleRate)
  }

  /// When a frame is heard or read.
  func time(of other: Int64) -> ContinuousClock.Instant {
    let (frames, isBeyond) = other.subtractingReportingOverflow(frame)
    // 2³⁰ s, or 34 years: durations of so many seconds add up.
    let seconds = isBeyond ? 0 : Double(frames) / sampleRate
    return instant.advanced(by: .seconds(min(max(seconds, -0x1p30), 0x1p30)))
  }

  /// The frame that is heard or read at an instant, to the nearest.
  func frame(at other: ContinuousClock.Instant) -> Int64 {
    let (sum, isBeyond) = frame.addingReportingOverflow((other - instant).frames(at: sampleRate))
    return isBeyond ? (other < instant ? .min : .max) : sum
  }
}

extension AudioEngine {
  /// The engine's frames by the machine's clock; nil offline, before JACK's first cycle and while there is no server.
  var hostClock: HostClock? {
    studio?.clockFrame.map { HostClock(frame: $0, sampleRate: sampleRate) }
  }
}
