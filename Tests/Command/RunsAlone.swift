// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Has `make test` run a suite while no other test runs. For tests that occupy a processor with real-time priority: two
  /// of them at once leave no time for the programs of other tests, such as a JACK server that starts.
  static var runsAlone: ConditionTrait {
    .enabled(if: ProcessInfo.processInfo.environment["SWIFTLET_LIVE_TESTS"] == "1")
  }
}
