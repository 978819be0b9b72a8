// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A contradiction in an ``AudioSession``. Its description is one sentence that states what to do.
@nonexhaustive public enum SessionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// ``AudioSession/Option/mixWithOthers``, or an option that implies it, together with an option that asks others to
  /// pause.
  case mixesAlone(AudioSession.Option)
  /// ``AudioSession/Option/mixWithOthers``, or an option that implies it, in a category that asks others to pause.
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
