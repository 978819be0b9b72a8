// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import Synchronization

extension AudioEngine {
  /// How many frames are made ready at once while the studio freewheels: two cycles of the longest period.
  private static let stride = 2 * JackClient.longestBlock

  /// Where the studio freewheels it runs faster than any disk: it waits until players have what comes next and takes
  /// have room for it. So what is rendered that way is, sample for sample, what is heard live.
  func makeReady() {
    guard let studio, let granted = studio.grantedFrames, granted < Self.stride else { return }
    let ahead = max(granted, 0) + Self.stride
    let filler = core.withLock { $0.filler }
    filler?.fill(atLeast: ahead)
    guard core.withLock({ $0.host.haveTapsRoom(for: ahead) }) else { return }
    studio.grant(Self.stride)
  }
}
