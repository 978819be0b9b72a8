// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The quality of a lossy codec.
public enum CodingQuality: Sendable, Equatable {
  /// A quality from 0, smallest, to 1, best. The codec determines the bit rate.
  case quality(Double)
  /// The average bit rate in bits per second, for all channels together.
  case bitRate(Int)

  /// The quality, if it is given as one.
  var share: Double? { if case .quality(let share) = self { share } else { nil } }

  /// The bit rate, if it is given as one.
  var bitRate: Int? { if case .bitRate(let rate) = self { rate } else { nil } }
}
