// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension GraphHost {
  /// Whether all taps that keep what they hear have room for so many frames more. Control thread.
  package func haveTapsRoom(for frames: Int) -> Bool {
    store.taps.values.allSatisfy { ($0 as? TapSink)?.hasRoom(for: frames) ?? true }
  }
}
