// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

extension ResolvedManifest.Node {
  /// Gives a parameter another value than the manifest does: by its number,
  /// in its own unit, within its range.
  public mutating func set(_ parameter: Int, to value: Float) {
    values.removeAll { $0.parameter == parameter }
    values.append(ResolvedManifest.Value(parameter: parameter, value: value))
  }

  /// Gives a property of a plugin another value than the manifest does.
  package mutating func set(property number: Int, to value: PropertyValue) {
    properties.removeAll { $0.number == number }
    properties.append(ResolvedManifest.PropertySetting(number: number, value: value))
  }
}
