// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The token of an observer of an engine's events, which ``AudioEngine/observe(_:)`` returns.
///
/// The observation ends when the token is released, or earlier by ``cancel()``. Keep the token in a property of the
/// object that observes:
///
/// ```swift
/// final class EventPrinter {
///   private let observation: EventObservation
///   init(_ engine: AudioEngine) { observation = engine.observe { event in print(event) } }
/// }
/// ```
///
/// In a function, add `defer { observation.cancel() }`: Swift may release a local constant after its last use.
///
/// The token does not keep the engine alive. Any thread.
public final class EventObservation: Sendable {
  private let number: Int
  // Weak: an observer may capture its own token, and broadcaster, observer and token would keep each other alive for
  // ever.
  private weak let broadcaster: EventBroadcaster?

  init(_ number: Int, _ broadcaster: EventBroadcaster) {
    self.number = number
    self.broadcaster = broadcaster
  }

  deinit { cancel() }

  /// Ends the observation before the token is released. The observer may call it, and a second call does nothing.
  /// A call of the observer that has begun on another thread runs to its end.
  public func cancel() { broadcaster?.remove(number) }
}
