// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletJack
internal import Synchronization

extension AudioEngine {
  /// The number of frames that are granted at once while JACK freewheels: two cycles of the longest period.
  private static let stride = 2 * JackClient.longestBlock

  /// Grants frames to JACK while it freewheels, when players have read them ahead and takes have room for them.
  /// Freewheeling runs faster than any disk, so JACK has to wait; the result is then the same, sample for sample, as
  /// in real time.
  func makeReady() {
    guard let jackClient, let granted = jackClient.grantedFrames, granted < Self.stride else { return }
    let ahead = max(granted, 0) + Self.stride
    let prefetchThread = core.withLock { $0.prefetchThread }
    prefetchThread?.fill(atLeast: ahead)
    guard core.withLock({ $0.host.haveTapsRoom(for: ahead) }) else { return }
    jackClient.grant(Self.stride)
  }
}
