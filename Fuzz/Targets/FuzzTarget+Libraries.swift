// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet

@testable import SwiftletLibraryEffects
@testable import SwiftletManifest

extension FuzzTarget {
  /// Manifests: YAML, read by libyaml, and all checks after it.
  static let yaml = FuzzTarget(
    name: "yaml",
    format: .text(
      [
        "swiftlet: 1", "nodes:", "wires:", "taps:", "session:", "lanes:", "tempo:", "timeline:", "connect:",
        "- ", ": ",
        "&a ", "*a", "? ", "| ", ">-", "!!str ", "%YAML 1.1", "---", "...", "'", "effect: gain", "1:30",
        "-40 dB", "2 kHz",
        "10 ms", "99999999999999999999", "-9223372036854775808", "1e308", "nan", "\t", "\u{FEFF}", "\u{E000}",
        "<<: ",
      ],
      brackets: [
        (open: "[", close: "]"), (open: "{", close: "}"), (open: "- ", close: ""), (open: "? ", close: ""),
      ]),
    seeds: { yamlSeeds.map { Array($0.utf8) } },
    feed: { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else { return false }
      do throws(ManifestError) {
        let manifest = try ManifestText(text, file: "fuzz.yaml").check(against: catalog)
        precondition(manifest.warnings.allSatisfy { !"\($0)".isEmpty })
        return true
      } catch {
        precondition(!error.problems.isEmpty && error.problems.allSatisfy { !"\($0)".isEmpty })
        return false
      }
    },
    plantedFault: { bytes in
      // The first letter of a key that may be empty.
      guard let text = String(validating: bytes, as: UTF8.self) else { return }
      func look(_ document: Document) {
        switch document.content {
        case .scalar: break
        case .sequence(let items): for item in items { look(item) }
        case .mapping(let entries):
          for entry in entries {
            precondition(entry.key.first != nil, "a key without a letter")
            look(entry.value)
          }
        }
      }
      if let document = try? Document.read(text, file: "fuzz.yaml") { look(document) }
    })

  /// Complete manifests, so that the later checks are reached.
  private static let yamlSeeds = [
    """
    swiftlet: 1
    nodes:
      mic: { capture: mono }
      level: { effect: gain, set: { gain: -6 dB } }
      main: { mixer: stereo }
      desk: { playback: stereo }
    wires:
      - mic -> level -> main -> desk
    taps:
      take: { after: level, record: "{tap}-{take}.wav" }
    """,
    """
    swiftlet: 1
    session: { duck-level: &level -12 dB }
    nodes:
      in: { capture: stereo }
      echo: { effect: delay, set: &a { time: 200 ms, mix: 30 % } }
      other: { effect: delay, set: *a }
      desk: { playback: stereo }
    timeline:
      tempo: 120
      lanes:
        echo.mix: [ { from: 3 s, to: "3|1", value: [ 0 %, 90 % ] } ]
    wires: [ in -> echo -> other -> desk ]
    """,
  ]

  /// The built-in effects, without files.
  nonisolated(unsafe) private static let catalog = ManifestCatalog(effects: EffectCatalog.builtIn.infos)
}
