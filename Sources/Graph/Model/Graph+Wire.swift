// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
public import SwiftletTimeline

extension Graph {
  /// A connection from one node's output to another's input; into a mixer, what consoles call a strip.
  ///
  /// Sound passes in this order: trim, phase, mute and solo, the fader (`gain`), pan. Changes glide over 5 ms,
  /// those of gain, trim and pan over the duration of the change.
  ///
  /// A **send** is a wire, too: it carries the strip's sound from before or after its fader, before its pan, to
  /// another bus. It goes when the strip goes.
  public struct Wire: Hashable, Sendable, Identifiable {
    /// The identity of a wire: its two ends, and for a send the end of its strip.
    public struct ID: Hashable, Sendable {
      /// The end that the sound comes from, and the end that it goes to.
      public var source: Endpoint, destination: Endpoint
      /// For a send, the end of the strip whose sound it carries; nil for all other wires.
      package var strip: Endpoint?

      /// For a send, the identity of its strip; nil for all other wires.
      package var stripID: ID? { strip.map { ID(source: source, destination: $0) } }

      /// Hashes both ends as one word: compiling a graph looks up thousands of wires.
      public func hash(into hasher: inout Hasher) {
        hasher.combine(source.packed &* 0x9E37_79B9_7F4A_7C15 &+ destination.packed)
        if let strip { hasher.combine(strip.packed) }
      }
    }

    /// The identity of the wire.
    public var id: ID
    /// The gain of the fader in dB; −120 and less is silence. Default: 0.
    public var gain: Float
    /// How much is added or taken away before the fader and all sends, in dB.
    public var trim: Float = 0
    /// From −1 (left) over 0 (the centre) to 1 (right), into two channels; nil leaves the sound where the
    /// channel rule puts it: a mono sound at full level on both sides.
    public var pan: Float?
    /// How both sides share a sound that is panned.
    public var panLaw: PanLaw
    /// Whether the phase is inverted.
    public var isInverted = false
    /// Whether nothing passes, also to the sends, before the fader too.
    public var isMuted = false
    /// Whether all falls silent, as if it was muted, that its sound is mixed with on its way: in its own bus, and in
    /// those behind.
    ///
    /// Heard are all that are soloed, those that are solo-safe, and those that carry on the sound of a soloed one:
    /// the strip of the sub-mix that it is in, and of the reverb that it sends to.
    public var isSolo = false
    /// Whether it is heard while others are soloed.
    public var isSoloSafe = false
    /// Of a send, whether it leaves before the fader, which then does not count for it.
    public var isPreFader = false
    /// The time that a change of gain, trim or pan takes, in seconds. Default: 5 ms.
    package var glide = Wire.shortestGlide
    /// The delay in frames of a wire that closes a loop, 16 to 480,000; nil, the default, for a wire that may not
    /// close a loop.
    public var feedback: Int?
    /// Whether a feedback wire only lets its end know what is played elsewhere. Such a wire is as late as it says,
    /// whatever the loop itself takes, and a solo does not follow it.
    package var isReference = false

    /// Whether the engine made the wire by itself: one that a program makes from the same node replaces it.
    package var isAutomatic = false

    /// The default delay of a feedback wire, in frames.
    package static let defaultFeedback = 1024
    /// The shortest glide, which does not click, in seconds.
    package static let shortestGlide = 0.005
    /// The longest glide, in seconds: an hour.
    package static let longestGlide = 3600.0
    /// The gains and trims of a wire and the gains of a mixer, in dB.
    package static let gains: ClosedRange<Float> = -.infinity...60
    /// The pans of a wire, from left to right.
    package static let pans: ClosedRange<Float> = -1...1

    /// A wire between two ends.
    package init(
      from source: Endpoint, to destination: Endpoint, gain: Float = 0, pan: Float? = nil,
      panLaw: PanLaw = .usual, feedback: Int? = nil
    ) {
      id = ID(source: source, destination: destination)
      self.gain = gain
      self.pan = pan
      self.panLaw = panLaw
      self.feedback = feedback
    }

    /// A send of a strip to another bus.
    package init(
      sendOf strip: Graph.Wire, to destination: Endpoint, gain: Float = 0, isPreFader: Bool = false,
      feedback: Int? = nil
    ) {
      self.init(from: strip.source, to: destination, gain: gain, feedback: feedback)
      id.strip = strip.destination
      self.isPreFader = isPreFader
    }

    /// The bus, or the channel of a bus, that the sound comes from.
    public var source: Endpoint { id.source }
    /// The bus, or the channel of a bus, that the sound goes to.
    public var destination: Endpoint { id.destination }

    /// The fader as a factor: 1 leaves the sound as it is, 0 is silence.
    package var volume: Float {
      get { Self.factor(gain) }
      set { gain = Self.decibels(newValue) }
    }
  }
}

extension Graph.Wire {
  /// Decibels as a factor; −120 dB and less is silence.
  static func factor(_ gain: Float) -> Float {
    // Most wires of a large graph leave the sound as it is.
    gain == 0 ? 1 : gain <= Decibels.wireSilence ? 0 : Decibels.amplitude(gain)
  }

  /// A factor as decibels; silence is −120 dB, and what is less than nothing no number.
  static func decibels(_ factor: Float) -> Float {
    guard factor >= 0 else { return .nan }
    let silence = Decibels.wireSilence
    return factor <= Self.factor(silence.nextUp) ? silence : Decibels.level(factor)
  }
}
