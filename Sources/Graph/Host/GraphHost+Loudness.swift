// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension GraphHost {
  /// Sets the loudness factor of all audio output nodes, 0...1; they glide to it within 200 ms. It also applies to
  /// output nodes that are added later.
  package func setLoudness(_ factor: Float) {
    store.loudness = factor.isNaN ? 1 : min(max(factor, 0), 1)
    for guarding in store.guards.values { guarding.setLoudness(store.loudness) }
  }
}
