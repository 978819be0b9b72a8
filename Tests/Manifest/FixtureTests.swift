// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletManifest

/// One manifest for each message: the comment in its first line is the expected message, and the only one.
@Suite struct `Broken manifests` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
  /// The paths of all fixtures in the folder, each in a folder for its topic.
  static let files = ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [])
    .filter { !($0 as NSString).pathExtension.isEmpty }.sorted()

  /// Returns the path of a fixture by its name without extension; an empty text if there is none.
  static func path(of name: String) -> String {
    files.first { ($0 as NSString).lastPathComponent == name + ".yaml" }.map {
      folder.appending(path: $0).path
    } ?? ""
  }

  @Test(arguments: files)
  func `each gets its message and no other`(path: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
    let file = (path as NSString).lastPathComponent
    let expected = text.prefix { $0 != "\n" }.dropFirst(2)
    let problems: [Problem]
    do {
      problems = try ManifestText(text, file: file).check(against: TestCatalog.catalog).warnings
    } catch {
      problems = error.problems
    }
    #expect(problems.map(\.description) == ["\(file):\(expected)"])
  }

  @Test func `there are more than 60 fixtures, and all are YAML files`() {
    #expect(Self.files.count > 60)
    #expect(Self.files.allSatisfy { $0.hasSuffix(".yaml") })
  }
}
