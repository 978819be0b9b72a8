// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Reads a sound file at any rate, once or in a seamless loop.
///
/// The loop is joined before resampling, so the filter does not ring at the seam. Frames are counted at the reading
/// rate, continuously through loops. Use a reader from one thread at a time.
package final class ConvertingReader {
  /// The properties of the file, at its own rate.
  package let info: AudioFileInfo
  /// The reading rate, in frames per second.
  package let sampleRate: Int
  /// The number of channels.
  package var channelCount: Int { info.channelCount }
  /// The number of frames in all loops; nil for an endless loop.
  package let length: Int?
  /// The number of frames in the file at the reading rate, without loops.
  package let frameCount: Int
  /// The index of the frame that is read next.
  package private(set) var position = 0

  private let supply: LoopReader
  private let resampler: Resampler?
  /// The input of the resampler, interleaved.
  private var staged: [Float] = []
  private var stagedCount = 0
  private var stagedStart = 0
  private lazy var memory = ChannelMemory(channelCount: channelCount, frameCount: ConvertingReader.stage)
  private var deinterleaver = Deinterleaver()
  private static let stage = 4096
  /// The maximum frame position, at which sums and products of frames and rates still fit into `Int`.
  private static let farthest = 1 << 50

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: a file that ``AudioFileReader`` can read.
  ///   - sampleRate: the reading rate, from 1000 to 1536000 frames per second; nil, the default, for the file's own.
  ///   - loops: how often the file is read; the default is once.
  ///   - quality: the quality of resampling; the default is `best`.
  /// - Throws: ``FileError`` if the file cannot be read or the rate is not supported.
  package init(
    _ path: String, sampleRate: Int? = nil, loops: Loops = .once, quality: ResamplingQuality = .best
  ) throws(FileError) {
    let reader = try AudioFileReader(path)
    let own = Int(reader.info.sampleRate)
    let rate = sampleRate ?? own
    info = reader.info
    self.sampleRate = rate
    guard AudioFileReader.rates.contains(rate) else {
      throw FileError(.unsupported, path, "cannot be read at \(rate) Hz; 1000 to 1536000 Hz are supported")
    }
    supply = try LoopReader(reader, loops: loops)
    length = supply.length.map { ConvertingReader.scaled($0, by: rate, over: own) }
    frameCount = ConvertingReader.scaled(reader.info.frameCount, by: rate, over: own)
    if rate == own {
      resampler = nil
    } else {
      resampler = Resampler(channelCount: reader.info.channelCount, from: own, to: rate, quality: quality)
      if resampler == nil {
        throw FileError(.unsupported, path, "cannot be resampled from \(own) Hz to \(rate) Hz")
      }
    }
  }

  /// The loop that the file defines for samplers, in frames at the reading rate.
  var sampleLoop: Range<Int>? {
    let own = Int(info.sampleRate)
    guard let loop = info.sampleLoop else { return nil }
    let start = ConvertingReader.scaled(loop.lowerBound, by: sampleRate, over: own)
    let end = min(ConvertingReader.scaled(loop.upperBound, by: sampleRate, over: own), frameCount)
    return start < end ? start..<end : nil
  }

  /// Returns `frames * rate / own`, rounded to the nearest frame.
  private static func scaled(_ frames: Int, by rate: Int, over own: Int) -> Int {
    let (product, overflows) = frames.multipliedReportingOverflow(by: rate)
    return overflows ? farthest : min((product + own / 2) / own, farthest)
  }

  /// Reads the next frames, channel by channel.
  ///
  /// - Parameters:
  ///   - channels: one pointer per channel of the file, each to `count` floats.
  ///   - count: the number of frames to read.
  /// - Returns: the number of frames that were read; fewer than `count` only at the end.
  /// - Throws: ``FileError`` if the file ends before its announced length or cannot be read.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) -> Int {
    try read(into: Channels(channels, count: channelCount), count: count)
  }

  /// Reads up to `count` frames as one array per channel. The arrays are empty at the end.
  ///
  /// - Throws: ``FileError``, as ``read(into:count:)``.
  package func read(_ count: Int) throws(FileError) -> [[Float]] {
    let wanted = max(0, min(count, (length ?? .max) - position))
    let memory = ChannelMemory(channelCount: channelCount, frameCount: wanted)
    return try memory.channels.arrays(read(into: memory.channels, count: wanted))
  }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let wanted = min(count, (length ?? .max) - position)
    guard wanted > 0 else { return 0 }
    if let resampler {
      _ = try deinterleaver.read(into: channels, count: wanted) { buffer, count throws(FileError) in
        try convert(with: resampler, into: buffer, count)
        return count
      }
    } else if try supply.read(into: channels, count: wanted) < wanted {
      throw FileError(.truncated, info.path, "ends before its announced length")
    }
    position += wanted
    return wanted
  }

  /// Produces exactly `count` frames. The input after the file's end is silence, which the filter needs for the last
  /// frames.
  private func convert(
    with resampler: Resampler, into buffer: UnsafeMutablePointer<Float>, _ count: Int
  ) throws(FileError) {
    var done = 0
    while done < count {
      if stagedCount == 0 { try stage() }
      let (start, held) = (stagedStart * channelCount, stagedCount)
      let step = staged.withUnsafeBufferPointer { input in
        input.baseAddress.flatMap {
          resampler.convert($0 + start, held, to: buffer + done * channelCount, count - done, isLast: false)
        }
      }
      guard let step, step.used + step.made > 0 else {
        throw FileError(.unsupported, info.path, "cannot be resampled to \(sampleRate) Hz")
      }
      stagedStart += step.used
      stagedCount -= step.used
      done += step.made
    }
  }

  /// Stages the next frames of the file, or silence after its end, as input of the resampler.
  private func stage() throws(FileError) {
    let stage = ConvertingReader.stage, channels = memory.channels
    if staged.isEmpty { staged = [Float](repeating: 0, count: stage * channelCount) }
    let count = try supply.read(into: channels, count: stage)
    channels.from(count).clear(stage - count)
    channels.interleave(stage, to: &staged)
    (stagedStart, stagedCount) = (0, stage)
  }

  /// Seeks to a frame at the reading rate, counted through all loops. Frames outside the range are clamped to it.
  ///
  /// - Throws: ``FileError`` if the file does not support seeking.
  package func seek(to frame: Int) throws(FileError) {
    let target = max(0, min(frame, length ?? ConvertingReader.farthest))
    let own = Int(info.sampleRate)
    guard let resampler else {
      try supply.seek(to: target)
      position = target
      return
    }
    // The filter needs preceding frames. It starts some way before the target, at a frame that coincides at both rates.
    let divisor = greatestCommonDivisor(own, sampleRate)
    let (ownStep, step) = (own / divisor, sampleRate / divisor)
    let preroll = 512 * (1 + own / sampleRate)
    let steps = max(0, target / step - 1 - preroll / ownStep)
    resampler.reset()
    (stagedStart, stagedCount) = (0, 0)
    try supply.seek(to: steps * ownStep)
    position = steps * step
    let skipped = ChannelMemory(channelCount: channelCount, frameCount: ConvertingReader.stage)
    while position < target {
      let run = min(target - position, ConvertingReader.stage)
      guard try read(into: skipped.channels, count: run) > 0 else { return }
    }
  }
}
