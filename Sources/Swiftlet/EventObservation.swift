// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An observer of an engine's events, as ``AudioEngine/observe(_:)`` has added it.
///
/// ```swift
/// let observation = engine.observe { event in print(event) }
/// …
/// observation.cancel()
/// ```
///
/// Any thread.
public struct EventObservation: Sendable {
  private let number: Int
  // The engine's deinit is not held up by whoever keeps an observation.
  private let held: Held

  // @unchecked: a weak reference is safe to read from any thread, and never set again.
  private struct Held: @unchecked Sendable { weak var hub: EventHub? }

  init(_ number: Int, _ hub: EventHub) {
    self.number = number
    held = Held(hub: hub)
  }

  /// Has the observer be told nothing more; twice is fine, also from the observer itself. On another thread a call
  /// that has begun comes to its end.
  public func cancel() { held.hub?.remove(number) }
}
