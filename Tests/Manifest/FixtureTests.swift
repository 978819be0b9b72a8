// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletManifest

/// One manifest for each message: its first line is a comment that says what must
/// be said of it, and nothing else.
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

  @Test func `there are fixtures`() {
    #expect(Self.files.count > 60)
    #expect(Self.files.allSatisfy { $0.hasSuffix(".yaml") })
  }
}
