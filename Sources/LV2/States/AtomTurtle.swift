// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc

/// Writes atoms as Turtle in sratom's form, which lilv reads back as the same bytes.
enum AtomTurtle {
  /// The maximum nesting depth of atoms.
  private static let deepest = 32
  /// The maximum size of a nested atom in bytes, so that sums cannot overflow.
  private static let largest = 1 << 28

  /// An atom as the object of a statement; nil if its type has no text form, or if the bytes are not a valid atom of
  /// the type.
  static func object(_ type: UInt32, _ body: UnsafeRawBufferPointer, depth: Int = 0) -> String? {
    guard depth < deepest, let name = name(type) else { return nil }
    func number<Number: BitwiseCopyable>(_: Number.Type) -> Number? {
      body.count >= MemoryLayout<Number>.size ? body.loadUnaligned(as: Number.self) : nil
    }
    func text() -> String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
    switch name {
    case Name.atomPath: return path(text())
    case Name.atomString: return quoted(text())
    case Name.atomURI: return "\(quoted(text()))^^xsd:anyURI"
    case Name.atomURID:
      // lilv would read a `file:` URI as a path.
      guard let uri = number(UInt32.self).flatMap({ self.name($0) }), !uri.hasPrefix("file:") else {
        return nil
      }
      return "<\(escaped(uri: uri))>"
    case Name.atomBool: return number(Int32.self).map { $0 != 0 ? "true" : "false" }
    case Name.atomInt: return number(Int32.self).map { "\"\($0)\"^^xsd:int" }
    case Name.atomLong: return number(Int64.self).map { "\"\($0)\"^^xsd:long" }
    case Name.atomFloat: return number(Float.self).map { "\"\(SerdDecimal.text(of: $0))\"^^xsd:float" }
    case Name.atomDouble: return number(Double.self).map { "\"\(SerdDecimal.text(of: $0))\"^^xsd:double" }
    case Name.chunk: return "\"\(Data(body).base64EncodedString())\"^^xsd:base64Binary"
    case Name.midiEvent:
      let digits = body.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      return "\"\(digits.joined())\"^^<\(Name.midiEvent)>"
    case Name.atomVector: return vector(body, depth)
    case Name.atomTuple:
      return atoms(in: body, from: 0).flatMap { items in
        list(items.map { object($0.type, $0.body, depth: depth + 1) })
      }
      .map { "[\n\t\t\ta atom:Tuple ;\n\t\t\trdf:value \($0)\n\t\t]" }
    case Name.object: return resource(body, depth)
    case Name.sequence: return sequence(body, depth)
    default: return nil
    }
  }

  private static func vector(_ body: UnsafeRawBufferPointer, _ depth: Int) -> String? {
    guard body.count >= 8 else { return nil }
    let head = body.loadUnaligned(as: LV2_Atom_Vector_Body.self), size = Int(head.child_size)
    guard size > 0, size <= largest, (body.count - 8) % size == 0, let child = name(head.child_type) else {
      return nil
    }
    let items = stride(from: 8, to: body.count, by: size).map { start in
      object(head.child_type, UnsafeRawBufferPointer(rebasing: body[start..<start + size]), depth: depth + 1)
    }
    return list(items).map {
      "[\n\t\t\ta atom:Vector ;\n\t\t\tatom:childType <\(escaped(uri: child))> ;\n\t\t\trdf:value \($0)\n\t\t]"
    }
  }

  private static func resource(_ body: UnsafeRawBufferPointer, _ depth: Int) -> String? {
    guard body.count >= 8 else { return nil }
    // An object with an ID would be a separate subject; no plugin needs that in a state.
    let head = body.loadUnaligned(as: LV2_Atom_Object_Body.self)
    guard head.id == 0 else { return nil }
    var lines: [String] = []
    if head.otype != 0 {
      guard let type = name(head.otype) else { return nil }
      lines.append("a <\(escaped(uri: type))>")
    }
    var offset = 8
    while offset < body.count {
      guard offset + 16 <= body.count else { return nil }
      let key = body.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      guard let atom = atom(in: body, at: offset + 8), let name = name(key),
        let value = object(atom.type, atom.body, depth: depth + 1)
      else { return nil }
      lines.append("<\(escaped(uri: name))> \(value)")
      offset += 8 + ((8 + atom.body.count + 7) & ~7)
    }
    guard !lines.isEmpty else { return nil }
    return "[\n\t\t\t" + lines.joined(separator: " ;\n\t\t\t") + "\n\t\t]"
  }

