// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

/// The `ffmpeg` and `ffprobe` programs, which support formats that libsndfile lacks.
enum FFmpeg {
  /// Starts one of the programs.
  ///
  /// - Parameter timeout: the number of seconds without activity after which the program is ended; the default is 60
  ///   if it reads from us, otherwise 10.
  /// - Throws: ``FileError`` of kind `missingProgram`, which names the package, or an error if the program cannot be
  ///   started.
  static func start(
    _ program: String, _ arguments: [String], for path: String, isFed: Bool = false, timeout: Int32? = nil
  ) throws(FileError) -> ChildProcess {
    let executable = try find(program, for: path)
    do throws(StartError) {
      return try ChildProcess(
        executable, ["-hide_banner", "-v", "error"] + arguments, isFed: isFed,
        timeout: timeout ?? (isFed ? 60 : 10))
    } catch {
      let reason = String(cString: strerror(error.number))
      throw FileError(.unreadable, path, "needs '\(executable)', which cannot be started: \(reason)")
    }
  }

  /// Returns the path of a program in `PATH`. Only absolute folders are searched, so that no program in a folder of
  /// sound files is run.
  ///
  /// - Throws: ``FileError`` of kind `missingProgram`, about the file at `path`.
  @discardableResult
  static func find(_ program: String, for path: String) throws(FileError) -> String {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
    guard let executable = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw FileError(
        .missingProgram, path,
        "needs the program '\(program)', which is not installed; install it: apt install ffmpeg")
    }
    return executable
  }

  /// Returns a file's name in a form that these programs cannot mistake for an option, a URL or a pattern.
  static func name(_ path: String) -> String { "file:" + path }

  /// Returns why the program failed, as the end of a sentence.
  static func reason(_ ending: ChildProcess.Ending) -> String {
    if ending.status < 0 { return "ffmpeg was ended by signal \(-ending.status)" }
    return ending.errorOutput.isEmpty ? "ffmpeg gives no reason" : LibraryReason.ffmpeg(ending.errorOutput)
  }
}
