// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension TempoMap: Codable {
  private enum Key: String, CodingKey { case tempos, meters }

  private struct TempoEntry: Codable {
    let position: Double, tempo: Double, glides: Bool

    private enum CodingKeys: String, CodingKey {
      case position = "place"
      case tempo, glides
    }
  }

  private struct TimeSignatureEntry: Codable {
    let bar: Int, beats: Int, unit: Int
  }

  /// Decodes a map. Throws if edits could not have made it.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    do {
      try self.init()
      for entry in try box.decode([TempoEntry].self, forKey: .tempos) {
        try setTempo(entry.tempo, at: entry.position, glides: entry.glides)
      }
      for entry in try box.decode([TimeSignatureEntry].self, forKey: .meters) {
        try setTimeSignature(TimeSignature(entry.beats, entry.unit), fromBar: entry.bar)
      }
    } catch let error as TimeError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  /// Encodes the tempos, and the bar and the two numbers of each time signature.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: Key.self)
    try box.encode(
      tempos.map { TempoEntry(position: $0.position, tempo: $0.tempo, glides: $0.glides) }, forKey: .tempos)
    try box.encode(
      timeSignatures.map {
        TimeSignatureEntry(bar: $0.bar, beats: $0.timeSignature.beats, unit: $0.timeSignature.unit)
      }, forKey: .meters)
  }
}
