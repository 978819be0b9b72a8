// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

extension FileLocation {
  /// The path; throws an engine's error if the location is not in the file system.
  var enginePath: String {
    get throws(EngineError) {
      try readingFile { () throws(FileError) in try filePath }
    }
  }

  /// The path; throws an export's error if the location is not in the file system.
  var exportPath: String {
    get throws(ExportError) {
      do throws(FileError) { return try filePath } catch { throw .file(error) }
    }
  }
}

extension [String: any FileLocation] {
  /// The paths of an effect's files, by their symbols.
  ///
  /// - Throws: ``EngineError/file(_:)`` if a location is not in the file system.
  var enginePaths: [String: String] {
    get throws(EngineError) {
      var paths: [String: String] = [:]
      for (name, file) in self { paths[name] = try file.enginePath }
      return paths
    }
  }
}

/// Converts file errors into the engine's errors.
func readingFile<Result>(_ body: () throws(FileError) -> Result) throws(EngineError) -> Result {
  do throws(FileError) { return try body() } catch { throw .file(error) }
}
