// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A sound file read at a rate of your choice, once or in a loop without a seam.
///
/// The loop is joined before the rate is changed, so nothing rings where it joins. Frames are counted at the
/// rate that is read at, and go on counting through loops. One thread at a time uses a reader.
package final class ConvertingReader {
  /// What the file says of itself, at its own rate.
  package let info: AudioFileInfo
  /// Frames a second of what is read.
  package let sampleRate: Int
  /// Channels of each frame.
  package var channelCount: Int { info.channelCount }
  /// How many frames there are in all loops; nil for a loop without end.
  package let length: Int?
  /// How many frames the file has once, at the rate that is read at.
  package let frameCount: Int
  /// The next frame that is read.
  package private(set) var position = 0

  private let supply: LoopSupply
  private let resampler: Resampler?
  /// What the resampler takes, channel beside channel.
  private var staged: [Float] = []
  private var stagedCount = 0
  private var stagedStart = 0
  private lazy var memory = ChannelMemory(channelCount: channelCount, frameCount: ConvertingReader.stage)
  private var deinterleaver = Deinterleaver()
  private static let stage = 4096
  /// No frame lies beyond: so far out, sums and products of frames and rates still fit.
  private static let farthest = 1 << 50

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: any file that ``AudioFileReader`` reads.
  ///   - sampleRate: the rate to read at, 1000 to 1536000; nil for the file's own.
  ///   - loops: how often the file is read.
  ///   - quality: how carefully the rate is changed.
  /// - Throws: ``FileError``.
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
    supply = try LoopSupply(reader, loops: loops)
    length = supply.length.map { ConvertingReader.scaled($0, by: rate, over: own) }
    frameCount = ConvertingReader.scaled(reader.info.frameCount, by: rate, over: own)
    if rate == own {
      resampler = nil
    } else {
      resampler = Resampler(channelCount: reader.info.channelCount, from: own, to: rate, quality: quality)
      if resampler == nil {
        throw FileError(.unsupported, path, "cannot be brought from \(own) Hz to \(rate) Hz")
      }
    }
  }

  /// The frames that a sampler would loop, at the rate that is read at.
  var sampleLoop: Range<Int>? {
    let own = Int(info.sampleRate)
    guard let loop = info.sampleLoop else { return nil }
    let start = ConvertingReader.scaled(loop.lowerBound, by: sampleRate, over: own)
    let end = min(ConvertingReader.scaled(loop.upperBound, by: sampleRate, over: own), frameCount)
    return start < end ? start..<end : nil
  }

  /// `frames * rate / own`, rounded to the nearest frame.
  private static func scaled(_ frames: Int, by rate: Int, over own: Int) -> Int {
    let (product, overflows) = frames.multipliedReportingOverflow(by: rate)
    return overflows ? farthest : min((product + own / 2) / own, farthest)
  }

  /// Reads the next frames, channel by channel.
  ///
  /// - Parameters:
  ///   - channels: one pointer a channel of the file, each to `count` floats.
  ///   - count: how many frames are wanted.
  /// - Returns: how many were there; fewer only at the end.
  /// - Throws: ``FileError`` where the file turns out to be cut short or cannot be read.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) throws(FileError) -> Int {
    try read(into: Channels(channels, count: channelCount), count: count)
  }

  /// Reads up to `count` frames as one array a channel; the arrays are empty at the end.
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

  /// Makes exactly `count` frames. Behind the file's end comes silence: the filter needs what follows, too.
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
        throw FileError(.unsupported, info.path, "cannot be brought to \(sampleRate) Hz")
      }
      stagedStart += step.used
      stagedCount -= step.used
      done += step.made
    }
  }

  /// Lays the next frames of the file ready, or silence behind its end.
  private func stage() throws(FileError) {
    let stage = ConvertingReader.stage, channels = memory.channels
    if staged.isEmpty { staged = [Float](repeating: 0, count: stage * channelCount) }
    let count = try supply.read(into: channels, count: stage)
    channels.from(count).clear(stage - count)
    channels.interleave(stage, to: &staged)
    (stagedStart, stagedCount) = (0, stage)
  }

  /// Goes to a frame at the rate that is read at, counted through all loops; one past the end is the end.
  ///
  /// - Throws: ``FileError`` where the file cannot be sought in.
  package func seek(to frame: Int) throws(FileError) {
    let target = max(0, min(frame, length ?? ConvertingReader.farthest))
    let own = Int(info.sampleRate)
    guard let resampler else {
      try supply.seek(to: target)
      position = target
      return
    }
    // A filter needs what comes before. It starts on a frame that both rates
    // share, some way ahead of the target.
    let divisor = greatestCommonDivisor(own, sampleRate)
    let (ownStep, step) = (own / divisor, sampleRate / divisor)
    let lead = 512 * (1 + own / sampleRate)
    let steps = max(0, target / step - 1 - lead / ownStep)
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
