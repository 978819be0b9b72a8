// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The check of dependencies between parameters.
extension Conformance where E: ~Copyable {
  func checkNeeds() throws(EffectError) -> [String] {
    var messages: [String] = []
    for (number, parameter) in parameters.enumerated() {
      guard let needs = parameter.needs else { continue }
      guard let chooser = chooser(of: needs, beside: number) else {
        messages.append("\(name(number)) needs '\(needs.parameter)', and the effect has no such parameter")
        continue
      }
      let useful = Set(needs.choices.map { "\($0)" })
      let choices = parameters[chooser].choices.map { "\($0)" }
      for unknown in useful.subtracting(choices).sorted() {
        messages.append(
          "\(name(number)) needs '\(needs.parameter)' to be '\(unknown)', which is no choice of it")
      }
      for (choice, word) in choices.enumerated() where !useful.contains(word) {
        var ends: [[[Float]]] = []
        for value in [parameter.range.lowerBound, parameter.range.upperBound] {
          var rig = try rig()
          rig.set(chooser, to: Float(choice))
          rig.set(number, to: value)
          ends.append(rig.render(noise(2048)))
        }
        if ends[0] != ends[1] {
          messages.append(
            "\(name(number)) has an effect while '\(needs.parameter)' is \(word), although its condition excludes that"
          )
        }
      }
    }
    return messages
  }

  /// Returns the number of the parameter that enables `number`, in the same band or among the plain parameters; nil
  /// if there is none.
  private func chooser(of need: ParameterCondition, beside number: Int) -> Int? {
    let plain = E.parameters.count
    let width = E.bands?.parameters.count ?? 0
    let first = number < plain ? 0 : number - (number - plain) % max(width, 1)
    let group = number < plain ? 0..<plain : first..<first + width
    return group.first { "\(parameters[$0].symbol)" == "\(need.parameter)" }
  }
}
