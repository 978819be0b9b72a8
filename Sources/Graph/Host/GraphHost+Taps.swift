// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension GraphHost {
  /// Returns whether all recording taps have space for `frames` more frames. Control threads only.
  package func haveTapsRoom(for frames: Int) -> Bool {
    store.taps.values.allSatisfy { ($0 as? TapSink)?.hasRoom(for: frames) ?? true }
  }
}
