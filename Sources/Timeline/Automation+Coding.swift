// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Automation: Codable {
  private enum Key: String, CodingKey { case initial, entries }
  private enum EntryKey: String, CodingKey { case at, set, from, to, ramp, curve }

  /// Decodes an automation. Throws if edits could not have made it.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    self.init(try box.decode(Float.self, forKey: .initial))
    guard box.contains(.entries) else { return }
    var list = try box.nestedUnkeyedContainer(forKey: .entries)
    while !list.isAtEnd {
      let entry = try list.nestedContainer(keyedBy: EntryKey.self)
      do { try read(entry) } catch let error as AutomationError {
        throw DecodingError.dataCorrupted(
          .init(codingPath: entry.codingPath, debugDescription: "\(error)"))
      }
    }
  }

  /// Encodes steps as `{at, set}`, bare ones with `curve: step`, and ramps as `{from, to, ramp: [start, end], curve}`.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(initial, forKey: .initial)
    var list = box.nestedUnkeyedContainer(forKey: .entries)
    for entry in entries {
      var fields = list.nestedContainer(keyedBy: EntryKey.self)
      guard entry.isRamp else {
        try fields.encode(entry.range.lowerBound, forKey: .at)
        try fields.encode(entry.to, forKey: .set)
        if entry.curve == .step { try fields.encode(entry.curve.description, forKey: .curve) }
        continue
      }
      try fields.encode(entry.range.lowerBound, forKey: .from)
      try fields.encode(entry.range.upperBound, forKey: .to)
      try fields.encode([entry.from, entry.to], forKey: .ramp)
      guard entry.curve != .linear else { continue }
      try fields.encode(entry.curve.description, forKey: .curve)
    }
  }

  private mutating func read(_ entry: KeyedDecodingContainer<EntryKey>) throws {
    let word = try entry.decodeIfPresent(String.self, forKey: .curve) ?? "linear"
    guard let curve = Curve(word) else { throw AutomationError.badCurve(word) }
    guard entry.contains(.ramp) else {
      return try set(
        entry.decode(Float.self, forKey: .set), at: entry.decode(MediaTime.self, forKey: .at), curve: curve)
    }
    let range = try Range(
      from: entry.decode(MediaTime.self, forKey: .from), to: entry.decode(MediaTime.self, forKey: .to),
      codingPath: entry.codingPath)
    let ends = try entry.decode([Float].self, forKey: .ramp)
    guard ends.count == 2 else {
      throw DecodingError.dataCorruptedError(
        forKey: .ramp, in: entry, debugDescription: "a ramp has two values, not \(ends.count)")
    }
    try ramp(from: ends[0], to: ends[1], in: range, curve: curve)
  }
}
