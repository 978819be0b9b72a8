// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Visits every built-in effect, in the order in which they are listed for users.
///
/// A new effect needs one file and one line here.
public func forEachEffect<Visitor: EffectVisitor>(_ visitor: inout Visitor) {
  visitor.visit(Gain.self)
  visitor.visit(Equalizer.self)
  visitor.visit(Delay.self)
  visitor.visit(Distortion.self)
  visitor.visit(Compressor.self)
  visitor.visit(Multiband.self)
  visitor.visit(Limiter.self)
  visitor.visit(Gate.self)
  visitor.visit(Ducker.self)
  visitor.visit(Reverb.self)
  visitor.visit(Convolver.self)
  visitor.visit(Tremolo.self)
  visitor.visit(Pan.self)
  visitor.visit(DCFilter.self)
  visitor.visit(Width.self)
  visitor.visit(Polarity.self)
  visitor.visit(Generator.self)
  visitor.visit(Chorus.self)
  visitor.visit(Flanger.self)
  visitor.visit(Phaser.self)
  visitor.visit(Tuner.self)
}
