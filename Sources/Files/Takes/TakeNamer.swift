// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import Foundation
internal import SwiftletDisk

/// Names the takes of one run: all taps share one number, and no existing file is overwritten unless requested.
///
/// A pattern is a path with tokens: `{tap}` for the tap's name, `{take}` for the run's number with at least three
/// digits, `{name}` for the session's name, `{date}` such as 2026-01-31 and `{time}` such as 23-59-58. A pattern
/// without `{take}` is used unchanged if its path is free; otherwise the run's number is inserted before the extension.
package struct TakeNamer: Sendable {
  /// The valid tokens of a pattern.
  package static let tokens = ["tap", "take", "name", "date", "time"]

  /// A request for the name of one tap's take.
  package struct NameRequest: Sendable, Equatable {
    /// The tap's name.
    package var tap: String
    /// The pattern, relative to the takes folder unless it begins with a slash.
    package var pattern: String
    /// Whether a pattern without `{take}` replaces an existing file. The default is false.
    package var overwrites: Bool
    /// Whether the take must stay inside the takes folder. The default is false.
    package var isConfined: Bool

    /// Creates a request for the tap `tap`.
    package init(tap: String, pattern: String, overwrites: Bool = false, isConfined: Bool = false) {
      self.isConfined = isConfined
      self.tap = tap
      self.pattern = pattern
      self.overwrites = overwrites
    }
  }

  /// The names of one run's takes.
  package struct Names: Sendable, Equatable {
    /// The run's number, 1 or more.
    package var take: Int
    /// The path of each tap's take, in the order of the requests.
    package var paths: [String]
  }

  private let folder: String
  private let session: String
  private let date: Date

  /// Creates a namer for takes in `folder`; an empty string is the current directory.
  ///
  /// - Parameters:
  ///   - session: the value of `{name}`.
  ///   - date: the value of `{date}` and `{time}`, in the machine's time zone.
  package init(folder: String, session: String, date: Date) {
    self.folder = folder
    self.session = session
    self.date = date
  }

  /// Returns the run's number, one above every existing take, and the path of each take. Creates no file.
  ///
  /// - Throws: ``FileError`` of kind `badName`: an unknown token, an unmatched brace, an empty name, or two taps with
  ///   the same path.
  package func names(for requests: [NameRequest]) throws(FileError) -> Names {
    var templates: [Template] = []
    for request in requests { templates.append(try template(for: request)) }
    let highest = templates.map { $0.highestTake }.max() ?? 0
    // The limit of 2^31 keeps the arithmetic below from overflowing.
    var take = min(highest, 1 << 31) + 1
    while templates.contains(where: { $0.hasNumber && isTaken($0.path(take: take)) }) { take += 1 }
    let paths = templates.map { $0.path(take: take) }
    for (index, path) in paths.enumerated() {
      if let other = paths.firstIndex(where: { $0 == path || isSameLocation($0, path) }), other < index {
        throw FileError(
          .badName, path,
          "would be written by the taps '\(requests[other].tap)' and '\(requests[index].tap)'; "
            + "give each a name of its own, for example '{tap}-{take}.wav'")
      }
    }
    return Names(take: take, paths: paths)
  }

  /// Fills in all tokens of a request but the run's number.
  private func template(for request: NameRequest) throws(FileError) -> Template {
    let texts = TakeOrigin.texts(of: date, separator: "-")
    let known = ["tap": request.tap, "name": session, "date": texts.date, "time": texts.time]
    if request.isConfined, let token = known.first(where: { FilePath.hasSlash($0.value) })?.key,
      request.pattern.contains("{\(token)}")
    {
      throw FileError(
        .badName, request.pattern,
        "leads into another folder: the value of '{\(token)}' contains a '/'; choose a value without it")
    }
    let parts = try TakeNamer.parts(of: request.pattern, known: known)
    let name = parts.compactMap { $0 }.joined()
    guard !FilePath.name(of: name).isEmpty, !name.utf8.contains(0) else {
      throw FileError(.badName, request.pattern, "names no file; try '{tap}-{take}.wav'")
    }
    let base =
      request.pattern.hasPrefix("/") || folder.isEmpty ? "" : folder + (folder.hasSuffix("/") ? "" : "/")
    let whole = Template(parts: [base] + parts)
    guard !whole.hasNumber, !request.overwrites, isTaken(whole.path(take: 0)) else { return whole }
    let (stem, ending) = FilePath.ending(of: whole.path(take: 0))
    return Template(parts: [stem + "-", nil, ending])
  }

  /// Splits the pattern into parts; nil stands for the run's number.
  private static func parts(of pattern: String, known: [String: String]) throws(FileError) -> [String?] {
    var parts: [String?] = []
    var rest = Substring(pattern)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      parts.append(String(rest[..<open]))
      let inside = rest[rest.index(after: open)...]
      guard rest[open] == "{", let close = inside.firstIndex(of: "}") else {
        throw FileError(.badName, pattern, "has an unmatched brace; tokens are \(tokenList)")
      }
      let token = String(inside[..<close])
      if token == "take" {
        parts.append(nil)
      } else if let value = known[token] {
        parts.append(value)
      } else {
        throw FileError(.badName, pattern, "has the unknown token '{\(token)}'; tokens are \(tokenList)")
      }
      rest = inside[inside.index(after: close)...]
    }
    return parts + [String(rest)]
  }

  private static var tokenList: String { tokens.map { "{\($0)}" }.joined(separator: " ") }

  /// Whether the path of a take exists or is being recorded.
  private func isTaken(_ path: String) -> Bool {
    TakeJournal.traces(of: path).contains { access($0, F_OK) == 0 }
  }
}

/// A path with gaps for the run's number.
private struct Template {
  var parts: [String?]
  var hasNumber: Bool { parts.contains { $0 == nil } }

  func path(take: Int) -> String {
    let digits = String(take)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return parts.map { $0 ?? number }.joined()
  }

  /// The highest number of an existing file or folder that matches this path; 0 if there is none.
  var highestTake: Int {
    guard hasNumber else { return 0 }
    // The number may be part of a folder's name. Only the first path component with a number is searched.
    let marked = parts.map { $0 ?? "\u{0}" }.joined()
    let components = marked.split(separator: "/", omittingEmptySubsequences: false)
    guard let index = components.firstIndex(where: { $0.contains("\u{0}") }) else { return 0 }
    let parent = components[..<index].joined(separator: "/")
    let around = components[index].split(separator: "\u{0}", omittingEmptySubsequences: false)
    guard let before = around.first, around.count >= 2 else { return 0 }
    let start = parent.isEmpty ? (marked.hasPrefix("/") ? "/" : ".") : parent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: start)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(before) else { return nil }
      let rest = name.dropFirst(before.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      // The text after the number must match, so that other files are not counted: `dry-002.wav`, or its journal.
      guard digits.count >= 3, rest.dropFirst(digits.count).hasPrefix(around[1]) else { return nil }
      return Int(digits)
    }.max() ?? 0
  }
}
