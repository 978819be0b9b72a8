// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
internal import Synchronization

/// A property that was set, and the number that it has among the plugin's parameters.
struct PropertyAssignment: Equatable {
  var number: Int
  var uri: String
  var value: PropertyValue
}

/// How control threads set and read a plugin's properties: parameters without a port.
extension PluginProcessor {
  /// Sets a property. Any thread but the audio thread.
  ///
  /// A plugin that plays gets a message with its next block. One that does not play gets the value with its state where it
  /// keeps it there, so that it is heard from the first frame; otherwise by a message in its first block.
  ///
  /// - Parameter isPlaying: as for ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError/noProperty(_:plugin:)`` for a property that the plugin does not have, or that it has no
  ///   port for; ``PluginError/tooLong(property:plugin:)``; ``PluginError/busy(_:)`` where too many changes wait.
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
    try world.turn.locked { () throws(PluginError) in
      var patience = 3000
      try settle(isPlaying, within: &patience)
      try whileAway(isPlaying, within: &patience) { () throws(PluginError) in
        if isPlaying() { return try post(change) }
        bodies.withLock { $0.keep(change) }
        let body = body
        world.lock.locked { body.assign([change]) }
        body.deliver()
      }
    }
  }

  /// Sends a change to the bodies that play, or will.
  private func post(_ change: PropertyAssignment) throws(PluginError) {
    let isPosted = bodies.withLock { bodies in
      bodies.keep(change)
      let isPosted = bodies.now.post(change)
      return bodies.next?.post(change) ?? isPosted
    }
    if !isPosted { throw .busy(uri) }
  }

  /// The value of a property: the last that was set, or that the plugin has reported since; otherwise what it would save.
  /// Nil if nothing is known of it; then the plugin is asked, by a `patch:Get` with its next block. Any thread but the audio
  /// thread.
  package func value(ofProperty number: Int) -> PropertyValue? {
    guard let property = body.model.properties.first(where: { $0.number == number }) else { return nil }
    let key = URIDMap.shared.number(of: property.uri)
    readReports()
    if let known = bodies.withLock({ $0.known[key] }) { return known }
    let saved: PropertyValue? = world.lock.locked {
      let body = body
      guard let instance = body.instances.first,
        let saved = StateSnapshot(savedBy: instance, paths: PathFeatures(body.files))?[key]
      else { return nil }
      return PropertyValue(type: saved.type, body: UnsafeRawBufferPointer(saved.bytes))
    }
    if saved == nil { ask(for: property.uri, key) }
    return saved
  }

  /// Asks the plugin for a property, once.
  private func ask(for property: String, _ key: UInt32) {
    guard body.model.messageInput != nil else { return }
    bodies.withLock { bodies in
      guard bodies.asked.insert(key).inserted, let messages = bodies.now.runtime.pointee.messages else {
        return
      }
      _ = PatchMessage.get(property).withUnsafeBytes {
        messages.pointee.incoming.write(tag: .max, $0.baseAddress, size: UInt32($0.count))
      }
    }
  }

  /// Reads what the plugin has reported of its properties since the last call.
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
  /// Notes a property that is set.
  mutating func keep(_ change: PropertyAssignment) {
    assigned.removeAll { $0.number == change.number }
    assigned.append(change)
    known[URIDMap.shared.number(of: change.uri)] = change.value
  }
}

extension PluginBody {
  /// Gives a body at rest properties: with its state where each instance keeps them there, otherwise by messages in its first
  /// block. Under the world's lock.
  func assign(_ changes: [PropertyAssignment]) {
    guard !changes.isEmpty else { return }
    var kept = Set(changes.map(\.number))
    for (number, instance) in instances.enumerated() {
      kept.formIntersection(assign(changes, to: instance, number))
    }
    for change in changes where !kept.contains(change.number) { post(change) }
  }

  /// Gives one instance properties with its state.
  ///
  /// - Returns: the numbers of those that its state has now.
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
    guard whileResting(within: 1000, { restore(state, into: instance, number) }) != nil else { return [] }
    deliver()
    guard let now = StateSnapshot(savedBy: instance, paths: paths) else { return [] }
    let kept = changes.filter { change in
      let (type, body) = change.value.atom
      guard let saved = now[map.number(of: change.uri)] else { return false }
      return saved.type == map.number(of: type) && saved.bytes.elementsEqual(body)
    }
    return Set(kept.map(\.number))
  }

  /// Sends a property with the next block; false where too many wait.
  @discardableResult func post(_ change: PropertyAssignment) -> Bool {
    guard let messages = runtime.pointee.messages else { return false }
    let bytes = PatchMessage.set(change.uri, to: change.value)
    return bytes.withUnsafeBytes {
      messages.pointee.incoming.write(tag: UInt32(change.number), $0.baseAddress, size: UInt32($0.count))
    }
  }
}
