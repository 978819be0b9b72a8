// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Visits every effect that uses a third-party library, in the order in which they are listed for users.
///
/// A new effect needs one file and one line here. None of these effects is in the LV2 bundle, which depends on no
/// library.
public func forEachLibraryEffect<Visitor: EffectVisitor>(_ visitor: inout Visitor) {
  visitor.visit(Loudness.self)
  visitor.visit(Pitch.self)
  visitor.visit(Environment.self)
  visitor.visit(VoiceProcessing.self)
}
