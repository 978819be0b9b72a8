// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Testing

@testable import SwiftletManifest

@Suite struct `Shipped manifests` {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../manifests")
    .standardized
  static let names = ["band", "ear-return", "guitar", "parallel", "room", "synth", "vocal"]

  static func text(_ name: String) throws -> ManifestText {
    try ManifestText(contentsOf: folder.appending(path: name + ".yaml").path)
  }

  @Test(arguments: names)
  func `each is valid without warnings on a machine with Debian's plugins`(name: String) throws {
    let manifest = try Self.text(name).check()
    #expect(manifest.warnings.isEmpty, "\(manifest.warnings)")
    #expect(manifest.name == name)
    #expect(manifest.nodes.count > 4)
  }

  @Test func `the seven names are all shipped manifests`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.filter { $0.hasSuffix(".yaml") }.sorted() == Self.names.map { $0 + ".yaml" })
  }

  @Test func `the vocal chain is mono up to the mixer, and stereo after it`() throws {
    let manifest = try Self.text("vocal").check()
    func width(_ name: String) -> Int? {
      manifest.nodes.first { $0.name == name }?.outputs.first?.format.channelCount
    }
    #expect(["mic", "gate", "comp", "tone", "echo", "room", "main"].map(width) == [1, 1, 1, 1, 1, 2, 2])
    let tone = try #require(manifest.nodes.first { $0.name == "tone" })
    #expect(tone.bandCount == 4)
    // The type of band 0 is parameter 1; high-pass is value 2.
    #expect(tone.values.first == .init(parameter: 1, value: 2))
    let comp = try #require(manifest.nodes.first { $0.name == "comp" })
    #expect(comp.preset != nil)
    #expect(manifest.taps.map(\.channelCount) == [1, 2])
  }
}
