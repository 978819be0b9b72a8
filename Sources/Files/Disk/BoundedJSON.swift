// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Decodes JSON that another program wrote, within limits of size and nesting depth.
///
/// Every byte of JSON that comes from outside the process is decoded here. Foundation's decoder traps on a value that
/// nests more than 512 levels deep, so one pass over the bytes checks the limits before Foundation sees them.
package enum BoundedJSON {
  /// Why input was refused.
  package enum Refusal: Error, Equatable {
    /// The input has more bytes than the limit.
    case tooLong(limit: Int)
    /// Arrays and objects are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// The input is not JSON in UTF-8, or does not decode to the requested type.
    case malformed
  }

  /// The default limit of the nesting depth. Swiftlet's own JSON and that of `ffprobe` need five levels.
  package static let depthLimit = 16

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - bytes: the JSON text, in UTF-8.
  ///   - byteLimit: the maximum number of bytes.
  ///   - depthLimit: the maximum nesting depth of arrays and objects; the default is ``depthLimit``.
  ///   - hasISODates: whether dates are ISO 8601 text, as in journals; the default is false.
  /// - Throws: ``Refusal`` if the input exceeds a limit or is malformed.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>, byteLimit: Int,
    depthLimit: Int = BoundedJSON.depthLimit, hasISODates: Bool = false
  ) throws(Refusal) -> Value {
    guard bytes.count <= byteLimit else { throw .tooLong(limit: byteLimit) }
    try checkNesting(of: bytes, depthLimit: depthLimit)
    let decoder = JSONDecoder()
    if hasISODates { decoder.dateDecodingStrategy = .iso8601 }
    guard let value = try? decoder.decode(type, from: Data(bytes)) else { throw .malformed }
    return value
  }

  /// Checks the nesting depth of arrays and objects in one pass that skips the contents of strings.
  ///
  /// Refuses zero bytes: JSON in UTF-8 has none, and Foundation would read text with zero bytes as UTF-16 or UTF-32, in
  /// which brackets and quotation marks are at other positions than in this pass.
  static func checkNesting(of bytes: some Collection<UInt8>, depthLimit: Int) throws(Refusal) {
    var depth = 0, isInString = false, isEscaped = false
    for byte in bytes {
      switch byte {
      case 0: throw .malformed
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isInString: isEscaped = true
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        guard depth >= 0 else { throw .malformed }
      default: break
      }
    }
    guard depth == 0, !isInString else { throw .malformed }
  }
}
