// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles
internal import SwiftletLibraryEffects
internal import SwiftletSignal
internal import Synchronization

/// Measures, encodes and writes the sound of an export on a queue of its own, batch by batch, while the rendering
/// thread renders the next batch.
// @unchecked: the rendering thread uses a batch until it hands it over, and writers and levels before the first batch
// and after `settle`; in between, the queue uses them.
final class ExportWriting: @unchecked Sendable {
  /// Memory for several blocks of sound.
  private struct Batch {
    let memory: UnsafeMutablePointer<Float>
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  }

  /// The files that the sound is written to. The caller creates and finishes them.
  var writers: [AudioFileWriter] = []
  private let channelCount: Int, longestBlock: Int
  private let queue = DispatchQueue(label: "swiftlet-export-writing")
  private let batches: [Batch]
  /// The capacity of a batch in frames, large enough that the cost of handing one over is negligible.
  private let capacity: Int
  /// The index of the batch that is being filled, and the number of frames in it.
  private var current = 0, filled = 0
  /// The last kept frame of each channel.
  private var last: [Float]
  /// Counts the other batches that are free.
  private let free = DispatchSemaphore(value: ExportWriting.batchCount - 1)
  private static let batchCount = 4
  private let failure = Mutex<FileError?>(nil)
  private var peak: Float = 0
  /// The highest true peak so far. The measurement returns each peak once.
  private var truePeak = 0.0
  private var measurement: R128Measurement?

  /// Creates the queue and its memory for blocks of at most `longestBlock` frames.
  init(channelCount: Int, longestBlock: Int) {
    (self.channelCount, self.longestBlock) = (channelCount, longestBlock)
    let capacity = max(longestBlock, 16_384), count = max(channelCount, 1)
    self.capacity = capacity
    last = Array(repeating: 0, count: channelCount)
    batches = (0..<Self.batchCount).map { _ in
      let batch = Batch(memory: .allocate(capacity: count * capacity), channels: .allocate(capacity: count))
      batch.memory.initialize(repeating: 0, count: count * capacity)
      for channel in 0..<count {
        (batch.channels + channel).initialize(to: batch.memory + channel * capacity)
      }
      return batch
    }
  }

  deinit {
    for batch in batches {
      batch.channels.deallocate()
      batch.memory.deallocate()
    }
  }

  /// Also measures loudness and true peak.
  func measure(sampleRate: Double) {
    measurement = R128Measurement(
      channelCount: channelCount, sampleRate: sampleRate, truePeak: true, loudness: true)
  }

  /// Copies a channel of a block.
  func take(_ channel: Int, _ samples: Samples) {
    guard channel < channelCount, samples.count <= longestBlock else { return }
    let target = batches[current].channels[channel] + filled
    target.update(from: samples.unsafeBase, count: samples.count)
  }

  /// Adds a block of silence.
  func silence(_ count: Int) {
    for channel in 0..<channelCount {
      (batches[current].channels[channel] + filled).update(repeating: 0, count: min(count, longestBlock))
    }
  }

  /// Crossfades from the last kept frame into the current block, so that the level does not jump.
  ///
  /// - Parameters:
  ///   - start: the first frame of the block that is kept.
  ///   - count: the length of the crossfade in frames.
  func join(at start: Int, over count: Int) {
    for channel in 0..<channelCount {
      let samples = batches[current].channels[channel] + filled + start
      for frame in 0..<count {
        let part = Float(frame + 1) / Float(count + 1)
        samples[frame] = last[channel] * (1 - part) + samples[frame] * part
      }
    }
  }

  /// Keeps a range of frames of the current block. Waits if all batches are full.
  ///
  /// - Throws: ``FileError`` if an earlier batch could not be written.
  func keep(_ frames: Range<Int>) throws(FileError) {
    try check()
    for channel in 0..<channelCount where frames.lowerBound > 0 {
      let start = batches[current].channels[channel] + filled
      start.update(from: start + frames.lowerBound, count: frames.count)
    }
    filled += frames.count
    for channel in 0..<channelCount where filled > 0 {
      last[channel] = batches[current].channels[channel][filled - 1]
    }
    if filled + longestBlock > capacity { handOver() }
  }

  private func handOver() {
    queue.async { [self, current, filled] in
      work(batches[current], filled)
      free.signal()
    }
    (current, filled) = ((current + 1) % Self.batchCount, 0)
    free.wait()
  }

  /// Hands over the remaining frames, and waits until all are written and measured.
  func settle() {
    if filled > 0 { handOver() }
    queue.sync { measurement?.finish() }
  }

  /// Throws the error that occurred while writing, if there was one.
  ///
  /// - Throws: ``FileError``.
  func check() throws(FileError) { if let error = failure.withLock({ $0 }) { throw error } }

  private func work(_ batch: Batch, _ count: Int) {
    guard failure.withLock({ $0 == nil }) else { return }
    do throws(FileError) {
      for writer in writers { try writer.write(batch.channels, count: count) }
    } catch {
      failure.withLock { $0 = error }
    }
    for channel in 0..<channelCount {
      peak = max(peak, Samples(batch.channels[channel], count: count).peak)
    }
    measurement?.add(count) { Samples(batch.channels[$0], count: count) }
  }

  /// The measured levels, once all is written.
  var levels: ExportLevels {
    guard let loudness = measurement?.loudness?.integrated else { return ExportLevels(peak: peak) }
    for channel in 0..<channelCount { truePeak = max(truePeak, measurement?.takeTruePeak(of: channel) ?? 0) }
    return ExportLevels(peak: peak, loudness: loudness, truePeak: Decibels.level(truePeak))
  }
}
