// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletManifest

/// One manifest for each message: the comment in its first line is the expected message, and the only one.
@Suite struct `Broken manifests` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
  static let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []

  @Test(arguments: files)
  func `each gets its message and no other`(file: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
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
