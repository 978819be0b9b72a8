// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
package import SwiftletLV2

extension PluginNode {
  /// The files that the plugin reads, by name: `try comp.files["impulse"].set("hall.wav")`.
  package var files: PluginFileList { PluginFileList(node: self) }
}

extension AudioNode {
  /// Saves the plugin's whole state in a folder, files included, while the plugin runs. Replaces an existing state.
  ///
  /// - Parameter title: the title of a state that is saved as a preset; default: none.
  /// - Throws: ``EngineError/plugin(_:)``, ``EngineError/notAttached(_:)``.
  package func saveState(
    to folder: some FileLocation, title: StateTitle? = nil
  ) throws(EngineError) {
    try engine.saveState(to: folder.enginePath, title: title, of: self)
  }

  /// Restores the plugin's state from a folder, also one that another host has saved.
  ///
  /// - Throws: as ``saveState(to:)``.
  package func loadState(from folder: some FileLocation) throws(EngineError) {
    try engine.loadState(from: folder.enginePath, on: self)
  }
}

/// The files of a plugin: its parameters whose value is a path.
package struct PluginFileList: Sendable {
  let node: AudioNode

  /// The names of the files.
  package var names: [String] {
    (node.info?.properties ?? []).filter { $0.kind == .path && $0.isWritable }.map(\.symbol)
  }

  /// The file with this name.
  ///
  /// - Throws: ``EngineError/unknownFile(effect:file:known:)``.
  package subscript(name: String) -> File {
    get throws(EngineError) {
      guard let property = node.info?.property(name), property.kind == .path, property.isWritable else {
        throw .unknownFile(effect: node.name, file: name, known: names)
      }
      return File(node: node, property: property)
    }
  }

  /// A file property of a plugin.
  package struct File: Sendable {
    let node: AudioNode
    let property: ProcessorInfo.Property

    /// The absolute path; nil if it is unknown.
    package var path: String? { node.value(of: property)?.written }

    /// Sets the file.
    ///
    /// - Throws: ``EngineError/file(_:)`` for one that cannot be read, ``EngineError/plugin(_:)``,
    ///   ``EngineError/notAttached(_:)``.
    package func set(_ file: some FileLocation) throws(EngineError) {
      try node.set(property, to: .path(file.enginePath))
    }
  }
}
