// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// A property as a plugin's description declares it: a parameter without a port.
struct PluginProperty: Sendable {
  var uri: String
  var kind: ProcessorInfo.Property.Kind
  /// Its name, number, range and unit, described as for a control input.
  var port: PluginPort
  var isWritable: Bool, isReadable: Bool

  var number: Int { port.index }
}

extension PluginProperty {
  /// The kind of values of a type, by the type's URI.
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

  /// The property's description for other modules.
  func info(sampleRate: Double) -> ProcessorInfo.Property {
    ProcessorInfo.Property(
      number: number, uri: uri, symbol: port.symbol, name: port.name,
      meaning: PluginModel.line(port.comment), kind: kind, isWritable: isWritable, isReadable: isReadable,
      parameter: kind.isNumeric ? port.parameter(sampleRate: sampleRate) : nil)
  }
}
