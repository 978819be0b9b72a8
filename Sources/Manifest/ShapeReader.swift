// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletSignal

/// Reads parts of a document by their shape, and notes what does not fit.
///
/// Each function gives nil where it has noted an error.
struct ShapeReader {
  var problems: Problems
  /// What bars and beats are counted by.
  var tempo: TempoMap?

  /// The entries of a mapping under the keys of `Key`, unknown and missing keys noted.
  mutating func entries<Key: ManifestKey>(
    _ document: Document, as keys: Key.Type, of what: String, alsoKnown: [String] = []
  ) -> [Key: Document.Entry] {
    self.entries(document, as: Array(Key.allCases), of: what, alsoKnown: alsoKnown)
  }

  /// The entries of a mapping under some of the keys of `Key`, unknown and missing keys noted.
  mutating func entries<Key: ManifestKey>(
    _ document: Document, as keys: [Key], of what: String, alsoKnown: [String] = []
  ) -> [Key: Document.Entry] {
    guard let entries = mapping(document, what) else { return [:] }
    var result: [Key: Document.Entry] = [:]
    for entry in entries {
      if let key = Key(rawValue: entry.key), keys.contains(key) {
        result[key] = entry
      } else if !alsoKnown.contains(entry.key) {
        problems.unknown(
          entry.keyPlace, "found '\(Document.short(entry.key))', which is no key of \(what)", entry.key,
          among: keys.map(\.rawValue) + alsoKnown)
      }
    }
    for key in keys where key.isRequired && result[key] == nil {
      problems.error(document.place, "found no '\(key.rawValue)'; expected it in \(what)")
    }
    return result
  }

  /// The entries of any mapping.
  mutating func mapping(_ document: Document, _ what: String) -> [Document.Entry]? {
    guard case .mapping(let entries) = document.content else {
      problems.error(document.place, "found \(document.found); expected \(what): a mapping of keys")
      return nil
    }
    return entries
  }

  /// The items of a list.
  mutating func list(_ document: Document, _ what: String) -> [Document]? {
    guard case .sequence(let items) = document.content else {
      problems.error(document.place, "found \(document.found); expected \(what): a list")
      return nil
    }
    return items
  }

  mutating func text(_ document: Document, _ what: String) -> Manifest.Text? {
    guard let text = document.text, !document.isEmpty, !text.isEmpty else {
      problems.error(document.place, "found \(document.found); expected \(what)")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      problems.error(document.place, "found a control character in \(document.found); expected \(what)")
      return nil
    }
    return Manifest.Text(text, place: document.place)
  }

  mutating func toggle(_ document: Document, _ what: String) -> Bool? {
    switch document.text {
    case "true": return true
    case "false": return false
    default:
      problems.error(document.place, "found \(document.found); expected true or false: \(what)")
      return nil
    }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ document: Document, _ what: String, of: Choice.Type
  ) -> Choice? {
    if let text = document.text, let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    problems.error(
      document.place, "found \(document.found); expected \(what): \(NearestName.listed(known))")
    return nil
  }

  /// A whole number in the range that the key's shape states.
  mutating func whole(_ document: Document, _ what: String, in range: ClosedRange<Int>) -> Int? {
    if let text = document.text, let quantity = Quantity(text), quantity.unit == nil,
      let number = Int(exactly: quantity.number), range.contains(number)
    {
      return number
    }
    let bounds = range.count == 1 ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    problems.error(
      document.place, "found \(document.found); expected \(what), a whole number without unit: \(bounds)")
    return nil
  }

  /// A number of the unit and range that the key's shape states.
  mutating func number<Key: ManifestKey>(_ document: Document, _ key: Key) -> Double? {
    guard case .number(let unit, let range) = key.shape else { return nil }
    return number(document, range, unit, key.rawValue)
  }

  /// A number of a unit, within a range.
  mutating func number(
    _ document: Document, _ range: ClosedRange<Double>, _ unit: ParameterUnit, _ what: String
  ) -> Double? {
    let low = Quantity(range.lowerBound, unit.written), high = Quantity(range.upperBound, unit.written)
    let expected = "\(what), from \(low) to \(high)"
    guard let text = document.text, let quantity = Quantity(text) else {
      problems.error(document.place, "found \(document.found); expected \(expected)")
      return nil
    }
    guard let value = quantity.value(in: unit) else {
      problems.error(
        document.place, "found '\(Document.short(text))', which has a wrong unit; expected \(expected)")
      return nil
    }
    guard range.contains(value) else {
      problems.error(
        document.place, "found '\(Document.short(text))', which is out of range; expected \(expected)")
      return nil
    }
    return value
  }

  /// A level: a factor, or decibels.
  mutating func level(_ document: Document) -> Float? {
    guard let quantity = document.text.flatMap({ Quantity($0) }), quantity.unit != nil else {
      return number(document, Limits.factor, .none, "a factor").map { Float($0) }
    }
    return number(document, Limits.nodeGain, .decibels, "a level").map { Decibels.fader(Float($0)) }
  }

  /// A moment, or a length of time.
  mutating func time(_ document: Document) -> MediaTime? {
    do throws(TimeError) {
      guard let text = document.text else { throw .unreadable(document.found) }
      return try MediaTime(text, tempo: tempo)
    } catch {
      problems.error(document.place, Document.short("\(error)", most: 200))
      return nil
    }
  }

  /// A range of times with both ends, as in `5|1..9|1`.
  mutating func range(_ document: Document) -> Range<MediaTime>? {
    let shortest = TransportRole.shortestLoop
    guard let text = document.text, let dots = text.firstRange(of: "..") else {
      problems.error(
        document.place, "found \(document.found); expected a range of times, as in 5|1..9|1 or 8 s..16 s")
      return nil
    }
    do throws(TimeError) {
      let start = try MediaTime(String(text[..<dots.lowerBound]), tempo: tempo)
      let range = try Range(from: start, to: MediaTime(String(text[dots.upperBound...]), tempo: tempo))
      if start >= .zero, range.upperBound >= start + MediaTime(shortest) { return range }
      problems.error(
        document.place,
        "found '\(Document.short(text))'; expected a range from 0 s or later that lasts 50 ms or longer")
    } catch {
      problems.error(document.place, Document.short("\(error)", most: 200))
    }
    return nil
  }

  /// `mono`, `stereo` or a number.
  mutating func channels(_ document: Document) -> Int? {
    switch document.text {
    case "mono": return 1
    case "stereo": return 2
    default:
      if let text = document.text, let quantity = Quantity(text), quantity.unit == nil,
        let number = Int(exactly: quantity.number), Limits.channels.contains(number)
      {
        return number
      }
      problems.error(
        document.place,
        "found \(document.found); expected mono, stereo or a number of channels up to \(Limits.channels.upperBound)"
      )
      return nil
    }
  }
}
