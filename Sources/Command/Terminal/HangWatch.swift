// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletThreads

/// Reports plugins that do not return, and ends the program where nothing else can: on JACK's audio thread, on a thread that
/// renders, and on the main thread.
///
/// A plugin that loops on any other thread holds up that thread alone: that is a warning. The watch counts its own looks, not
/// time: while the process is stopped, or the machine sleeps, it does not look either.
enum HangWatch {
  /// What is done about a call.
  private enum Action { case nothing, warning, end }

  /// How often it looks.
  private static let interval = Duration.milliseconds(100)
  /// For how many looks a call may last: two seconds where sound is heard and at an instance's end, ten elsewhere.
  private static let liveLooks: UInt32 = 20, otherLooks: UInt32 = 100
  /// The most calls that are looked at together.
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
    // Once for each call.
    return call.looks == (isEnding ? liveLooks : otherLooks) ? .warning : .nothing
  }
}
