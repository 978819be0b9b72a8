// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The side thread of ``VoiceProcessing``: processes the voice in the shared buffers, in blocks that do not depend on
/// the audio thread's block sizes.
@safe final class VoiceWork: SideThread, @unchecked Sendable {
  private let buffers: UnsafeMutablePointer<SideBuffers>
  private let channelCount: Int, sampleRate: Int, blockLength: Int
  private var channels: [VoiceChannel]
  /// The played signal, interleaved.
  private let far: UnsafeMutablePointer<Int16>
  private var settings = VoiceSettings(), settingsFrame = 0
  /// The number of output frames to drop: the output of speexdsp is one block late.
  private var early: Int

  /// Creates the work on buffers, which the owner keeps alive until the thread has ended. Returns nil if the library is
  /// not available.
  init?(_ buffers: UnsafeMutablePointer<SideBuffers>, channelCount: Int, sampleRate: Int) {
    guard let channels = Self.channels(channelCount, sampleRate) else { return nil }
    unsafe self.buffers = unsafe buffers
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.channels = channels
    blockLength = VoiceChannel.blockLength(at: sampleRate)
    early = blockLength
    unsafe far = .allocate(capacity: blockLength * VoiceProcessing.farCount)
    unsafe far.initialize(repeating: 0, count: blockLength * VoiceProcessing.farCount)
    super.init(every: 2)
  }

  deinit { unsafe far.deallocate() }

  private static func channels(_ count: Int, _ sampleRate: Int) -> [VoiceChannel]? {
    let made = (0..<count).compactMap { _ in
      VoiceChannel(sampleRate: sampleRate, farCount: VoiceProcessing.farCount)
    }
    return made.count == count ? made : nil
  }

  override func work() {
    // The write position is read first, so that all changes requested before these frames are visible.
    let ready = unsafe buffers.pointee.dry.writePosition
    if let beginning = unsafe buffers.pointee.beginning() { begin(beginning.frame, beginning.number) }
    while unsafe ready - buffers.pointee.dry.readPosition >= blockLength { advance() }
  }

  /// Restarts the processing. speexdsp cannot reset its state, so new channels are created.
  private func begin(_ frame: Int, _ number: Int) {
    skip(to: frame)
    applyChanges(upTo: frame)
    settings.finish()
    // If the library has no memory, the existing channels continue with their adapted state.
    channels = Self.channels(channelCount, sampleRate) ?? channels
    early = blockLength
    unsafe buffers.pointee.begin(number)
  }

  private func skip(to frame: Int) {
    unsafe buffers.pointee.aside.skip(frame - buffers.pointee.aside.readPosition)
    unsafe buffers.pointee.dry.skip(frame - buffers.pointee.dry.readPosition)
  }

  /// Processes one block.
  private func advance() {
    let position = unsafe buffers.pointee.dry.readPosition
    applyChanges(upTo: position)
    var done = 0
    while done < blockLength {
      let run = unsafe min(blockLength - done, buffers.pointee.dry.readableRun)
      for channel in 0..<VoiceProcessing.farCount {
        let samples = unsafe buffers.pointee.aside.samples(of: channel)
        for frame in 0..<run {
          unsafe far[(done + frame) * VoiceProcessing.farCount + channel] =
            VoiceChannel.far(samples[clean: frame])
        }
      }
      for channel in 0..<channelCount {
        let samples = unsafe buffers.pointee.dry.samples(of: channel)
        for frame in 0..<run { channels[channel].put(samples[clean: frame], at: done + frame) }
      }
      done += run
      skip(to: position + done)
    }
    for channel in channels { unsafe channel.run(settings, far: far) }
    writeOutput()
  }

  /// Writes the output to the wet ring. If the ring is full, its frames have not been read for a long time, and the
  /// rest is dropped.
  private func writeOutput() {
    var start = min(early, blockLength)
    early -= start
    while start < blockLength {
      let count = unsafe min(blockLength - start, buffers.pointee.wet.writableRun)
      guard count > 0 else { return }
      for channel in 0..<channelCount {
        let samples = unsafe buffers.pointee.wet.writableSamples(of: channel)
        for frame in 0..<count { samples[frame] = channels[channel].get(start + frame) }
      }
      unsafe buffers.pointee.wet.commit(count)
      start += count
    }
  }

  /// Advances the settings to a frame of the dry ring.
  private func applyChanges(upTo frame: Int) {
    while let change = unsafe buffers.pointee.changes.peek(), change.frame <= frame {
      settings.skip(max(change.frame - settingsFrame, 0))
      settingsFrame = max(change.frame, settingsFrame)
      settings.apply(change)
      _ = unsafe buffers.pointee.changes.pop()
    }
    settings.skip(max(frame - settingsFrame, 0))
    settingsFrame = max(frame, settingsFrame)
  }
}
