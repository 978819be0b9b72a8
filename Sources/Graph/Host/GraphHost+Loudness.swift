// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension GraphHost {
  /// Turns all ways out for sound down, or up again: they glide to `factor`, from 0 to 1, within a fifth of a
  /// second. Ways out that come later are as loud.
  package func setLoudness(_ factor: Float) {
    store.loudness = factor.isNaN ? 1 : min(max(factor, 0), 1)
    for guarding in store.guards.values { guarding.setLoudness(store.loudness) }
  }
}
