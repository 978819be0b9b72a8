// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// A property of a plugin as its description gives it: a parameter without a port.
struct PluginProperty: Sendable {
  var uri: String
  var kind: ProcessorInfo.Property.Kind
  /// Its name, number, range and unit, described as those of a control input are.
  var port: PluginPort
  var isWritable: Bool, isReadable: Bool

  var number: Int { port.index }
}

extension PluginProperty {
  /// The kind of values of a type, by its URI.
  static func kind(of type: String) -> ProcessorInfo.Property.Kind {
    switch type {
    case Name.atomPath: .path
    case Name.atomString: .text
    case Name.atomURI: .uri
    case Name.atomBool: .bool
    case Name.atomInt: .int
    case Name.atomLong: .long
    case Name.atomFloat: .float
    case Name.atomDouble: .double
    case Name.atomVector: .vector
    default: .unknown(type)
    }
  }

  /// The property as the rest of the program reads it.
  func info(sampleRate: Double) -> ProcessorInfo.Property {
    ProcessorInfo.Property(
      number: number, uri: uri, symbol: port.symbol, name: port.name,
      meaning: PluginModel.line(port.comment), kind: kind, isWritable: isWritable, isReadable: isReadable,
      parameter: kind.isNumeric ? port.parameter(sampleRate: sampleRate) : nil)
  }
}
