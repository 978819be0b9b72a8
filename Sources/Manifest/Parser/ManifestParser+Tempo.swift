// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension ManifestParser {
  /// Parses the tempo map, which the reader uses for bars and beats from now on; nil if there is none or it has an
  /// error.
  mutating func song(_ tempo: Document?, _ meter: Document?) -> TempoMap? {
    guard var map = try? TempoMap() else { return nil }
    reader.tempo = map
    guard tempo != nil || meter != nil else { return nil }
    let before = reader.problems.errorCount
    // Time signatures come first, because tempo positions depend on the bars.
    if let meter { meters(meter, into: &map) }
    if let tempo { tempos(tempo, into: &map) }
    guard reader.problems.errorCount == before else {
      // After an error, the reader uses bars that have every beat, so that times in bars do not cause further errors.
      reader.tempo = (try? TempoMap.TimeSignature(64, 4)).flatMap { try? TempoMap(timeSignature: $0) }
      return nil
    }
    reader.tempo = map
    return map
  }

  private mutating func meters(_ document: Document, into map: inout TempoMap) {
    guard case .sequence(let items) = document.content else {
      if let meter = meter(document) { try? map.setTimeSignature(meter, fromBar: 1) }
      return
    }
    if items.isEmpty {
      reader.problems.error(document.place, "found no time signatures; expected one, as in 3/4")
    }
    var bars: Set<Int> = []
    for item in items {
      let entries = reader.entries(item, as: MeterKey.self, of: "a meter")
      guard let at = entries[.at]?.value, let place = barBeat(at) else { continue }
      guard let meter = entries[.meter].flatMap({ self.meter($0.value) }) else { continue }
      guard place.beat == 1 else {
        reader.problems.error(
          at.place,
          "found \(at.found); expected the first beat of a bar, as in \(place.bar)|1: time signatures change only there"
        )
        continue
      }
      guard bars.insert(place.bar).inserted else {
        reader.problems.error(at.place, "found a second time signature at \(place); expected one")
        continue
      }
      do throws(TimeError) { try map.setTimeSignature(meter, fromBar: place.bar) } catch {
        reader.problems.error(at.place, "\(error)")
      }
    }
  }

  private mutating func tempos(_ document: Document, into map: inout TempoMap) {
    guard case .sequence(let items) = document.content else {
      if let tempo = reader.number(document, TempoKey.tempo) { try? map.setTempo(tempo, at: 0) }
      return
    }
    if items.isEmpty { reader.problems.error(document.place, "found no tempos; expected one, as in 120 bpm") }
    var places: Set<Double> = [], glide: (place: Double, word: TextPosition)?
    for item in items {
      let entries = reader.entries(item, as: TempoKey.self, of: "a tempo")
      guard let at = entries[.at]?.value, let position = barBeat(at) else { continue }
      guard let tempo = entries[.tempo].flatMap({ reader.number($0.value, TempoKey.tempo) }) else { continue }
      let glides = entries[.glides].map {
        reader.toggle($0.value, "whether the tempo glides to the next one") ?? false
      }
      do throws(TimeError) {
        let place = try map.place(of: position)
        guard places.insert(place).inserted else {
          reader.problems.error(at.place, "found a second tempo at \(position); expected one")
          continue
        }
        try map.setTempo(tempo, at: place, glides: glides ?? false)
        if glides == true, let word = entries[.glides]?.value.place, place >= glide?.place ?? 0 {
          glide = (place, word)
        }
      } catch {
        reader.problems.error(at.place, "\(error)")
      }
    }
    if let glide, places.allSatisfy({ $0 <= glide.place }) {
      reader.problems.warning(
        glide.word, "'glides' has no effect in the last tempo; expected another tempo after it")
    }
  }

  private mutating func barBeat(_ document: Document) -> BarBeat? {
    if let text = document.text, let place = BarBeat(text) { return place }
    reader.problems.error(document.place, "found \(document.found); expected a bar and beat, as in 5|1")
    return nil
  }

  private mutating func meter(_ document: Document) -> TempoMap.TimeSignature? {
    let numbers = document.text?.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard let numbers, numbers.count == 2, let beats = numbers[0], let unit = numbers[1] else {
      reader.problems.error(document.place, "found \(document.found); expected a time signature, as in 3/4")
      return nil
    }
    do throws(TimeError) { return try TempoMap.TimeSignature(beats, unit) } catch {
      reader.problems.error(document.place, "\(error)")
      return nil
    }
  }
}
