// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Yams

/// Converts errors of Yams to problems.
enum YamlProblem {
  static let tooDeep =
    "found a manifest that nests more than \(Document.depthLimit) levels deep; expected four or five"

  /// Returns the problem for an error of Yams.
  static func problem(for error: any Error, text: String, file: String) -> Problem {
    guard let error = error as? YamlError else { return Problem(file: file, message: "\(error)") }
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      return Problem(file: file, position: TextPosition(mark), message: message(problem, context))
    case .reader(let problem, let offset, _, _):
      return Problem(
        file: file, position: offset.map { position(at: $0, in: text) },
        message: "found a character that YAML does not allow (\(problem)); expected text in UTF-8")
    case .duplicatedKeysInMapping(let keys, let context):
      return duplicate(keys.first ?? "", first: TextPosition(context.mark), text: text, file: file)
    case .memory:
      return Problem(file: file, message: "ran out of memory while it was read")
    case .dataCouldNotBeDecoded:
      return Problem(file: file, message: "found bytes that are no text; expected UTF-8")
    case .no, .writer, .emitter, .representer:
      return Problem(file: file, message: "cannot be read as YAML: \(error)")
    }
  }

  private static func message(_ problem: String, _ context: YamlError.Context?) -> String {
    if problem.contains("nesting level") { return tooDeep }
    let cause = context.map { "\($0.text) from line \($0.mark.line), " } ?? ""
    if problem.contains("another document") {
      return "found a second document; expected one manifest a file"
    }
    return "found something that is not YAML: \(cause)\(problem)"
  }

  /// Returns the problem of a repeated key. Yams reports the position of the first one. In block style the second one
  /// has the same column.
  private static func duplicate(_ key: String, first: TextPosition, text: String, file: String) -> Problem {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Yams reports line and column 0 for a key with an unknown position.
    let indent = max(first.column - 1, 0)
    let again = lines.indices.dropFirst(max(first.line, 0)).first { index in
      let behind = lines[index].unicodeScalars.dropFirst(indent)
      return lines[index].unicodeScalars.prefix(indent).allSatisfy { $0 == " " }
        && String(behind).hasPrefix("\(key):")
    }
    let name = Document.short(key)
    guard let again else {
      return Problem(
        file: file, position: first,
        message: "found the key '\(name)' twice in one mapping; expected each key once")
    }
    return Problem(
      file: file, position: TextPosition(line: again + 1, column: first.column),
      message: "found the key '\(name)' twice, first in line \(first.line); expected each key once")
  }

  /// Returns the position of the character at an offset.
  private static func position(at offset: Int, in text: String) -> TextPosition {
    var position = TextPosition.start
    for character in text.prefix(offset) {
      position =
        character.isNewline ? TextPosition(line: position.line + 1, column: 1) : position.moved(by: 1)
    }
    return position
  }
}

extension TextPosition {
  fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}
