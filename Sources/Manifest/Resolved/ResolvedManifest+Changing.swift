// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph

extension ResolvedManifest.Node {
  /// Changes the initial value of a parameter.
  ///
  /// - Parameters:
  ///   - parameter: The parameter's number in events.
  ///   - value: The value in the parameter's unit, within its range.
  public mutating func set(_ parameter: Int, to value: Float) {
    values.removeAll { $0.parameter == parameter }
    values.append(ResolvedManifest.Value(parameter: parameter, value: value))
  }

  /// Changes the initial value of a plugin's property.
  package mutating func set(property number: Int, to value: PropertyValue) {
    properties.removeAll { $0.number == number }
    properties.append(ResolvedManifest.PropertySetting(number: number, value: value))
  }
}
