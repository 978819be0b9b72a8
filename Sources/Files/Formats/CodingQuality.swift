// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How much a lossy codec may leave out.
public enum CodingQuality: Sendable, Equatable {
  /// From 0, smallest, to 1, best. What that means in bits is the codec's own.
  case quality(Double)
  /// So many bits a second, all channels together, on average.
  case bitRate(Int)

  /// The quality, where it is one.
  var share: Double? { if case .quality(let share) = self { share } else { nil } }

  /// The bit rate, where it is one.
  var bitRate: Int? { if case .bitRate(let rate) = self { rate } else { nil } }
}
