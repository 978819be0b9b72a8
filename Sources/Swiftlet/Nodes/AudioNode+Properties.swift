// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
package import SwiftletGraph
internal import SwiftletFiles
internal import SwiftletLV2
internal import Synchronization

extension AudioNode {
  /// Sets a plugin's property: a parameter that the plugin reads from messages instead of a port.
  ///
  /// A relative path starts at the current folder. While the plugin plays, the value is sent with its next block.
  ///
  /// - Throws: ``EngineError/file(_:)`` for a path at which no file or folder can be read,
  ///   ``EngineError/plugin(_:)``, ``EngineError/notAttached(_:)``.
  package func set(_ property: ProcessorInfo.Property, to value: PropertyValue) throws(EngineError) {
    guard let processor = try record({ $0.plugin }) else { throw .notAttached(name) }
    var value = value
    if case .path(let path) = value { value = .path(try Self.readable(path)) }
    do throws(PluginError) {
      try PluginOutput.attributed(to: name) { () throws(PluginError) in
        try processor.set(property: property.number, to: value) { engine.mayBePlaying(id) }
      }
    } catch {
      throw .plugin(error)
    }
    guard let number = value.number else { return }
    engine.core.withLock { core in
      core.records[id]?.set(Float(number), to: property.number)
      core.staged[id]?.set(Float(number), to: property.number)
    }
  }

  /// Returns the value of a plugin's property: the last that was set or that the plugin has reported; nil if it is
  /// unknown.
  package func value(of property: ProcessorInfo.Property) -> PropertyValue? {
    (try? record { $0.plugin })?.flatMap { $0.value(ofProperty: property.number) }
  }

  /// Returns the absolute path of a file or folder. Throws if it cannot be read.
  private static func readable(_ path: String) throws(EngineError) -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    if let reason = PropertyFile.fault(absolute) { throw .file(reason) }
    return absolute
  }
}

/// A file or folder that is passed to a plugin.
package enum PropertyFile {
  /// Returns the reason why a path cannot be read; nil if it is a readable file or a folder.
  package static func fault(_ path: String) -> FileError? {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return nil }
    do throws(FileError) {
      try AudioFileReader.requireRegularFile(path)
      return nil
    } catch {
      return error
    }
  }
}
