// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletDisk

extension ResolvedManifest {
  /// Returns a problem for each recording outside the takes folder.
  ///
  /// - Parameters:
  ///   - severity: The problems' severity; default: error.
  ///   - file: The manifest's name in the problems.
  package func takesOutside(_ severity: Problem.Severity = .error, file: String) -> [Problem] {
    taps.compactMap { tap in
      guard let name = tap.recording?.file,
        TakeName.leavesFolder(name.text.replacing("{name}", with: self.name))
          || FilePath.hasSlash(self.name) && name.text.contains("{name}")
      else { return nil }
      return Problem(
        severity, file: file, position: name.position,
        message: "the tap '\(tap.name)' records to '\(Document.short(name.text))', outside the takes folder; "
          + "expected a name inside it; if you trust this manifest, allow takes outside it",
        remedy: .takesOutside)
    }
  }

  /// Returns the folders of the manifest's takes, and for each the number of levels of subfolders whose names depend
  /// on the take, such as its date.
  ///
  /// - Parameter folder: The takes folder.
  package func folders(ofTakesIn folder: String) -> [String: Int] {
    var found: [String: Int] = [:]
    for file in taps.compactMap({ $0.recording?.file.text }) {
      let steps = FilePath.steps(of: FilePath.folder(of: file))
      let known = steps.prefix { !$0.contains("{") }
      let root = FilePath.isAbsolute(file) ? "" : folder
      let path = known.reduce(root) { $0 + "/" + $1 }
      let key = path.isEmpty ? "/" : path
      found[key] = max(found[key] ?? 0, steps.count - known.count)
    }
    return found
  }
}
