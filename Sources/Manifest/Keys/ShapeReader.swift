// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletSignal

/// Parses parts of a document according to their syntax, and collects errors.
///
/// Each method returns nil after reporting an error.
struct ShapeReader {
  var problems: Problems
  /// The tempo map for times in bars and beats.
  var tempo: TempoMap?

  /// Returns the entries of a mapping with the keys of `Key`. Reports unknown and missing keys.
  mutating func entries<Key: ManifestKey>(
    _ document: Document, as keys: Key.Type, of what: String, alsoKnown: [String] = []
  ) -> [Key: Document.Entry] {
    self.entries(document, as: Array(Key.allCases), of: what, alsoKnown: alsoKnown)
  }

  /// Returns the entries of a mapping with some keys of `Key`. Reports unknown and missing keys.
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
          entry.keyPosition, "found '\(Document.short(entry.key))', which is no key of \(what)", entry.key,
          among: keys.map(\.rawValue) + alsoKnown)
      }
    }
    for key in keys where key.isRequired && result[key] == nil {
      problems.error(document.position, "found no '\(key.rawValue)'; expected it in \(what)")
    }
    return result
  }

  /// Returns the entries of a mapping with any keys.
  mutating func mapping(_ document: Document, _ what: String) -> [Document.Entry]? {
    guard case .mapping(let entries) = document.content else {
      problems.error(document.position, "found \(document.found); expected \(what): a mapping of keys")
      return nil
    }
    return entries
  }

  /// Returns the items of a list.
  mutating func list(_ document: Document, _ what: String) -> [Document]? {
    guard case .sequence(let items) = document.content else {
      problems.error(document.position, "found \(document.found); expected \(what): a list")
      return nil
    }
    return items
  }

  mutating func text(_ document: Document, _ what: String) -> Manifest.Text? {
    guard let text = document.text, !document.isEmpty, !text.isEmpty else {
      problems.error(document.position, "found \(document.found); expected \(what)")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      problems.error(document.position, "found a control character in \(document.found); expected \(what)")
      return nil
    }
    return Manifest.Text(text, position: document.position)
  }

  mutating func toggle(_ document: Document, _ what: String) -> Bool? {
    switch document.text {
    case "true": return true
    case "false": return false
    default:
      problems.error(document.position, "found \(document.found); expected true or false: \(what)")
      return nil
    }
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ document: Document, _ what: String, of: Choice.Type
  ) -> Choice? {
    if let text = document.text, let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    problems.error(
      document.position, "found \(document.found); expected \(what): \(NearestName.listed(known))")
    return nil
  }

  /// Parses a whole number within a range.
  mutating func whole(_ document: Document, _ what: String, in range: ClosedRange<Int>) -> Int? {
    if let text = document.text, let quantity = Quantity(text), quantity.unit == nil,
      let number = Int(exactly: quantity.number), range.contains(number)
    {
      return number
    }
    let bounds = range.count == 1 ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    problems.error(
      document.position, "found \(document.found); expected \(what), a whole number without unit: \(bounds)")
    return nil
  }

  /// Parses a number with the unit and range of a key.
  mutating func number<Key: ManifestKey>(_ document: Document, _ key: Key) -> Double? {
    guard case .number(let unit, let range) = key.shape else { return nil }
    return number(document, range, unit, key.rawValue)
  }

  /// Parses a number with a unit, within a range.
  mutating func number(
    _ document: Document, _ range: ClosedRange<Double>, _ unit: ParameterUnit, _ what: String
  ) -> Double? {
    let low = Quantity(range.lowerBound, unit.written), high = Quantity(range.upperBound, unit.written)
    let expected = "\(what), from \(low) to \(high)"
    guard let text = document.text, let quantity = Quantity(text) else {
      problems.error(document.position, "found \(document.found); expected \(expected)")
      return nil
    }
    guard let value = quantity.value(in: unit) else {
      problems.error(
        document.position, "found '\(Document.short(text))', which has a wrong unit; expected \(expected)")
      return nil
    }
    guard range.contains(value) else {
      problems.error(
        document.position, "found '\(Document.short(text))', which is out of range; expected \(expected)")
      return nil
    }
    return value
  }

  /// Parses a level, a linear factor or decibels. Returns a linear factor.
  mutating func level(_ document: Document) -> Float? {
    guard let quantity = document.text.flatMap({ Quantity($0) }), quantity.unit != nil else {
      return number(document, Limits.factor, .none, "a factor").map { Float($0) }
    }
    return number(document, Limits.nodeGain, .decibels, "a level").map { Decibels.fader(Float($0)) }
  }

  /// Parses a time or a duration.
  mutating func time(_ document: Document) -> MediaTime? {
    do throws(TimeError) {
      guard let text = document.text else { throw .unreadable(document.found) }
      return try MediaTime(text, tempo: tempo)
    } catch {
      problems.error(document.position, Document.short("\(error)", most: 200))
      return nil
    }
  }

  /// Parses a range of times with both ends: `5|1..9|1`.
  mutating func range(_ document: Document) -> Range<MediaTime>? {
    let shortest = TransportRole.shortestLoop
    guard let text = document.text, let dots = text.firstRange(of: "..") else {
      problems.error(
        document.position, "found \(document.found); expected a range of times, as in 5|1..9|1 or 8 s..16 s")
      return nil
    }
    do throws(TimeError) {
      let start = try MediaTime(String(text[..<dots.lowerBound]), tempo: tempo)
      let range = try Range(from: start, to: MediaTime(String(text[dots.upperBound...]), tempo: tempo))
      if start >= .zero, range.upperBound >= start + MediaTime(shortest) { return range }
      problems.error(
        document.position,
        "found '\(Document.short(text))'; expected a range from 0 s or later that lasts 50 ms or longer")
    } catch {
      problems.error(document.position, Document.short("\(error)", most: 200))
    }
    return nil
  }

  /// Parses `mono`, `stereo` or a number of channels.
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
        document.position,
        "found \(document.found); expected mono, stereo or a number of channels up to \(Limits.channels.upperBound)"
      )
      return nil
    }
  }
}
