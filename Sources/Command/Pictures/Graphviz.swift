// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The program `dot`, which draws.
enum Graphviz {
  /// The picture that `dot` draws, as SVG.
  ///
  /// - Throws: a ``Failure`` that names the package, where `dot` is not installed.
  static func svg(of dot: String) throws -> String {
    guard let program = path else {
      throw Failure(
        .badInput,
        "the picture is drawn by Graphviz, which is not installed: apt install graphviz, or ask for --format dot"
      )
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-Tsvg"]
    let (input, output, words) = (Pipe(), Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = words
    do { try process.run() } catch {
      throw Failure(.badInput, "'\(program)' cannot be run: \(error.localizedDescription)")
    }
    // dot reads to the end before it draws, and says little: no pipe fills while another is waited for.
    try? input.fileHandleForWriting.write(contentsOf: Data(dot.utf8))
    try? input.fileHandleForWriting.close()
    let drawn = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    let said = (try? words.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !drawn.isEmpty else {
      let words = Clean.line(String(decoding: said, as: UTF8.self).replacing("\n", with: " "), most: 300)
      throw Failure(.badInput, "Graphviz could not draw this graph: \(words)")
    }
    return String(decoding: drawn, as: UTF8.self)
  }

  /// Where `dot` is; nil where it is not installed.
  private static var path: String? {
    (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/dot" }.first { access($0, X_OK) == 0 }
  }
}
