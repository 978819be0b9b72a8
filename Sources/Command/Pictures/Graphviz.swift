// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletManifest
internal import SwiftletProcesses

/// The program `dot`, which draws.
enum Graphviz {
  /// A picture as SVG. Where the boxes of a small one stand, `dot` decides; a large one brings its layout.
  ///
  /// - Throws: a ``Failure``, as ``svg(of:isLaidOut:)``.
  static func svg(of picture: Picture) throws -> String {
    guard picture.isLarge else { return try svg(of: picture.dot()) }
    return try svg(of: picture.dot(PictureLayout(picture)), isLaidOut: true)
  }

  /// The picture that `dot` draws, as SVG.
  ///
  /// - Parameter isLaidOut: whether the text says where each box stands.
  /// - Throws: a ``Failure`` that names the package, where `dot` is not installed.
  static func svg(of dot: String, isLaidOut: Bool = false) throws -> String {
    guard let program = path else {
      throw Failure(
        .badInput,
        "the picture is drawn by Graphviz, which is not installed: apt install graphviz, or ask for --format dot"
      )
    }
    let child: ChildProcess
    do throws(StartError) {
      // Neato with `-n2` takes positions as they are, and only draws.
      child = try ChildProcess(program, isLaidOut ? ["-Kneato", "-n2", "-Tsvg"] : ["-Tsvg"], isFed: true)
    } catch {
      throw Failure(
        .badInput,
        "'\(program)', which draws SVG, cannot be started (\(String(cString: strerror(error.number)))); check its"
          + " permissions, or ask for --format dot")
    }
    // dot reads to the end before it draws, so neither waits for the other.
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
      let words = ending.words.replacing("\n", with: " ").shortened(to: 300)
      throw Failure(.badInput, "Graphviz could not draw this graph (\(words)); ask for --format dot")
    }
    return String(decoding: drawn, as: UTF8.self)
  }

  /// Where `dot` is; nil where it is not installed.
  private static var path: String? {
    (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .filter { $0.hasPrefix("/") }.map { "\($0)/dot" }.first { access($0, X_OK) == 0 }
  }
}
