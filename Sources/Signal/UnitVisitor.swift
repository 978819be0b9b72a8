// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Who wants to meet every unit of a list, type by type: a catalogue, an LV2 bundle, a test.
///
/// A list of units is a function that calls `visit` once for each. (An array of types is not to be had in
/// Embedded Swift, and would lose what each type is.)
public protocol UnitVisitor {
  /// Meets one unit.
  mutating func visit<Unit: Effect & ~Copyable>(_ unit: Unit.Type)
}
