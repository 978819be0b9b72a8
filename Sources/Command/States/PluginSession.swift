// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletDisk
internal import SwiftletManifest

/// A session for access to plugins only. It plays and records nothing.
enum PluginSession {
  /// Creates the session.
  ///
  /// - Parameter file: The manifest's name in messages.
  static func make(_ manifest: ResolvedManifest, file: String) throws -> Session {
    var options = Session.Options()
    (options.records, options.watchesOutputs) = (false, false)
    do throws(EngineError) {
      return try Session(
        manifest, on: .offline(sampleRate: 48_000, longestBlock: AudioEngine.longestLiveBlock), options)
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
  }

  /// Runs code that creates a folder. Converts an error of the disk into a ``Failure`` that names the folder.
  static func written<Result>(_ path: String, _ body: () throws(DiskError) -> Result) throws -> Result {
    do throws(DiskError) { return try body() } catch {
      throw Failure(.badInput, "'\(path)' \(reason(error))")
    }
  }

  private static func reason(_ error: DiskError) -> String {
    switch error {
    case .system(EEXIST): "is there already; choose another name"
    case .link: "is a symbolic link; name the folder that it leads to"
    case .noName: "is not a valid folder name; choose another name"
    default: "cannot be written: \(String(cString: strerror(error.number)))"
    }
  }
}
