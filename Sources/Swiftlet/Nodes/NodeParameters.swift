// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletGraph
public import SwiftletSignal
internal import SwiftletTimeline

/// The parameters of an effect, plugin or player by name, for tools: `try echo.parameters["time"].set("350 ms")`.
///
/// Any thread may use it but the audio thread.
public struct NodeParameters: Sendable {
  let node: AudioNode

  /// The descriptions of the parameters. Those of bands have names like `bands[1].frequency`, counted from 1.
  public var infos: [ParameterInfo] { node.parameterInfos }

  /// The parameter with this name.
  ///
  /// - Throws: ``EngineError/unknownParameter(node:parameter:nearest:)``, ``EngineError/notAttached(_:)``.
  public subscript(name: String) -> Parameter {
    get throws(EngineError) {
      guard let property = node.info?.property(name), property.isWritable else {
        return Parameter(node: node, info: try node.parameter(name))
      }
      return Parameter(node: node, info: property.parameter ?? property.placeholder, property: property)
    }
  }

  /// A parameter that was found by its name.
  public struct Parameter: Sendable {
    let node: AudioNode
    /// The description of the parameter: unit, range and choices. A plugin's file or text has none of them.
    public let info: ParameterInfo
    /// The plugin's property, for a parameter that the plugin reads from messages.
    var property: ProcessorInfo.Property?

    /// The value of the lane that the parameter follows, otherwise its target value, as a number in its own unit.
    public var value: Float { node.engine.destination(of: info.number, of: node.id) ?? info.initial }

    /// The value as text that ``set(_:)`` accepts: a number with its unit, the name of a choice, `on` or `off`, the
    /// absolute path of a plugin's file, or a plugin's text. Nil if a plugin's value is not known: it was not set, and
    /// the plugin has not reported it.
    public var text: String? {
      if let property, property.isSetByMessage { return node.value(of: property)?.written }
      let value = value
      if info.curve == .toggle { return value > 0 ? "on" : "off" }
      if let choice = info.choices.first(where: { $0.value == value }) { return choice.name }
      return info.unit.written.map { "\(value) \($0.rawValue)" } ?? "\(value)"
    }

    /// Sets the parameter from text: a number with or without a unit (`350 ms`, `0.35 s`, `350`), the name of a
    /// choice, or `on` and `off`. A plugin's file is set by its path, a vector by its numbers (`0.5, 1`).
    ///
    /// - Throws: ``EngineError/file(_:)`` for a file that cannot be read,
    ///   ``EngineError/badValue(node:parameter:text:expected:)``,
    ///   ``EngineError/unknownChoice(node:parameter:choice:known:)``, ``EngineError/notAttached(_:)``,
    ///   ``EngineError/graph(_:)`` when too many changes wait.
    public func set(_ text: String) throws(EngineError) {
      if let property, property.kind != .float, property.kind != .bool { return try set(text, property) }
      if info.curve == .toggle, text == "on" || text == "off" { return try set(text == "on" ? 1 : 0) }
      if info.curve == .choice || info.choices.contains(where: { $0.name == text }) {
        return try node.set(info.symbol, to: text)
      }
      guard let number = Quantity(text)?.value(in: info.unit) else { throw bad(text) }
      try set(Float(number))
    }

    /// Sets a value that a `Float` cannot hold.
    private func set(_ text: String, _ property: ProcessorInfo.Property) throws(EngineError) {
      let value: PropertyValue
      do throws(ProcessorInfo.Property.Misfit) { value = try property.value(of: text) } catch {
        throw .badValue(
          node: node.name, parameter: property.symbol, text: text, expected: property.kind.words)
      }
      try node.set(property, to: value)
    }

    /// Sets the parameter to a number in its own unit.
    ///
    /// - Parameters:
    ///   - number: the target. A number out of range is clamped and reported as
    ///     ``EngineEvent/clamped(node:parameter:asked:used:)``.
    ///   - duration: the duration of the glide; default: the parameter's own.
    ///   - time: when the glide begins; default: as soon as possible.
    /// - Throws: ``EngineError/notANumber(node:parameter:)``, ``EngineError/notAttached(_:)``,
    ///   ``EngineError/graph(_:)`` if too many changes wait.
    public func set(
      _ number: Float, over duration: Duration? = nil, at time: AudioTime? = nil
    ) throws(EngineError) {
      try node.set(info.symbol, to: number, over: duration, at: time)
    }

    /// Sets the parameter to a quantity, which is converted to the parameter's unit.
    ///
    /// - Throws: ``EngineError/badValue(node:parameter:text:expected:)`` for a value of another dimension, and as
    ///   ``set(_:over:at:)``.
    public func set<Value: ContinuousValue>(
      _ value: Value, over duration: Duration? = nil, at time: AudioTime? = nil
    ) throws(EngineError) {
      guard info.unit.hasSameDimension(as: Value.unit) else {
        let number = "\(value.number(in: Value.unit))"
        throw bad(Value.unit.written.map { "\(number) \($0.rawValue)" } ?? number)
      }
      try node.set(info.symbol, to: value.number(in: info.unit), over: duration, at: time)
    }

    private func bad(_ text: String) -> EngineError {
      .badValue(
        node: node.name, parameter: info.symbol, text: text,
        expected: info.unit.written.map { "a number in \($0.rawValue)" } ?? "a number")
    }
  }
}

extension ParameterUnit {
  /// Whether values of one unit can be converted to the other.
  func hasSameDimension(as other: ParameterUnit) -> Bool {
    guard let ownUnit = written, let otherUnit = other.written else { return self == other }
    return Quantity(1, otherUnit).value(in: self) != nil || ownUnit == otherUnit
  }
}
