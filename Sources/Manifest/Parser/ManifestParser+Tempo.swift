// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  /// Parses the tempo map, which the reader uses for bars and beats from now on; nil if there is none or it has an
  /// error.
  mutating func tempoMap(_ tempo: Document?, _ timeSignature: Document?) -> TempoMap? {
    guard var map = try? TempoMap() else { return nil }
    reader.tempo = map
    guard tempo != nil || timeSignature != nil else { return nil }
    let before = reader.problems.errorCount
    // Time signatures come first, because tempo positions depend on the bars.
    if let timeSignature { timeSignatures(timeSignature, into: &map) }
    if let tempo { tempos(tempo, into: &map) }
    guard reader.problems.errorCount == before else {
      // After an error, the reader uses bars that have every beat, so that times in bars do not cause further errors.
      reader.tempo = (try? TempoMap.TimeSignature(64, 4)).flatMap { try? TempoMap(timeSignature: $0) }
      return nil
    }
    reader.tempo = map
    return map
  }

  private mutating func timeSignatures(_ document: Document, into map: inout TempoMap) {
    guard case .sequence(let items) = document.content else {
      if let timeSignature = timeSignature(document) { try? map.setTimeSignature(timeSignature, fromBar: 1) }
      return
    }
    if items.isEmpty {
      reader.problems.error(document.position, "found no time signatures; expected one, as in 3/4")
    }
    var bars: Set<Int> = []
    for item in items {
      let entries = reader.entries(item, as: TimeSignatureKey.self, of: "a meter")
      guard let at = entries[.at]?.value, let position = barBeat(at) else { continue }
      guard let timeSignature = entries[.meter].flatMap({ self.timeSignature($0.value) }) else { continue }
      guard position.beat == 1 else {
        reader.problems.error(
          at.position,
          "found \(at.found); expected the first beat of a bar, as in \(position.bar)|1: time signatures change only there"
        )
        continue
      }
      guard bars.insert(position.bar).inserted else {
        reader.problems.error(at.position, "found a second time signature at \(position); expected one")
        continue
      }
      do throws(TimeError) { try map.setTimeSignature(timeSignature, fromBar: position.bar) } catch {
        reader.problems.error(at.position, "\(error)")
      }
    }
  }

  private mutating func tempos(_ document: Document, into map: inout TempoMap) {
    guard case .sequence(let items) = document.content else {
      if let tempo = reader.number(document, TempoKey.tempo) { try? map.setTempo(tempo, at: 0) }
      return
    }
    if items.isEmpty {
      reader.problems.error(document.position, "found no tempos; expected one, as in 120 bpm")
    }
    var quarters: Set<Double> = [], glide: (quarter: Double, word: TextPosition)?
    for item in items {
      let entries = reader.entries(item, as: TempoKey.self, of: "a tempo")
      guard let at = entries[.at]?.value, let position = barBeat(at) else { continue }
      guard let tempo = entries[.tempo].flatMap({ reader.number($0.value, TempoKey.tempo) }) else { continue }
      let glides = entries[.glides].map {
        reader.toggle($0.value, "whether the tempo glides to the next one") ?? false
      }
      do throws(TimeError) {
        let quarter = try map.quarters(of: position)
        guard quarters.insert(quarter).inserted else {
          reader.problems.error(at.position, "found a second tempo at \(position); expected one")
          continue
        }
        try map.setTempo(tempo, at: quarter, glides: glides ?? false)
        if glides == true, let word = entries[.glides]?.value.position, quarter >= glide?.quarter ?? 0 {
          glide = (quarter, word)
        }
      } catch {
        reader.problems.error(at.position, "\(error)")
      }
    }
    if let glide, quarters.allSatisfy({ $0 <= glide.quarter }) {
      reader.problems.warning(
        glide.word, "'glides' has no effect in the last tempo; expected another tempo after it")
    }
  }

  private mutating func barBeat(_ document: Document) -> BarBeat? {
    if let text = document.text, let position = BarBeat(text) { return position }
    reader.problems.error(document.position, "found \(document.found); expected a bar and beat, as in 5|1")
    return nil
  }

  private mutating func timeSignature(_ document: Document) -> TempoMap.TimeSignature? {
    let numbers = document.text?.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard let numbers, numbers.count == 2, let beats = numbers[0], let unit = numbers[1] else {
      reader.problems.error(
        document.position, "found \(document.found); expected a time signature, as in 3/4")
      return nil
    }
    do throws(TimeError) { return try TempoMap.TimeSignature(beats, unit) } catch {
      reader.problems.error(document.position, "\(error)")
      return nil
    }
  }
}
