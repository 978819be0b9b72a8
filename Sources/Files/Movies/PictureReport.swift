// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How an export stored the picture of a movie.
@nonexhaustive public enum PictureReport: Sendable, Equatable, CustomStringConvertible {
  /// The picture was copied, without a change.
  case copied
  /// The picture was re-encoded by this encoder of `ffmpeg`, for these reasons.
  case encoded(by: String, because: [String])

  /// The result as text, such as
  /// `picture re-encoded: clip 2 begins between keyframes at 3.2 s, the nearest are 2 s and 4 s`.
  public var description: String {
    switch self {
    case .copied: return "picture copied"
    case .encoded(_, let reasons):
      let more = reasons.count > 3 ? ", and \(reasons.count - 3) more reasons" : ""
      return "picture re-encoded: " + reasons.prefix(3).joined(separator: "; ") + more
    }
  }
}
