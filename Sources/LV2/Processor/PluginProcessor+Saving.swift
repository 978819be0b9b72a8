// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk
internal import SwiftletGraph
internal import Synchronization

/// Saving a plugin's complete state in a folder: parameters, properties and files, for each instance.
extension PluginProcessor {
  /// Saves the state while the plugin plays on. Creates the folder if it does not exist. Replaces an existing state in
  /// one step once the new one is complete. Any thread except the audio thread.
  ///
  /// - Parameter title: The label of the state, if it will be a preset.
  /// - Throws: ``PluginError/state(_:plugin:because:)``.
  package func save(
    stateTo path: String, title: StateTitle? = nil, isPlaying: () -> Bool
  ) throws(PluginError) {
    try changeLock.locked { () throws(PluginError) in
      _ = finishRefit(isPlaying: isPlaying)
      let body = body
      let isResting = !isPlaying()
      var unwritable: StateTurtle.Fault?
      do throws(DiskError) {
        let folder = try OpenFolder(path, makes: true)
        let paths = StatePaths(folder)
        var turtle = StateTurtle()
        let values = body.values.filter { $0.number < body.model.ports.count }.map {
          (symbol: body.model.ports[$0.number].symbol, value: $0.value)
        }
        for (number, instance) in body.instances.enumerated() {
          let snapshot = StateSnapshot(savedBy: instance, paths: paths.features(body.files))
          if isResting { body.addWaiting(to: snapshot) }
          if let fault = paths.fault { throw fault.error }
          do throws(StateTurtle.Fault) {
            try turtle.add(
              snapshot, of: uri, subject: StateTurtle.subject(ofInstance: number),
              title: number == 0 ? title : nil, values: values)
          } catch {
            unwritable = error
            throw DiskError.system(EINVAL)
          }
        }
        try NewFile.write(StateTurtle.manifest(of: uri), to: "manifest.ttl", in: folder)
        // Written last, so that everything it refers to exists.
        try NewFile.write(turtle.file, to: "state.ttl", in: folder)
      } catch {
        let reason = unwritable.map {
          "its property <\($0.property)> has the type <\($0.type)>, which cannot be written as Turtle"
        }
        throw .state(path, plugin: uri, because: reason ?? "\(error)")
      }
    }
  }

  /// Loads the state in a folder, as saved by this host, jalv or another lilv-based host. Any thread except the audio
  /// thread.
  ///
  /// If the plugin plays and does not declare thread-safe restoring, a new body is created with the state and
  /// crossfaded to. If a second body is impossible, the plugin is faded out, restored and faded in.
  ///
  /// - Returns: The parameters that the state sets, as from ``load(preset:isPlaying:)``.
  /// - Throws: ``PluginError/state(_:plugin:because:)``, ``PluginError/stillRunning(_:)``.
  @discardableResult package func load(
    stateFrom path: String, isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    try changeLock.locked { () throws(PluginError) -> [(number: Int, value: Float)] in
      var timeout = 3000
      try settle(isPlaying, within: &timeout)
      let states = try world.lock.locked { () throws(PluginError) -> [PluginState] in
        try world.states(in: path, of: uri, count: body.instances.count)
      }
      return try recall(.states(states), isPlaying)
    }
  }
}

extension PluginBody {
  /// Adds the properties that were set by number and have not been sent yet, unless a state has been restored since,
  /// which the plugin itself has.
  func addWaiting(to snapshot: StateSnapshot?) {
    guard let snapshot else { return }
    for (index, property) in model.properties.enumerated()
    where runtime.pointee.properties[index].isDirty && runtime.pointee.restored[property.number].isNaN {
      let number = runtime.pointee.values[property.number]
      let value: PropertyValue? =
        switch property.kind {
        case .bool: .bool(number > 0)
        case .int: .int(PatchAtom.int(number))
        case .long: .long(PatchAtom.long(number))
        case .float: .float(number)
        case .double: .double(Double(number))
        case .path, .text, .uri, .vector, .unknown: nil
        }
      guard let (type, bytes) = value?.atom else { continue }
      let key = URIDMap.shared.number(of: property.uri)
      bytes.withUnsafeBytes {
        snapshot.set(key, type: URIDMap.shared.number(of: type), flags: 3, $0)
      }
    }
  }
}
