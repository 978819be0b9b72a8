// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import SwiftletSignal

/// The URIDs that a `time:Position` contains.
struct PositionTypes: BitwiseCopyable {
  var object: UInt32, position: UInt32
  var frame: UInt32, speed: UInt32, bar: UInt32, barBeat: UInt32
  var beatUnit: UInt32, beatsPerBar: UInt32, beatsPerMinute: UInt32
  var int: UInt32, long: UInt32, float: UInt32

  init() {
    let map = URIDMap.shared
    object = map.number(of: Name.object)
    position = map.number(of: Name.position)
    frame = map.number(of: Name.timeFrame)
    speed = map.number(of: Name.timeSpeed)
    bar = map.number(of: Name.timeBar)
    barBeat = map.number(of: Name.timeBarBeat)
    beatUnit = map.number(of: Name.timeBeatUnit)
    beatsPerBar = map.number(of: Name.timeBeatsPerBar)
    beatsPerMinute = map.number(of: Name.timeBeatsPerMinute)
    int = map.number(of: Name.atomInt)
    long = map.number(of: Name.atomLong)
    float = map.number(of: Name.atomFloat)
  }
}

/// A `time:Position` object in memory of fixed size, in LV2's layout.
struct PositionAtom: BitwiseCopyable {
  /// A property: key, context, the value's atom header, and the value padded to eight bytes.
  private struct Property: BitwiseCopyable {
    var key: UInt32 = 0, context: UInt32 = 0, size: UInt32 = 0, type: UInt32 = 0
    var value: UInt64 = 0
  }
  private var body: LV2_Atom_Object_Body
  private var frame = Property(), speed = Property()
  // Tempo and position in the bar, included only if the transport has a tempo.
  private var bar = Property(), barBeat = Property()
  private var beatUnit = Property(), beatsPerBar = Property(), beatsPerMinute = Property()
  private let size: Int

  @_noLocks @_noAllocation init(_ transport: Transport, _ types: PositionTypes) {
    body = LV2_Atom_Object_Body(id: 0, otype: types.position)
    let hasTempo = transport.tempo > 0
    size = 8 + 24 * (hasTempo ? 7 : 2)
    frame = Self.long(types.frame, transport.position, types)
    speed = Self.float(types.speed, transport.isRolling ? 1 : 0, types)
    // LV2 counts bars from 0.
    bar = Self.long(types.bar, Int64(transport.bar) - 1, types)
    barBeat = Self.float(types.barBeat, Float(transport.beat), types)
    let unit = 1 <= transport.beatUnit && transport.beatUnit <= 1024 ? UInt64(transport.beatUnit) : 4
    beatUnit = Property(key: types.beatUnit, size: 4, type: types.int, value: unit)
    beatsPerBar = Self.float(types.beatsPerBar, transport.beatsPerBar, types)
    beatsPerMinute = Self.float(types.beatsPerMinute, Float(transport.tempo), types)
  }

  /// Appends the object at the start of a slice; returns false if there is no space.
  @_noLocks @_noAllocation mutating func append(to port: EventPort, _ types: PositionTypes) -> Bool {
    let size = size
    return withUnsafeBytes(of: &self) { bytes in
      guard let base = bytes.baseAddress else { return false }
      return port.append(frame: 0, type: types.object, base, size: size)
    }
  }

  @_noLocks @_noAllocation private static func long(
    _ key: UInt32, _ value: Int64, _ types: PositionTypes
  ) -> Property {
    Property(key: key, size: 8, type: types.long, value: UInt64(bitPattern: value))
  }

  @_noLocks @_noAllocation private static func float(
    _ key: UInt32, _ value: Float, _ types: PositionTypes
  ) -> Property {
    Property(key: key, size: 4, type: types.float, value: UInt64(value.bitPattern))
  }
}
