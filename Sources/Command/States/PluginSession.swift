// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletDisk
internal import SwiftletManifest

/// A session that is made to look at its plugins: nothing is played, nothing recorded.
enum PluginSession {
  /// Makes the session.
  ///
  /// - Parameter file: what messages call the manifest.
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

  /// Does what makes a folder; an error of the disk is a failure that names it.
  static func written<Result>(_ path: String, _ body: () throws(DiskError) -> Result) throws -> Result {
    do throws(DiskError) { return try body() } catch {
      throw Failure(.badInput, "'\(path)' \(reason(error))")
    }
  }

  private static func reason(_ error: DiskError) -> String {
    switch error {
    case .system(EEXIST): "is there already; choose another name"
    case .link: "is a symbolic link; name the folder that it leads to"
    case .noName: "is no name of a folder"
    default: "cannot be written: \(String(cString: strerror(error.number)))"
    }
  }
}
