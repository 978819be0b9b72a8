// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletGraph

/// Conversion of property values to and from LV2 atoms.
extension PropertyValue {
  /// The URI of the atom's type, and the atom's body.
  var atom: (type: String, body: [UInt8]) {
    switch self {
    case .path(let text): (Name.atomPath, Array(text.utf8) + [0])
    case .text(let text): (Name.atomString, Array(text.utf8) + [0])
    case .uri(let text): (Name.atomURI, Array(text.utf8) + [0])
    case .bool(let value): (Name.atomBool, Self.bytes(of: Int32(value ? 1 : 0)))
    case .int(let value): (Name.atomInt, Self.bytes(of: value))
    case .long(let value): (Name.atomLong, Self.bytes(of: value))
    case .float(let value): (Name.atomFloat, Self.bytes(of: value))
    case .double(let value): (Name.atomDouble, Self.bytes(of: value))
    case .vector(let values): (Name.atomVector, Self.vector(values))
    }
  }

  /// Reads an atom; nil if its type is not supported or its size is wrong.
  init?(type: UInt32, body: UnsafeRawBufferPointer) {
    func number<Number: BitwiseCopyable>(_: Number.Type) -> Number? {
      body.count >= MemoryLayout<Number>.size ? body.loadUnaligned(as: Number.self) : nil
    }
    func text() -> String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
    switch URIDMap.shared.name(of: type).map({ String(cString: $0) }) {
    case Name.atomPath: self = .path(text())
    case Name.atomString: self = .text(text())
    case Name.atomURI: self = .uri(text())
    case Name.atomURID:
      guard let name = number(UInt32.self).flatMap({ URIDMap.shared.name(of: $0) }) else { return nil }
      self = .uri(String(cString: name))
    case Name.atomBool:
      guard let value = number(Int32.self) else { return nil }
      self = .bool(value != 0)
    case Name.atomInt:
      guard let value = number(Int32.self) else { return nil }
      self = .int(value)
    case Name.atomLong:
      guard let value = number(Int64.self) else { return nil }
      self = .long(value)
    case Name.atomFloat:
      guard let value = number(Float.self) else { return nil }
      self = .float(value)
    case Name.atomDouble:
      guard let value = number(Double.self) else { return nil }
      self = .double(value)
    case Name.atomVector:
      guard let values = Self.vector(in: body) else { return nil }
      self = .vector(values)
    default: return nil
    }
  }

  private static func bytes<Number: BitwiseCopyable>(of number: Number) -> [UInt8] {
    withUnsafeBytes(of: number) { Array($0) }
  }

  private static func vector(_ values: [PropertyValue]) -> [UInt8] {
    let atoms = values.map(\.atom)
    guard let first = atoms.first else { return bytes(of: UInt32(4)) + bytes(of: UInt32(0)) }
    let body = LV2_Atom_Vector_Body(
      child_size: UInt32(first.body.count), child_type: URIDMap.shared.number(of: first.type))
    return bytes(of: body) + atoms.flatMap(\.body)
  }

  private static func vector(in body: UnsafeRawBufferPointer) -> [PropertyValue]? {
    guard body.count >= 8 else { return nil }
    let head = body.loadUnaligned(as: LV2_Atom_Vector_Body.self), size = Int(head.child_size)
    guard [4, 8].contains(size), (body.count - 8) % size == 0 else { return nil }
    let values = stride(from: 8, to: body.count, by: size).compactMap { start in
      PropertyValue(type: head.child_type, body: UnsafeRawBufferPointer(rebasing: body[start..<start + size]))
    }
    return values.count == (body.count - 8) / size ? values : nil
  }
}
