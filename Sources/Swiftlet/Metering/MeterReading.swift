// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension Meter {
  /// The levels of each channel since the previous reading, and the loudness of the whole.
  public struct Reading: Sendable, Equatable {
    /// The floor for silence and anything softer: −160 dBFS, dBTP or LUFS. No reading is infinite.
    package static var silence: Float { Decibels.meterFloor }

    /// The levels of one channel, in dBFS. Levels above full scale are greater than 0.
    public struct Channel: Sendable, Equatable {
      /// The root of the mean square, in dBFS: 0 for a square wave of full scale, −3.01 for a sine.
      public internal(set) var averagePower = Reading.silence
      /// The largest sample, in dBFS.
      public internal(set) var peakPower = Reading.silence
      /// The held peak in dBFS, which falls after its hold time.
      public internal(set) var heldPeak = Reading.silence
      /// The true peak, between samples too, in dBTP; nil if it is not measured.
      public internal(set) var truePeak: Float?
      /// The highest true peak in dBTP since the meter was installed or its peaks were reset; nil if it is not
      /// measured.
      public internal(set) var highestTruePeak: Float?

      /// Creates a silent channel without a true peak.
      package init() {}
    }

    /// The loudness by EBU R 128 of all channels together.
    ///
    /// Channels are left, right, centre, low frequencies (which do not count), left and right surround. Four channels
    /// are left, right and the surrounds; five have no low frequencies; further channels do not count. A single
    /// channel counts once, not as if it came from two speakers.
    public struct Loudness: Sendable, Equatable {
      /// The momentary loudness, of the last 400 ms, in LUFS.
      public internal(set) var momentary = Reading.silence
      /// The short-term loudness, of the last 3 s, in LUFS.
      public internal(set) var shortTerm = Reading.silence
      /// The gated integrated loudness since the meter was installed or its loudness was reset, in LUFS; −160 until
      /// the sound exceeds −70.
      public internal(set) var integrated = Reading.silence
      /// The loudness range of EBU Tech 3342, in LU.
      public internal(set) var range: Float = 0

      /// Creates the loudness of silence.
      package init() {}
    }

    /// The levels of each channel of the bus.
    public internal(set) var channels: [Channel]
    /// The loudness; nil if it is not measured.
    public internal(set) var loudness: Loudness?
    /// The number of frames that true peak and loudness have missed since the meter was installed, because the
    /// machine was busy for longer than a second.
    public internal(set) var lostFrames = 0

    /// Returns the RMS level of a channel, in dBFS; silence if there is no such channel.
    public func averagePower(forChannel channel: Int) -> Float {
      channels.indices ~= channel ? channels[channel].averagePower : Self.silence
    }

    /// Returns the largest sample of a channel, in dBFS; silence if there is no such channel.
    public func peakPower(forChannel channel: Int) -> Float {
      channels.indices ~= channel ? channels[channel].peakPower : Self.silence
    }
  }
}
