// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// The `ffmpeg` and `ffprobe` programs, which know the formats that libsndfile lacks.
enum FFmpeg {
  /// Starts one of them.
  ///
  /// - Parameter patience: seconds without a sign of life after which it is ended; 60 where it is fed, else 10.
  /// - Throws: ``FileError`` of kind `missingProgram`, which names the package; or where it cannot be
  ///   started.
  static func start(
    _ program: String, _ arguments: [String], for path: String, isFed: Bool = false, patience: Int32? = nil
  ) throws(FileError) -> ChildProcess {
    let place = try find(program, for: path)
    do throws(StartError) {
      return try ChildProcess(
        place, ["-hide_banner", "-v", "error"] + arguments, isFed: isFed,
        patience: patience ?? (isFed ? 60 : 10))
    } catch {
      let reason = String(cString: strerror(error.number))
      throw FileError(.unreadable, path, "needs '\(place)', which cannot be started: \(reason)")
    }
  }

  /// Where a program is; only whole paths count, so that no program of a folder full of sound is run.
  ///
  /// - Throws: ``FileError`` of kind `missingProgram`, about the file at `path`.
  @discardableResult
  static func find(_ program: String, for path: String) throws(FileError) -> String {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let places = folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
    guard let place = places.first(where: { access($0, X_OK) == 0 }) else {
      throw FileError(
        .missingProgram, path,
        "needs the program '\(program)', which is not installed; install it: apt install ffmpeg")
    }
    return place
  }

  /// A file's name as these programs cannot misunderstand it: no option, no address, no pattern.
  static func name(_ path: String) -> String { "file:" + path }

  /// The end of a sentence: why the program failed.
  static func reason(_ ending: ChildProcess.Ending) -> String {
    if ending.status < 0 { return "ffmpeg was ended by signal \(-ending.status)" }
    return ending.words.isEmpty ? "ffmpeg gives no reason" : LibraryReason.ffmpeg(ending.words)
  }
}
