// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletThreads

/// Detects plugins that do not return. Ends the program if the hanging thread cannot be abandoned: JACK's audio
/// thread, a thread that renders, and the main thread.
///
/// A plugin that loops on any other thread blocks that thread alone, so the watch only prints a warning. The watch
/// counts its own checks, not time: while the process is stopped or the machine sleeps, it does not check.
enum HangWatch {
  /// The reaction to a call that has not returned.
  private enum Action { case nothing, warning, end }

  /// The interval of checks.
  private static let interval = Duration.milliseconds(100)
  /// The number of checks that a call may last: two seconds for live processing and for ending an instance, ten
  /// seconds for all others.
  private static let liveLooks: UInt32 = 20, otherLooks: UInt32 = 100
  /// The maximum number of hanging calls that one check reports.
  private static let mostCalls = 64

  /// Starts the watching thread.
  static func start() {
    startThread("swiftlet-watch") {
      var calls = [swiftlet_stuck](repeating: swiftlet_stuck(), count: mostCalls)
      while true {
        Waiting.sleep(interval)
        let count = Int(swiftlet_look(&calls, Int32(mostCalls)))
        for call in calls[..<count] {
          let seconds = Double(call.looks) * (interval / .seconds(1))
          switch action(for: call) {
          case .nothing: break
          case .warning: swiftlet_print_stuck(call, seconds)
          case .end: swiftlet_end_stuck(call, seconds)
          }
        }
      }
    }
  }

  private static func action(for call: swiftlet_stuck) -> Action {
    if call.is_live != 0 { return call.looks >= liveLooks ? .end : .nothing }
    let isRendering = call.function <= SWIFTLET_END_RUN.rawValue
    if isRendering || call.is_main != 0 { return call.looks >= otherLooks ? .end : .nothing }
    let isEnding = [SWIFTLET_DEACTIVATE.rawValue, SWIFTLET_CLEANUP.rawValue].contains(call.function)
    // Warn once for each call.
    return call.looks == (isEnding ? liveLooks : otherLooks) ? .warning : .nothing
  }
}
