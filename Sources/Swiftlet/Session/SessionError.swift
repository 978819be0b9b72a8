// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What an ``AudioSession`` cannot mean. Each prints as one sentence that says what to do.
public enum SessionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It is to be heard with others, and alone by this option.
  case mixesAlone(AudioSession.Option)
  /// It is to be heard with others, and alone by its category.
  case mixesInCategory(AudioSession.Category)

  public var description: String {
    let mix = AudioSession.Option.mixWithOthers.rawValue
    return switch self {
    case .mixesAlone(let option):
      "'\(mix)' and '\(option.rawValue)' contradict each other; leave one of them out"
    case .mixesInCategory(let category):
      "'\(mix)' contradicts the category '\(category.rawValue)', in which others pause; leave it out, or choose "
        + "'\(AudioSession.Category.ambient.rawValue)' or '\(AudioSession.Category.playback.rawValue)'"
    }
  }
}
