// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal
public import SwiftletTimeline

/// A connection into a mixer, with what a console's channel has: trim, phase, mute, solo, fader, pan and sends.
///
/// ```swift
/// let strip = try engine.connect(player, to: mixer)
/// strip.gain.value = .decibels(-3)
/// strip.pan.value = -0.3
/// strip.isMuted = false
/// try strip.send(to: hall, gain: .decibels(-12))
/// ```
///
/// Sound passes trim, phase, mute and solo, fader and pan, in this order. Solo and phase fade over 5 ms.
///
/// Any thread may use a strip but the audio thread.
public final class ChannelStrip: Wire, @unchecked Sendable {
  /// The pan, from −1 (left) to 1 (right), of a strip of a stereo mixer. Until it is first set, it reads 0, and the
  /// channel rule applies: a mono sound is at full level on both sides.
  ///
  /// In another mixer, setting a value other than 0 changes nothing and is reported as ``EngineEvent/warning(_:)``.
  public var pan: MixParameter<Float> { MixParameter(.wire(self, .pan)) }

  /// The pan law. Default: ``PanLaw/usual``.
  public var panLaw: PanLaw {
    get { last?.panLaw ?? .usual }
    set { keep { $0.panLaw = newValue } }
  }

  /// The gain before the fader and all sends, up to +60 dB. Default: 0 dB.
  public var trim: MixParameter<Level> { MixParameter(.wire(self, .trim)) }

  /// Whether the strip inverts the phase. Default: false.
  public var isInverted: Bool {
    get { last?.isInverted ?? false }
    set { keep { $0.isInverted = newValue } }
  }

  /// Whether the strip is soloed. Strips that it is mixed with, in this mixer and in the mixers after it, are silent
  /// unless they are soloed, are solo-safe, or carry the sound of a soloed strip. Default: false.
  public var isSolo: Bool {
    get { last?.isSolo ?? false }
    set { keep { $0.isSolo = newValue } }
  }

  /// Whether the strip is heard while others are soloed. Default: false.
  public var isSoloSafe: Bool {
    get { last?.isSoloSafe ?? false }
    set { keep { $0.isSoloSafe = newValue } }
  }

  /// Whether the strip is silent because others are soloed.
  public var isSilenced: Bool { engine.graph.silenced.contains(id) }
}
