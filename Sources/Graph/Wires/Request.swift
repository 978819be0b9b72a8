// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What plans ask of something that outlives them, and since which plan.
///
/// The control thread needs to know when a wire, a bypass or a line has certainly arrived where plans want
/// it: not when it *is* there, since an older plan may still be about to send it elsewhere, but when it is
/// there and no plan that asked for anything else can be played any more.
struct Request<Target: Equatable> {
  private(set) var target: Target
  private var since: Int

  /// The first thing asked for, by the plan of this generation.
  init(_ target: Target, generation: Int) {
    self.target = target
    since = generation
  }

  /// Asks for `target` from the plan of this generation on.
  mutating func ask(_ target: Target, generation: Int) {
    guard target != self.target else { return }
    self.target = target
    since = generation
  }

  /// Whether no plan that asked for anything else will be played, where `adopted` is the one that is.
  func isCertain(adopted: Int) -> Bool { adopted >= since }
}