  private static func sequence(_ body: UnsafeRawBufferPointer, _ depth: Int) -> String? {
    guard body.count >= 8 else { return nil }
    let unit = body.loadUnaligned(as: LV2_Atom_Sequence_Body.self).unit
    let isInBeats = unit != 0 && name(unit) == Name.beatTime
    guard unit == 0 || isInBeats || name(unit) == Name.frameTime else { return nil }
    var items: [String?] = [], offset = 8
    while offset < body.count {
      guard let atom = atom(in: body, at: offset + 8) else { return nil }
      let time =
        isInBeats
        ? "atom:beatTime \"\(SerdDecimal.text(of: body.loadUnaligned(fromByteOffset: offset, as: Double.self)))\"^^xsd:double"
        : "atom:frameTime \"\(body.loadUnaligned(fromByteOffset: offset, as: Int64.self))\"^^xsd:long"
      items.append(object(atom.type, atom.body, depth: depth + 1).map { "[ \(time) ; rdf:value \($0) ]" })
      offset += 8 + ((8 + atom.body.count + 7) & ~7)
    }
    return list(items).map { "[\n\t\t\ta atom:Sequence ;\n\t\t\trdf:value \($0)\n\t\t]" }
  }

  private static func list(_ items: [String?]) -> String? {
    let texts = items.compactMap(\.self)
    guard texts.count == items.count else { return nil }
    return texts.isEmpty ? "()" : "( \(texts.joined(separator: " ")) )"
  }

  /// The consecutive atoms in a body, each padded to eight bytes.
  private static func atoms(
    in body: UnsafeRawBufferPointer, from start: Int
  ) -> [(type: UInt32, body: UnsafeRawBufferPointer)]? {
    var atoms: [(type: UInt32, body: UnsafeRawBufferPointer)] = [], offset = start
    while offset < body.count {
      guard let atom = atom(in: body, at: offset) else { return nil }
      atoms.append(atom)
      offset += (8 + atom.body.count + 7) & ~7
    }
    return atoms
  }

  private static func atom(
    in body: UnsafeRawBufferPointer, at offset: Int
  ) -> (type: UInt32, body: UnsafeRawBufferPointer)? {
    guard offset + 8 <= body.count else { return nil }
    let size = Int(body.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    guard size <= largest, offset + 8 + size <= body.count else { return nil }
    let type = body.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
    return (type, UnsafeRawBufferPointer(rebasing: body[(offset + 8)..<(offset + 8 + size)]))
  }

  private static func name(_ number: UInt32) -> String? {
    URIDMap.shared.name(of: number).map { String(cString: $0) }
  }
}

extension AtomTurtle {
  private static func path(_ path: String) -> String {
    // An empty URI reference would denote the file itself.
    if path.isEmpty { return "\"\"^^atom:Path" }
    if path.hasPrefix("/") { return "<\(escaped(uri: URL(filePath: path).absoluteString))>" }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    return "<\(steps.map { percentEncoded($0, keeping: "-._~") }.joined(separator: "/"))>"
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Percent-encodes all bytes except ASCII letters, digits and the characters in `others`.
  static func percentEncoded(_ text: some StringProtocol, keeping others: String) -> String {
    let plain = Set(("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + others).utf8)
    return text.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  static func escaped(uri: String) -> String {
    uri.unicodeScalars.map { scalar in
      "<>\"{}|^`\\ ".unicodeScalars.contains(scalar) || scalar.value < 0x20
        ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
    }.joined()
  }
}
