// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What became of a picture on its way into a movie.
public enum PictureReport: Sendable, Equatable, CustomStringConvertible {
  /// It is, point for point, what it was.
  case copied
  /// It was encoded anew, by this encoder of `ffmpeg`'s, for these reasons.
  case encoded(by: String, because: [String])

  /// Such as `picture encoded anew: clip 2 begins between keyframes at 3.2 s, the nearest are 2 s and 4 s`.
  public var description: String {
    switch self {
    case .copied: return "picture copied"
    case .encoded(_, let reasons):
      let more = reasons.count > 3 ? ", and \(reasons.count - 3) reasons more" : ""
      return "picture encoded anew: " + reasons.prefix(3).joined(separator: "; ") + more
    }
  }
}
