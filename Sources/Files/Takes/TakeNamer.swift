// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import Foundation
internal import SwiftletDisk

/// Names the takes of one run: one number for all of its taps, and nothing that is there is ever overwritten.
///
/// A pattern is a path with tokens: `{tap}` the tap's name, `{take}` the run's number in three digits,
/// `{name}` the session's name, `{date}` as 2026-01-31 and `{time}` as 23-59-58. A pattern without `{take}`
/// is used as it stands while it is free, else it gets the run's number before its extension.
package struct TakeNamer: Sendable {
  /// The tokens that a pattern may have.
  package static let tokens = ["tap", "take", "name", "date", "time"]

  /// What one tap wants to be called.
  package struct Wish: Sendable, Equatable {
    /// The tap's name.
    package var tap: String
    /// The pattern, relative to the takes' folder unless it begins with a slash.
    package var pattern: String
    /// Whether a pattern without `{take}` replaces what is there.
    package var overwrites: Bool
    /// Whether the take may not leave the takes' folder.
    package var isConfined: Bool

    /// A wish for the tap `tap`.
    package init(tap: String, pattern: String, overwrites: Bool = false, isConfined: Bool = false) {
      self.isConfined = isConfined
      self.tap = tap
      self.pattern = pattern
      self.overwrites = overwrites
    }
  }

  /// The names of one run.
  package struct Names: Sendable, Equatable {
    /// The run's number, 1 or more.
    package var take: Int
    /// Where each tap's take goes, in the order of the wishes.
    package var paths: [String]
  }

  private let folder: String
  private let session: String
  private let date: Date

  /// A namer for takes in `folder`; an empty name is the current directory.
  ///
  /// - Parameters:
  ///   - session: what `{name}` stands for.
  ///   - date: what `{date}` and `{time}` stand for, in the zone of this machine.
  package init(folder: String, session: String, date: Date) {
    self.folder = folder
    self.session = session
    self.date = date
  }

  /// The run's number, one above every take that is there, and the path of each take. Makes no file.
  ///
  /// - Throws: ``FileError`` of kind `badName`: an unknown token, a lone brace, an empty name, two taps that
  ///   would write one file.
  package func names(for wishes: [Wish]) throws(FileError) -> Names {
    var templates: [Template] = []
    for wish in wishes { templates.append(try template(for: wish)) }
    let highest = templates.map { $0.highestTake }.max() ?? 0
    // Number 2^31 is far beyond any shelf of takes, and past it sums stay small.
    var take = min(highest, 1 << 31) + 1
    while templates.contains(where: { $0.hasNumber && isTaken($0.path(take: take)) }) { take += 1 }
    let paths = templates.map { $0.path(take: take) }
    for (index, path) in paths.enumerated() {
      if let other = paths.firstIndex(where: { $0 == path || isSamePlace($0, path) }), other < index {
        throw FileError(
          .badName, path,
          "would be written by the taps '\(wishes[other].tap)' and '\(wishes[index].tap)'; "
            + "give each a name of its own, for example '{tap}-{take}.wav'")
      }
    }
    return Names(take: take, paths: paths)
  }

  /// The wish with everything but the run's number filled in.
  private func template(for wish: Wish) throws(FileError) -> Template {
    let texts = TakeOrigin.texts(of: date, separator: "-")
    let known = ["tap": wish.tap, "name": session, "date": texts.date, "time": texts.time]
    if wish.isConfined, let token = known.first(where: { FilePath.hasSlash($0.value) })?.key,
      wish.pattern.contains("{\(token)}")
    {
      throw FileError(
        .badName, wish.pattern, "leads into another folder by the '/' that '{\(token)}' stands for")
    }
    let parts = try TakeNamer.parts(of: wish.pattern, known: known)
    let name = parts.compactMap { $0 }.joined()
    guard !FilePath.name(of: name).isEmpty, !name.utf8.contains(0) else {
      throw FileError(.badName, wish.pattern, "names no file; try '{tap}-{take}.wav'")
    }
    let base =
      wish.pattern.hasPrefix("/") || folder.isEmpty ? "" : folder + (folder.hasSuffix("/") ? "" : "/")
    let whole = Template(parts: [base] + parts)
    guard !whole.hasNumber, !wish.overwrites, isTaken(whole.path(take: 0)) else { return whole }
    let (stem, ending) = FilePath.ending(of: whole.path(take: 0))
    return Template(parts: [stem + "-", nil, ending])
  }

  /// The pattern in pieces, with nil where the run's number goes.
  private static func parts(of pattern: String, known: [String: String]) throws(FileError) -> [String?] {
    var parts: [String?] = []
    var rest = Substring(pattern)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      parts.append(String(rest[..<open]))
      let inside = rest[rest.index(after: open)...]
      guard rest[open] == "{", let close = inside.firstIndex(of: "}") else {
        throw FileError(.badName, pattern, "has a brace without its partner; tokens are \(tokenList)")
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

  /// Whether a take has the name, or is being recorded under it.
  private func isTaken(_ path: String) -> Bool {
    TakeJournal.traces(of: path).contains { access($0, F_OK) == 0 }
  }
}

/// A path with a place for the run's number.
private struct Template {
  var parts: [String?]
  var hasNumber: Bool { parts.contains { $0 == nil } }

  func path(take: Int) -> String {
    let digits = String(take)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    return parts.map { $0 ?? number }.joined()
  }

  /// The highest number that a file or folder of this name has; 0 where there is none.
  var highestTake: Int {
    guard hasNumber else { return 0 }
    // The number may stand in a folder's name: the first part of the path that has it is looked for.
    let marked = parts.map { $0 ?? "\u{0}" }.joined()
    let components = marked.split(separator: "/", omittingEmptySubsequences: false)
    guard let place = components.firstIndex(where: { $0.contains("\u{0}") }) else { return 0 }
    let parent = components[..<place].joined(separator: "/")
    let around = components[place].split(separator: "\u{0}", omittingEmptySubsequences: false)
    guard let before = around.first, around.count >= 2 else { return 0 }
    let start = parent.isEmpty ? (marked.hasPrefix("/") ? "/" : ".") : parent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: start)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(before) else { return nil }
      let rest = name.dropFirst(before.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      // What follows the number decides whether it is ours: `dry-002.wav`, or a journal behind it.
      guard digits.count >= 3, rest.dropFirst(digits.count).hasPrefix(around[1]) else { return nil }
      return Int(digits)
    }.max() ?? 0
  }
}
