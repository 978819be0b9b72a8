// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// The memory of a wire that closes a loop: its far end writes, its near end reads what was written earlier.
@safe final class FeedbackLine: @unchecked Sendable {
  // @unchecked: reader and writer are steps of one plan, which run one after the other on the audio thread.
  private let history: HistoryLine

  /// Room for the longest delay a feedback wire may ask for.
  init(channels: Int, longestDelay: Int, longestBlock: Int) {
    history = HistoryLine(channelCount: channels, longestDelay: longestDelay, longestBlock: longestBlock)
  }

  /// The longest delay, in frames.
  var longestDelay: Int { history.longestDelay }

  /// Remembers a block. Audio thread.
  @_noLocks @_noAllocation func write(_ block: Block) {
    let bus = block.input()
    for channel in 0..<bus.channelCount { history.write(bus[channel], channel: channel, at: block.frame) }
  }

  /// Gives back what was written `delay` frames ago. Audio thread.
  @_noLocks @_noAllocation func read(_ block: Block, delay: Int) {
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      let samples = bus[channel]
      for frame in 0..<block.frameCount {
        samples[frame] = history.sample(channel: channel, at: block.frame + Int64(frame - delay))
      }
    }
  }
}

/// The far end of a feedback wire.
@safe final class FeedbackWriter: Processor, @unchecked Sendable {
  private let line: FeedbackLine

  init(_ line: FeedbackLine) {
    self.line = line
    super.init()
  }

  override func process(_ block: Block) { line.write(block) }
}

/// The near end of a feedback wire; its delay is parameter 0.
@safe final class FeedbackReader: Processor, @unchecked Sendable {
  private let line: FeedbackLine
  private let delay: Int

  /// Reads `delay` frames late, which the line is long enough for.
  init(_ line: FeedbackLine, delay: Int) {
    self.line = line
    self.delay = min(delay, line.longestDelay)
    super.init()
  }

  override func process(_ block: Block) { line.read(block, delay: delay) }
}
