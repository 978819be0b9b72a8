// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

extension Meter {
  /// The levels of each channel since the previous reading, and the loudness of the whole.
  public struct Reading: Sendable, Equatable {
    /// What stands for silence, and for anything softer: −160 dBFS, dBTP or LUFS. No reading is infinite.
    package static var silence: Float { Decibels.meterFloor }

    /// The levels of one channel, in dBFS. Levels above full scale are greater than 0.
    public struct Channel: Sendable, Equatable {
      /// The root of the mean square, in dBFS: 0 for a square wave of full scale, −3.01 for a sine.
      public internal(set) var averagePower = Reading.silence
      /// The largest sample, in dBFS.
      public internal(set) var peakPower = Reading.silence
      /// The held peak in dBFS, which falls after its hold time.
      public internal(set) var heldPeak = Reading.silence
      /// How high the wave rose, between samples too, in dBTP; nil where it is not measured.
      public internal(set) var truePeak: Float?
      /// The highest true peak since the meter was added, or its peaks were reset.
      public internal(set) var highestTruePeak: Float?

      /// A silent channel, of which the true peak is not measured.
      package init() {}
    }

    /// Loudness by EBU R 128 of all channels together.
    ///
    /// Channels are left, right, centre, low frequencies (which do not count), left and right surround; four
    /// are left, right and the surrounds, five have no low frequencies, further ones do not count. A single
    /// channel counts once, not as if it came from two speakers.
    public struct Loudness: Sendable, Equatable {
      /// Of the last 400 ms, in LUFS.
      public internal(set) var momentary = Reading.silence
      /// Of the last 3 s, in LUFS.
      public internal(set) var shortTerm = Reading.silence
      /// Of all since the meter was added or its loudness was reset, gated, in LUFS; −160 until something is
      /// louder than −70.
      public internal(set) var integrated = Reading.silence
      /// The loudness range of EBU Tech 3342, in LU.
      public internal(set) var range: Float = 0

      /// The loudness of silence.
      package init() {}
    }

    /// By channel of the bus.
    public internal(set) var channels: [Channel]
    /// Nil where it is not measured.
    public internal(set) var loudness: Loudness?
    /// How many frames true peak and loudness have missed since the meter was added, since this machine was
    /// busy for longer than a second: 0 where all is well.
    public internal(set) var lostFrames = 0

    /// The root of the mean square of a channel, in dBFS; silence for one that is not there.
    public func averagePower(forChannel channel: Int) -> Float {
      channels.indices ~= channel ? channels[channel].averagePower : Self.silence
    }

    /// The largest sample of a channel, in dBFS; silence for one that is not there.
    public func peakPower(forChannel channel: Int) -> Float {
      channels.indices ~= channel ? channels[channel].peakPower : Self.silence
    }
  }
}
