// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletGraph
import SwiftletTesting
import Testing

@testable import SwiftletManifest

@Suite struct `Writing a manifest` {
  @Test(arguments: 0..<400)
  func `a written manifest reads as the same value`(seed: Int) throws {
    var maker = ManifestMaker(random: SeededGenerator(seed: UInt64(seed)))
    let manifest = maker.manifest()
    let yaml = manifest.yaml
    do {
      let read = try Manifest(ManifestText(yaml, file: "written.yaml"))
      #expect(read == manifest, "\(yaml)")
    } catch {
      Issue.record("\(error)\n\(yaml)")
    }
  }

  @Test func `the random manifests differ`() {
    let all = (0..<50).map { seed in
      var maker = ManifestMaker(random: SeededGenerator(seed: UInt64(seed)))
      return maker.manifest().yaml
    }
    #expect(Set(all).count == 50)
  }

  @Test(arguments: `Shipped manifests`.names)
  func `a shipped manifest reads as the same value after being written`(name: String) throws {
    let manifest = try Manifest(`Shipped manifests`.text(name))
    #expect(try Manifest(ManifestText(manifest.yaml, file: name)) == manifest)
  }

  @Test func `the YAML is laid out as if by hand`() throws {
    let manifest = try Manifest(chain: "gain | http://example.org/plugins/gate | delay")
    #expect(
      manifest.yaml == """
        # A Swiftlet manifest. Try it with: swiftlet run FILE
        swiftlet: 1

        # The sources, processors and destinations of sound.
        nodes:
          in: { capture: mono }
          gain: { effect: gain }
          gate: { lv2: "http://example.org/plugins/gate" }
          delay: { effect: delay }
          out: { playback: stereo }

        # The connections between nodes.
        wires:
          - in -> gain -> gate -> delay -> out

        """)
  }
}

@Suite struct `Chains on one line` {
  @Test func `a chain is checked like any manifest`() throws {
    let resolved = try Manifest(chain: "gain|http://example.org/gate | delay|delay")
      .check(against: TestCatalog.catalog, file: "chain")
    #expect(resolved.nodes.map(\.name) == ["in", "gain", "gate", "delay", "delay-2", "out"])
    #expect(resolved.wires.count == 5)
    #expect(resolved.name == "swiftlet")
  }

  @Test(arguments: [
    ("", "1:1"), ("gain |", "1:7"), ("gain || delay", "1:7"), ("gain | my delay", "1:8"), (" dealy", "1:2"),
    ("gain | http://example.org/gatr", "1:8"),
  ])
  func `an error in a chain has its column`(chain: String, position: String) {
    #expect {
      _ = try Manifest(chain: chain).check(against: TestCatalog.catalog, file: "chain")
    } throws: { error in
      (error as? ManifestError)?.description.hasPrefix("chain:\(position): error: found ") == true
    }
  }

  @Test(arguments: [
    "in", "out", "urn:x:In", "urn:1:2", "urn:###", "http://x/\(String(repeating: "y", count: 300))",
  ])
  func `unusual URIs yield valid node names`(part: String) throws {
    let manifest = try Manifest(chain: "\(part) | \(part)")
    #expect(Set(manifest.nodes.map(\.name)).count == 4)
    #expect(manifest.nodes.allSatisfy { Word.isValid($0.name) }, "\(manifest.nodes.map(\.name))")
    #expect(try Manifest(ManifestText(manifest.yaml, file: "x")) == manifest)
  }
}
