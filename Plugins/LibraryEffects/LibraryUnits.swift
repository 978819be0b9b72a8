// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Shows every effect that rests on a foreign library to `visitor`, in the order in which people should read
/// them.
///
/// This is the list: a new one is a file and a line here. None of them is in the LV2 bundle, which needs no
/// library.
public func forEachLibraryUnit<Visitor: UnitVisitor>(_ visitor: inout Visitor) {
  visitor.visit(Loudness.self)
  visitor.visit(Pitch.self)
  visitor.visit(Environment.self)
  visitor.visit(VoiceProcessing.self)
}
