// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
public import SwiftletTimeline

extension Graph {
  /// A connection from one node's output to another's input. A wire into a mixer is a channel strip.
  ///
  /// Signal order: trim, phase, mute and solo, fader (`gain`), pan. Changes glide over 5 ms; changes of gain, trim
  /// and pan over the duration of the change.
  ///
  /// A **send** is also a wire: it carries the strip's sound from before or after its fader, before its pan, to
  /// another bus. It is removed with its strip.
  public struct Wire: Hashable, Sendable, Identifiable {
    /// The identifier of a wire: its two ends, and for a send the destination of its strip.
    public struct ID: Hashable, Sendable {
      /// The source and the destination of the wire.
      public var source: Endpoint, destination: Endpoint
      /// For a send, the destination of its strip; nil for all other wires.
      package var strip: Endpoint?

      /// For a send, the identifier of its strip; nil for all other wires.
      package var stripID: ID? { strip.map { ID(source: source, destination: $0) } }

      /// Hashes both ends as one word: compiling a graph looks up thousands of wires.
      public func hash(into hasher: inout Hasher) {
        hasher.combine(source.packed &* 0x9E37_79B9_7F4A_7C15 &+ destination.packed)
        if let strip { hasher.combine(strip.packed) }
      }
    }

    /// The identifier of the wire.
    public var id: ID
    /// The gain of the fader in dB; −120 and less is silence. Default: 0.
    public var gain: Float
    /// The gain before the fader and all sends, in dB. Default: 0.
    public var trim: Float = 0
    /// The pan from −1 (left) through 0 (center) to 1 (right), for stereo destinations; nil applies the channel rule:
    /// a mono source at full level on both sides. Default: nil.
    public var pan: Float?
    /// The pan law.
    public var panLaw: PanLaw
    /// Whether the phase is inverted.
    public var isInverted = false
    /// Whether the wire is muted, including its pre-fader and post-fader sends.
    public var isMuted = false
    /// Whether the wire is soloed: all wires that its sound is mixed with, in its own bus and in those after it, are
    /// silent.
    ///
    /// Audible are all soloed wires, solo-safe wires, and wires that carry the sound of a soloed one: the strip of
    /// its sub-mix, and that of the reverb that it sends to.
    public var isSolo = false
    /// Whether the wire stays audible while others are soloed.
    public var isSoloSafe = false
    /// For a send, whether it is taken before the strip's fader.
    public var isPreFader = false
    /// The time that a change of gain, trim or pan takes, in seconds. Default: 5 ms.
    package var glide = Wire.shortestGlide
    /// The delay of a feedback wire in frames, 16 to 480,000; nil, the default, for a wire that must not close a loop.
    public var feedback: Int?
    /// Whether a feedback wire only carries a reference signal of what is played elsewhere. Its delay is exactly as
    /// stated, independent of the loop's own latency, and solo does not follow it.
    package var isReference = false

    /// Whether the engine created the wire automatically: a wire that a program creates from the same node replaces it.
    package var isAutomatic = false

    /// The default delay of a feedback wire, in frames.
    package static let defaultFeedback = 1024
    /// The shortest glide that does not click, in seconds.
    package static let shortestGlide = 0.005
    /// The longest glide, in seconds: an hour.
    package static let longestGlide = 3600.0
    /// The gains and trims of a wire and the gains of a mixer, in dB.
    package static let gains: ClosedRange<Float> = -.infinity...60
    /// The pans of a wire, from left to right.
    package static let pans: ClosedRange<Float> = -1...1

    /// Creates a wire between two ends.
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

    /// Creates a send from a strip to another bus.
    package init(
      sendOf strip: Graph.Wire, to destination: Endpoint, gain: Float = 0, isPreFader: Bool = false,
      feedback: Int? = nil
    ) {
      self.init(from: strip.source, to: destination, gain: gain, feedback: feedback)
      id.strip = strip.destination
      self.isPreFader = isPreFader
    }

    /// The bus, or the channel of a bus, at which the wire starts.
    public var source: Endpoint { id.source }
    /// The bus, or the channel of a bus, at which the wire ends.
    public var destination: Endpoint { id.destination }

    /// The fader as a factor: 1 is unity gain, 0 is silence.
    package var volume: Float {
      get { Self.factor(gain) }
      set { gain = Self.decibels(newValue) }
    }
  }
}

extension Graph.Wire {
  /// Converts decibels to a factor; −120 dB and less is silence.
  static func factor(_ gain: Float) -> Float {
    // Most wires of a large graph have unity gain.
    gain == 0 ? 1 : gain <= Decibels.wireSilence ? 0 : Decibels.amplitude(gain)
  }

  /// Converts a factor to decibels; silence is −120 dB, and a negative factor is NaN.
  static func decibels(_ factor: Float) -> Float {
    guard factor >= 0 else { return .nan }
    let silence = Decibels.wireSilence
    return factor <= Self.factor(silence.nextUp) ? silence : Decibels.level(factor)
  }
}
