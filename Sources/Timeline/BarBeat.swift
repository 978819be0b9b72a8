// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A musical position: `5|3.5` is the middle of the third beat of the fifth bar.
public struct BarBeat: Hashable, Sendable {
  /// The bar, from 1.
  public var bar: Int
  /// The beat in the bar, from 1, with its fraction, in the note value of the time signature.
  public var beat: Double

  /// Creates a musical position.
  public init(bar: Int, beat: Double = 1) {
    self.bar = bar
    self.beat = beat
  }

  /// Parses `5|3.5`. Returns nil for other text.
  package init?(_ text: String) {
    let fields = text.split(separator: "|", omittingEmptySubsequences: false)
    guard fields.count == 2, fields[1].utf8.allSatisfy({ "0123456789.".utf8.contains($0) }),
      fields[0].utf8.allSatisfy({ "0123456789".utf8.contains($0) }),
      let bar = Int(fields[0]), let beat = Double(fields[1])
    else { return nil }
    self.init(bar: bar, beat: beat)
  }
}

extension BarBeat: CustomStringConvertible {
  /// The position in the notation that is parsed: `5|3.5`.
  public var description: String { "\(bar)|\(Int(exactly: beat).map { "\($0)" } ?? "\(beat)")" }
}
