// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletThreads

/// The thread that looks after an engine while it lives: fades, taps, reports, the studio's notices.
enum Housekeeper {
  /// How often it looks, in seconds: a fade takes 5 ms, a tap is drained twice a period of most studios.
  static let interval = 0.005
  /// How often while the studio waits for us, since it freewheels.
  static let freewheelInterval = 0.0005

  /// Starts the thread; it ends when the engine is gone.
  static func start(for engine: AudioEngine) {
    startThread("swiftlet-house") { [weak engine] in
      while true {
        guard let present = engine, !present.isClosed else { return }
        present.tick()
        let pause = present.studio?.grantedFrames == nil ? interval : freewheelInterval
        _ = consume present
        Thread.sleep(forTimeInterval: pause)
      }
    }
  }
}
