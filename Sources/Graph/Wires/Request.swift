// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The target that plans request from a processor that outlives them, and the first plan that requests it.
///
/// The control thread must know when a wire, bypass or line has certainly reached its target. It is not enough that
/// the target is reached: an older plan may still be adopted and set another target. It is certain once the target is
/// reached and no plan with another target can be adopted any more.
struct Request<Target: Equatable> {
  private(set) var target: Target
  private var since: Int

  /// Creates the first request, by the plan of this generation.
  init(_ target: Target, generation: Int) {
    self.target = target
    since = generation
  }

  /// Requests `target` from the plan of this generation on.
  mutating func ask(_ target: Target, generation: Int) {
    guard target != self.target else { return }
    self.target = target
    since = generation
  }

  /// Returns whether no plan with another target will be adopted, if `adopted` is the generation in use.
  func isCertain(adopted: Int) -> Bool { adopted >= since }
}
