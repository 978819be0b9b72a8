// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import Synchronization

/// A property that was set, with its number among the plugin's parameters.
struct PropertyAssignment: Equatable {
  var number: Int
  var uri: String
  var value: PropertyValue
}

/// Setting and reading a plugin's properties, which are parameters without a port, from control threads.
extension PluginProcessor {
  /// Sets a property. Any thread except the audio thread.
  ///
  /// If the plugin plays, it gets a message with its next block. Otherwise it gets the value with its state, if its
  /// state includes the property, so that the first frame has the value; if not, by a message in its first block.
  ///
  /// - Parameter isPlaying: As for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError/noProperty(_:plugin:)`` if the plugin lacks the property or a port for it;
  ///   ``PluginError/tooLong(property:plugin:)``; ``PluginError/busy(_:)`` if too many changes are pending.
  package func set(
    property number: Int, to value: PropertyValue, isPlaying: () -> Bool
  ) throws(PluginError) {
    let model = body.model
    guard let property = model.properties.first(where: { $0.number == number }), property.isWritable,
      model.messageInput != nil
    else { throw .noProperty(number, plugin: uri) }
    let change = PropertyAssignment(number: number, uri: property.uri, value: value)
    guard PatchMessage.set(change.uri, to: change.value).count <= PatchMessage.longest else {
      throw .tooLong(property: property.port.symbol, plugin: uri)
    }
    isAltered.store(true, ordering: .releasing)
    if isPlaying() { return try post(change) }
    try changeLock.locked { () throws(PluginError) in
      var timeout = 3000
      try settle(isPlaying, within: &timeout)
      try withExclusiveAccess(isPlaying, within: &timeout) { () throws(PluginError) in
        if isPlaying() { return try post(change) }
        bodies.withLock { $0.keep(change) }
        let body = body
        body.assign([change])
        body.deliver()
      }
    }
  }

  /// Sends a change to the current body and to the next one, if there is one.
  private func post(_ change: PropertyAssignment) throws(PluginError) {
    let isPosted = bodies.withLock { bodies in
      bodies.keep(change)
      let isPosted = bodies.now.post(change)
      return bodies.next?.post(change) ?? isPosted
    }
    if !isPosted { throw .busy(uri) }
  }

  /// The value of a property: the last one that was set or that the plugin has reported since; otherwise the one that
  /// the plugin would save. Nil if it is unknown; then a `patch:Get` requests it from the plugin with its next block.
  /// Any thread except the audio thread.
  package func value(ofProperty number: Int) -> PropertyValue? {
    guard let property = body.model.properties.first(where: { $0.number == number }) else { return nil }
    let key = URIDMap.shared.number(of: property.uri)
    readReports()
    if let known = bodies.withLock({ $0.known[key] }) { return known }
    let body = body
    if let instance = body.instances.first,
      let snapshot = StateSnapshot(savedBy: instance, paths: PathFeatures(body.files)),
      let saved = snapshot[key],
      let value = PropertyValue(type: saved.type, body: UnsafeRawBufferPointer(saved.bytes))
    {
      return value
    }
    requestValue(of: property.uri, key)
    return nil
  }

  /// Requests a property from the plugin, once.
  private func requestValue(of property: String, _ key: UInt32) {
    guard body.model.messageInput != nil else { return }
    bodies.withLock { bodies in
      guard bodies.requested.insert(key).inserted, let messages = bodies.now.runtime.pointee.messages else {
        return
      }
      _ = PatchMessage.get(property).withUnsafeBytes {
        messages.pointee.incoming.write(tag: .max, $0.baseAddress, size: UInt32($0.count))
      }
    }
  }

  /// Reads the properties that the plugin has reported since the last call.
  func readReports() {
    bodies.withLock { bodies in
      guard let messages = bodies.now.runtime.pointee.messages else { return }
      let end = messages.pointee.outgoing.end
      while let message = messages.pointee.outgoing.read(before: end) {
        let body = UnsafeRawBufferPointer(start: message.bytes, count: Int(message.size))
        for (property, value) in PatchMessage.values(in: body) { bodies.known[property] = value }
      }
    }
  }
}

extension PluginProcessor.Bodies {
  /// Records a property that was set.
  mutating func keep(_ change: PropertyAssignment) {
    assigned.removeAll { $0.number == change.number }
    assigned.append(change)
    known[URIDMap.shared.number(of: change.uri)] = change.value
  }
}

extension PluginBody {
  /// Sets properties of an idle body: with its state if each instance includes them there, otherwise by messages in
  /// its first block.
  func assign(_ changes: [PropertyAssignment]) {
    guard !changes.isEmpty else { return }
    var kept = Set(changes.map(\.number))
    for (number, instance) in instances.enumerated() {
      kept.formIntersection(assign(changes, to: instance, number))
    }
    for change in changes where !kept.contains(change.number) { post(change) }
    for number in kept { runtime.pointee.discardUnsent(number) }
  }

  /// Sets properties of one instance with its state.
  ///
  /// - Returns: The numbers of the properties that its state now contains.
  private func assign(
    _ changes: [PropertyAssignment], to instance: PluginInstance, _ number: Int
  ) -> Set<Int> {
    let paths = PathFeatures(files), map = URIDMap.shared
    guard let state = StateSnapshot(savedBy: instance, paths: paths) else { return [] }
    for change in changes {
      let (type, body) = change.value.atom
      let flags = state[map.number(of: change.uri)]?.flags ?? 1
      body.withUnsafeBytes {
        state.set(map.number(of: change.uri), type: map.number(of: type), flags: flags, $0)
      }
    }
    guard whileWorkIsPaused(within: 1000, { restore(state, into: instance, number) }) != nil else {
      return []
    }
    deliver()
    guard let now = StateSnapshot(savedBy: instance, paths: paths) else { return [] }
    let kept = changes.filter { change in
      let (type, body) = change.value.atom
      guard let saved = now[map.number(of: change.uri)] else { return false }
      return saved.type == map.number(of: type) && saved.bytes.elementsEqual(body)
    }
    return Set(kept.map(\.number))
  }

  /// Sends a property with the next block; returns false if too many are pending.
  @discardableResult func post(_ change: PropertyAssignment) -> Bool {
    guard let messages = runtime.pointee.messages else { return false }
    let bytes = PatchMessage.set(change.uri, to: change.value)
    return bytes.withUnsafeBytes {
      messages.pointee.incoming.write(tag: UInt32(change.number), $0.baseAddress, size: UInt32($0.count))
    }
  }
}
