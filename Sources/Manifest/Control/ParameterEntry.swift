// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletControl
internal import SwiftletGraph
internal import SwiftletSignal

extension ControlEntry {
  /// Creates the entry of a value with a parameter's description. Values are read and written as in manifests.
  ///
  /// - Parameters:
  ///   - name: The address, such as `echo.time`.
  ///   - aliases: Other spellings of the address.
  ///   - info: The description of the parameter.
  ///   - read: Returns the value in the parameter's unit.
  ///   - write: Sets the value, over a time if one is given.
  init(
    _ name: String, aliases: [String] = [], _ info: ParameterInfo, read: @escaping @Sendable () -> Float,
    write: @escaping @Sendable (Float, Duration?) throws(EngineError) -> Void
  ) {
    self.init(
      ControlAddress(name, info), aliases: aliases,
      read: {
        let value = read()
        return (info.value(value), info.text(value))
      },
      write: { value, duration throws(ControlError) in
        let number: Float
        switch Checker.read(info.written(value), as: info) {
        case .success(let read): number = read
        case .failure(let misfit): throw ControlError(.badValue, "'\(name)': \(misfit.message)")
        }
        try engineCall(name) { () throws(EngineError) in try write(number, duration) }
      })
  }
}

/// Calls the engine, and converts its error.
func engineCall<Result>(
  _ name: String, _ body: () throws(EngineError) -> Result
) throws(ControlError) -> Result {
  do throws(EngineError) { return try body() } catch {
    throw ControlError(.failed, "'\(name)': \(error)")
  }
}

extension ControlAddress {
  /// Creates the description of an address from that of a parameter.
  init(_ name: String, _ info: ParameterInfo) {
    let kind: Kind =
      switch info.curve {
      case .toggle: .toggle
      case .choice: .choice
      case .integer: .integer
      case .linear, .logarithmic: .number
      }
    let isNumber = kind == .number || kind == .integer
    func end(_ value: Float) -> Double? {
      isNumber && abs(value) < .greatestFiniteMagnitude ? ParameterInfo.double(value) : nil
    }
    let choices = info.choices.map(\.name)
    self.init(
      name, kind, unit: info.unit.written?.rawValue, minimum: end(info.range.lowerBound),
      maximum: end(info.range.upperBound), choices: choices.isEmpty ? nil : choices,
      initial: info.value(info.initial), meaning: info.meaning.isEmpty ? info.name : info.meaning)
  }
}

extension ParameterInfo {
  /// Returns a value as JSON: the name of a choice, true or false, or a number in the parameter's unit.
  fileprivate func value(_ value: Float) -> ControlValue {
    switch curve {
    case .toggle: .toggle(value > 0)
    case .choice: .text(text(value))
    case .integer, .linear, .logarithmic: .number(Self.double(value))
    }
  }

  /// Returns a value in the notation of manifests: `350 ms`, `fade`, `true`.
  fileprivate func text(_ value: Float) -> String {
    switch curve {
    case .toggle: return value > 0 ? "true" : "false"
    case .choice:
      if let choice = choices.first(where: { $0.value == value }) { return choice.name }
    case .integer, .linear, .logarithmic: break
    }
    return Quantity(Self.double(value), unit.written).description
  }

  /// Returns a value from outside in the notation of manifests.
  fileprivate func written(_ value: ControlValue) -> String {
    switch value {
    case .number(let number): Quantity(number).description
    case .toggle(let isOn): isOn ? "true" : "false"
    case .text("on") where curve == .toggle: "true"
    case .text("off") where curve == .toggle: "false"
    case .text(let text): text
    }
  }

  /// Returns a number with the shortest digits of a 32-bit float: 0.1, not 0.10000000149.
  fileprivate static func double(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }
}
