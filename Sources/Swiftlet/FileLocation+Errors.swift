// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

extension FileLocation {
  /// The path, with an engine's error for a location that is not in the file system.
  var enginePath: String {
    get throws(EngineError) {
      try readingFile { () throws(FileError) in try filePath }
    }
  }

  /// The path, with an export's error for a location that is not in the file system.
  var exportPath: String {
    get throws(ExportError) {
      do throws(FileError) { return try filePath } catch { throw .file(error) }
    }
  }
}

extension [String: any FileLocation] {
  /// The paths of the files that an effect is made with, by their names.
  ///
  /// - Throws: ``EngineError/file(_:)`` for a location that is not in the file system.
  var enginePaths: [String: String] {
    get throws(EngineError) {
      var paths: [String: String] = [:]
      for (name, file) in self { paths[name] = try file.enginePath }
      return paths
    }
  }
}

/// Turns the errors of files into the engine's.
func readingFile<Result>(_ body: () throws(FileError) -> Result) throws(EngineError) -> Result {
  do throws(FileError) { return try body() } catch { throw .file(error) }
}
