// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletManifest
internal import SwiftletProcesses

/// The program `dot` of Graphviz.
enum Graphviz {
  /// Draws a picture as SVG. `dot` arranges a small picture; a large one has a ``PictureLayout``.
  ///
  /// - Throws: The errors of ``svg(of:isLaidOut:)``.
  static func svg(of picture: Picture) throws -> String {
    guard picture.isLarge else { return try svg(of: picture.dot()) }
    return try svg(of: picture.dot(PictureLayout(picture)), isLaidOut: true)
  }

  /// Draws a graph in Graphviz' language as SVG.
  ///
  /// - Parameter isLaidOut: Whether the text contains the positions of boxes.
  /// - Throws: A ``Failure``. If `dot` is not installed, it names the package.
  static func svg(of dot: String, isLaidOut: Bool = false) throws -> String {
    guard let program = path else {
      throw Failure(
        .badInput,
        "the picture is drawn by Graphviz, which is not installed: apt install graphviz, or ask for --format dot"
      )
    }
    let child: ChildProcess
    do throws(StartError) {
      // Neato with `-n2` keeps the positions, and only draws.
      child = try ChildProcess(program, isLaidOut ? ["-Kneato", "-n2", "-Tsvg"] : ["-Tsvg"], isFed: true)
    } catch {
      throw Failure(
        .badInput,
        "'\(program)', which draws SVG, cannot be started (\(String(cString: strerror(error.number)))); check its"
          + " permissions, or ask for --format dot")
    }
    // `dot` reads all input before it writes, so writing everything first cannot deadlock.
    _ = Array(dot.utf8).withUnsafeBytes { $0.baseAddress.map { child.write($0, dot.utf8.count) } }
    child.closeInput()
    var (drawn, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let got = child.read(into: &bytes, bytes.count)
      guard got > 0 else { break }
      drawn += bytes[..<got]
    }
    let ending = child.finish()
    guard ending.status == 0, !drawn.isEmpty else {
      let words = ending.errorOutput.replacing("\n", with: " ").shortened(to: 300)
      throw Failure(.badInput, "Graphviz could not draw this graph (\(words)); ask for --format dot")
    }
    return String(decoding: drawn, as: UTF8.self)
  }

  /// The path of `dot`; nil if it is not installed.
  private static var path: String? {
    (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .filter { $0.hasPrefix("/") }.map { "\($0)/dot" }.first { access($0, X_OK) == 0 }
  }
}
