// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletGraph
internal import SwiftletSignal

extension PluginRuntime {
  /// Sends the pending messages about properties, then the properties that were set by number. Messages that do not fit
  /// wait for the next slice.
  @_noLocks @_noAllocation mutating func sendProperties(to port: EventPort) {
    if let messages { sendMessages(messages, to: port) }
    for index in 0..<propertyCount where properties[index].isDirty {
      var atom = PatchAtom(properties[index], values[portCount + index], types.patch)
      guard atom.append(to: port, types.patch) else { return }
      properties[index].isDirty = false
    }
  }

  /// Discards a property's value that was set by number, since the plugin has a newer one. Ignores other numbers.
  @_noLocks @_noAllocation func discardUnsent(_ number: Int) {
    guard portCount <= number, number < portCount + propertyCount else { return }
    properties[number - portCount].isDirty = false
    rt_store_float(values + number, .nan)
  }

  @_noLocks @_noAllocation private mutating func sendMessages(
    _ messages: UnsafeMutablePointer<PluginMessages>, to port: EventPort
  ) {
    let end = messages.pointee.incoming.end
    while port.room >= PatchMessage.longest, let message = messages.pointee.incoming.read(before: end) {
      discardUnsent(Int(message.tag))
      _ = port.append(frame: 0, type: types.patch.object, message.bytes, size: Int(message.size))
    }
  }

  /// Stores a message in which the plugin reports properties, for control threads.
  @_noLocks @_noAllocation func noteMessage(_ bytes: UnsafeRawPointer, size: Int) {
    guard let messages, size >= 8 else { return }
    let kind = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    guard kind == types.patch.set || kind == types.patch.put else { return }
    _ = messages.pointee.outgoing.write(tag: 0, bytes, size: UInt32(truncatingIfNeeded: size))
    faults.pointee.reportedProperty()
  }
}

/// The queues of messages about properties between control threads and the audio thread, for one body.
struct PluginMessages: ~Copyable {
  /// Object bodies for the plugin, each with the number of its property. Written under the lock of the bodies.
  let incoming = MessageRing(capacity: 1 << 15)
  /// Object bodies that the plugin sent. Read under the lock of the bodies.
  let outgoing = MessageRing(capacity: 1 << 15)

  /// Allocates rings at a fixed address.
  static func make() -> UnsafeMutablePointer<PluginMessages> {
    let messages = UnsafeMutablePointer<PluginMessages>.allocate(capacity: 1)
    messages.initialize(to: PluginMessages())
    return messages
  }

  /// Frees the rings, which no thread may use any more.
  static func free(_ messages: UnsafeMutablePointer<PluginMessages>) {
    messages.deinitialize(count: 1)
    messages.deallocate()
  }
}

extension PatchAtom.Slot {
  /// Creates the slot for a property.
  init(_ property: PluginProperty) {
    let (type, kind): (String?, PatchAtom.Kind) =
      switch property.kind {
      case .bool: (Name.atomBool, .int)
      case .int: (Name.atomInt, .int)
      case .long: (Name.atomLong, .long)
      case .float: (Name.atomFloat, .float)
      case .double: (Name.atomDouble, .double)
      case .path, .text, .uri, .vector, .unknown: (nil, .none)
      }
    let map = URIDMap.shared
    self.init(property: map.number(of: property.uri), type: type.map { map.number(of: $0) } ?? 0, kind: kind)
  }
}
