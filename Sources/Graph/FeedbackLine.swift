// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// A wire that closes a loop: its far end writes, its near end reads what was written a while ago.
///
/// It is two steps of a plan: with an input bus it writes, with an output bus it reads.
@safe final class FeedbackLine: Processor, @unchecked Sendable {
  private let history: HistoryLine
  /// How late the near end is, in frames.
  let delay: Int

  /// A loop that is silent for the first `delay` frames.
  init(channels: Int, delay: Int, longestBlock: Int) {
    self.delay = delay
    history = HistoryLine(channelCount: channels, longestDelay: delay, longestBlock: longestBlock)
    super.init()
  }

  @_noLocks @_noAllocation override func process(_ block: Block) {
    if block.inputCount > 0 { write(block) } else { read(block) }
  }

  @_noLocks @_noAllocation private func write(_ block: Block) {
    let bus = block.input()
    for channel in 0..<bus.channelCount { history.write(bus[channel], channel: channel, at: block.frame) }
  }

  @_noLocks @_noAllocation private func read(_ block: Block) {
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      let samples = bus[channel]
      for frame in 0..<block.frameCount {
        samples[frame] = history.sample(channel: channel, at: block.frame + Int64(frame - delay))
      }
    }
  }
}
