// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletGraph

/// The URIDs that messages about properties contain.
struct PatchTypes: BitwiseCopyable {
  var object: UInt32, set: UInt32, put: UInt32, property: UInt32, value: UInt32, body: UInt32, urid: UInt32

  init() {
    let map = URIDMap.shared
    object = map.number(of: Name.object)
    set = map.number(of: Name.patchSet)
    put = map.number(of: Name.patchPut)
    property = map.number(of: Name.patchProperty)
    value = map.number(of: Name.patchValue)
    body = map.number(of: Name.patchBody)
    urid = map.number(of: Name.atomURID)
  }
}

/// A `patch:Set` of a number, in memory of fixed size, for the audio thread.
struct PatchAtom: BitwiseCopyable {
  /// A numeric property in the form that the audio thread sends.
  struct Slot: BitwiseCopyable {
    var property: UInt32
    /// The atom's type; 0 if the property is not a number.
    var type: UInt32
    var kind: Kind
    /// Whether the value has to be sent.
    var isDirty = false
  }
  /// The representation of a number in an atom.
  enum Kind: UInt8, BitwiseCopyable { case none, int, long, float, double }

  private var body: LV2_Atom_Object_Body
  private var propertyKey: UInt32, propertyContext: UInt32 = 0
  private var propertySize: UInt32 = 4, propertyType: UInt32, property: UInt64
  private var valueKey: UInt32, valueContext: UInt32 = 0
  private var valueSize: UInt32, valueType: UInt32, value: UInt64

  @_noLocks @_noAllocation init(_ slot: Slot, _ number: Float, _ types: PatchTypes) {
    body = LV2_Atom_Object_Body(id: 0, otype: types.set)
    (propertyKey, propertyType, property) = (types.property, types.urid, UInt64(slot.property))
    (valueKey, valueType) = (types.value, slot.type)
    valueSize = slot.kind == .long || slot.kind == .double ? 8 : 4
    value =
      switch slot.kind {
      case .int: UInt64(UInt32(bitPattern: Self.int(number)))
      case .long: UInt64(bitPattern: Self.long(number))
      case .float, .none: UInt64(number.bitPattern)
      case .double: Double(number).bitPattern
      }
  }

  /// The nearest 32-bit integer within the range that a float represents.
  @_noLocks @_noAllocation static func int(_ number: Float) -> Int32 {
    Int32(min(max(number, -2_147_483_520), 2_147_483_520))
  }

  /// The nearest 64-bit integer within the range that a float represents.
  @_noLocks @_noAllocation static func long(_ number: Float) -> Int64 {
    Int64(min(max(number, -9.223372e18), 9.223372e18))
  }

  /// Appends the message at frame 0; returns false if there is no space.
  @_noLocks @_noAllocation mutating func append(to port: EventPort, _ types: PatchTypes) -> Bool {
    withUnsafeBytes(of: &self) { bytes in
      guard let base = bytes.baseAddress else { return false }
      return port.append(frame: 0, type: types.object, base, size: bytes.count)
    }
  }
}

/// Messages about properties from control threads: bodies of atom objects.
enum PatchMessage {
  /// The maximum size of a message body in bytes: about half of the smallest event buffer.
  static var longest: Int { @_noLocks @_noAllocation get { 8192 - 64 } }

  /// A `patch:Set` of one property.
  static func set(_ property: String, to value: PropertyValue) -> [UInt8] {
    let (type, body) = value.atom
    let map = URIDMap.shared
    return object(Name.patchSet) + propertyKey(property)
      + words([map.number(of: Name.patchValue), 0, UInt32(body.count), map.number(of: type)])
      + body + [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
  }

  /// A `patch:Get` of one property.
  static func get(_ property: String) -> [UInt8] { object(Name.patchGet) + propertyKey(property) }

  private static func object(_ type: String) -> [UInt8] { words([0, URIDMap.shared.number(of: type)]) }

  private static func propertyKey(_ property: String) -> [UInt8] {
    let map = URIDMap.shared
    return words(
      [map.number(of: Name.patchProperty), 0, 4, map.number(of: Name.atomURID), map.number(of: property), 0])
  }

  private static func words(_ words: [UInt32]) -> [UInt8] { words.withUnsafeBytes { Array($0) } }

  /// The values that a message reports, by the URID of the property: one for a `patch:Set`, all in its body for a
  /// `patch:Put`.
  static func values(in body: UnsafeRawBufferPointer) -> [(property: UInt32, value: PropertyValue)] {
    let types = PatchTypes()
    guard body.count >= 8 else { return [] }
    let kind = body.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let entries = entries(of: body)
    if kind == types.set {
      guard let property = entries.first(where: { $0.key == types.property }), property.type == types.urid,
        property.body.count >= 4, let value = entries.first(where: { $0.key == types.value }),
        let read = PropertyValue(type: value.type, body: value.body)
      else { return [] }
      return [(property.body.loadUnaligned(as: UInt32.self), read)]
    }
    guard kind == types.put, let inner = entries.first(where: { $0.key == types.body }) else { return [] }
    return Self.entries(of: inner.body).compactMap { entry in
      PropertyValue(type: entry.type, body: entry.body).map { (entry.key, $0) }
    }
  }

  /// The properties of an object body, up to the first one that exceeds it.
  private static func entries(
    of object: UnsafeRawBufferPointer
  ) -> [(key: UInt32, type: UInt32, body: UnsafeRawBufferPointer)] {
    var entries: [(key: UInt32, type: UInt32, body: UnsafeRawBufferPointer)] = []
    var head = 8
    while head + 16 <= object.count {
      func word(_ offset: Int) -> UInt32 {
        object.loadUnaligned(fromByteOffset: head + offset, as: UInt32.self)
      }
      let size = Int(word(8))
      guard head + 16 + size <= object.count else { break }
      let start = head + 16
      entries.append((word(0), word(12), UnsafeRawBufferPointer(rebasing: object[start..<start + size])))
      head = start + (size + 7) & ~7
    }
    return entries
  }
}
