// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A visitor of the effects in a list, type by type: a catalogue, an LV2 bundle, a test.
///
/// A list of effects is a function that calls `visit` once for each. Embedded Swift does not support an array of types,
/// and an array would erase the concrete types.
public protocol EffectVisitor {
  /// Visits one effect.
  mutating func visit<E: Effect & ~Copyable>(_ effect: E.Type)
}
