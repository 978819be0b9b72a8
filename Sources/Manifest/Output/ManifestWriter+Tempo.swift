// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Swiftlet

extension ManifestWriter {
  /// Returns the lines of tempos and time signatures. A single one is a scalar.
  static func lines(_ indent: String, _ tempoMap: TempoMap) -> [String] {
    var lines = Self.lines(indent, TimelineKey.tempo.rawValue, tempo(tempoMap))
    if tempoMap.timeSignatures != (try? TempoMap())?.timeSignatures {
      lines += Self.lines(indent, TimelineKey.meter.rawValue, timeSignature(tempoMap))
    }
    return lines
  }

  private static func tempo(_ tempoMap: TempoMap) -> Tree {
    let tempos = tempoMap.tempos.map { change -> [(key: String, value: Tree)] in
      let at = tempoMap.position(of: change.position).map { "\($0)" } ?? "1|1"
      var entries: [(key: String, value: Tree)] = [
        (TempoKey.at.rawValue, .scalar(scalar(at))),
        (TempoKey.tempo.rawValue, .scalar("\(Quantity(change.tempo, .beatsPerMinute))")),
      ]
      if change.glides { entries.append((TempoKey.glides.rawValue, .scalar("true"))) }
      return entries
    }
    if tempos.count == 1, tempos[0].count == 2 { return tempos[0][1].value }
    return .list(tempos.map { .mapping($0) })
  }

  private static func timeSignature(_ tempoMap: TempoMap) -> Tree {
    if tempoMap.timeSignatures.count == 1, let only = tempoMap.timeSignatures.first {
      return .scalar(scalar("\(only.timeSignature)"))
    }
    return .list(
      tempoMap.timeSignatures.map { change in
        .mapping([
          (TimeSignatureKey.at.rawValue, .scalar(scalar("\(change.bar)|1"))),
          (TimeSignatureKey.meter.rawValue, .scalar(scalar("\(change.timeSignature)"))),
        ])
      })
  }
}
