// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Feeds every target its seeds and the cases that fuzzers found. None may trap or hang.
@Suite struct CorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../corpus").standardizedFileURL

  @Test(.timeLimit(.minutes(5)), arguments: FuzzTarget.all.map(\.name))
  func `a parser returns from every case that a fuzzer found`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folder = Self.corpus.appending(path: name)
    let cases =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    for path in cases { _ = target.feed([UInt8](try Data(contentsOf: path))) }
    let seeds = try target.seeds()
    for (number, seed) in seeds.enumerated() {
      #expect(target.feed(seed), "seed \(number) is refused: the fuzzer would not get past the first check")
      #expect(seed.count <= target.longest, "seed \(number) is cut off")
      for count in stride(from: 0, to: seed.count, by: max(seed.count / 20, 1)) {
        _ = target.feed(Array(seed.prefix(count)))
      }
    }
    #expect(!seeds.isEmpty)
    _ = target.feed([])
  }

  @Test func `every folder of cases belongs to a target`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(names).subtracting(FuzzTarget.all.map(\.name)) == [])
  }
}
