// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletStretch

/// The side thread of ``Pitch``: shifts the pitch of the frames in the shared buffers, in blocks that do not depend on
/// the audio thread's block sizes.
@safe final class PitchWork: SideThread, @unchecked Sendable {
  /// The number of frames that are processed at once, with a constant pitch.
  static let blockLength = 128

  private let buffers: UnsafeMutablePointer<SideBuffers>
  private let channelCount: Int
  private let makeStretcher: (Stretch) -> Stretcher?
  private var stretcher: Stretcher?
  private var frames: [Float]
  /// The pitch, and the frame of the dry ring at which it applies.
  private var pitch = Ramp(0), pitchFrame = 0
  /// The number of frames that wait in the stretcher. A change of the pitch acts on them, so it is made when the
  /// stretcher has given out all frames before it.
  private var waiting = 0

  /// Creates the work on buffers, which the owner keeps alive until the thread has ended.
  ///
  /// - Parameters:
  ///   - buffers: the memory that both threads share.
  ///   - stretcher: the first stretcher.
  ///   - makeStretcher: makes another stretcher after a restart; returns nil if the library is not available.
  init(
    _ buffers: UnsafeMutablePointer<SideBuffers>, _ stretcher: Stretcher,
    _ makeStretcher: @escaping (Stretch) -> Stretcher?
  ) {
    unsafe self.buffers = unsafe buffers
    self.stretcher = stretcher
    self.makeStretcher = makeStretcher
    channelCount = stretcher.channelCount
    frames = [Float](repeating: 0, count: PitchWork.blockLength * channelCount)
    super.init(every: 2)
  }

  override func work() {
    // The write position is read first, so that all changes requested before these frames are visible.
    let ready = unsafe buffers.pointee.dry.writePosition
    if let beginning = unsafe buffers.pointee.beginning() {
      unsafe buffers.pointee.dry.skip(beginning.frame - buffers.pointee.dry.readPosition)
      applyChanges(upTo: beginning.frame)
      pitch.finish()
      waiting = 0
      stretcher = makeStretcher(Stretch(pitch: Double(pitch.value)))
      unsafe buffers.pointee.begin(beginning.number)
    }
    while unsafe ready - buffers.pointee.dry.readPosition >= PitchWork.blockLength { shift() }
  }

  /// Processes one block.
  private func shift() {
    guard let stretcher else {
      // The library had no memory for another stretcher: the output is silent, but frames are still consumed.
      unsafe buffers.pointee.dry.skip(PitchWork.blockLength)
      return
    }
    let position = unsafe buffers.pointee.dry.readPosition
    applyChanges(upTo: position - waiting)
    stretcher.stretch = Stretch(pitch: Double(pitch.value))
    var done = 0
    while done < PitchWork.blockLength {
      let run = unsafe min(PitchWork.blockLength - done, buffers.pointee.dry.readableRun)
      for channel in 0..<channelCount {
        let samples = unsafe buffers.pointee.dry.samples(of: channel)
        for frame in 0..<run { frames[(done + frame) * channelCount + channel] = samples[clean: frame] }
      }
      unsafe buffers.pointee.dry.skip(run)
      done += run
    }
    unsafe frames.withUnsafeBufferPointer { frames in
      if let base = frames.baseAddress { unsafe stretcher.push(base, count: PitchWork.blockLength) }
    }
    waiting += PitchWork.blockLength
    // If the wet ring is full, its frames have not been read for a long time, and the rest is dropped.
    while true {
      let got = unsafe stretcher.pull(
        into: &frames, count: min(PitchWork.blockLength, buffers.pointee.wet.writableRun))
      guard got > 0 else { return }
      waiting -= got
      for channel in 0..<channelCount {
        let samples = unsafe buffers.pointee.wet.writableSamples(of: channel)
        for frame in 0..<got { samples[frame] = frames[frame * channelCount + channel] }
      }
      unsafe buffers.pointee.wet.commit(got)
    }
  }

  /// Advances the pitch to a frame of the dry ring.
  private func applyChanges(upTo frame: Int) {
    while let change = unsafe buffers.pointee.changes.peek(), change.frame <= frame {
      pitch.skip(max(change.frame - pitchFrame, 0))
      pitchFrame = max(change.frame, pitchFrame)
      pitch.glide(to: change.value, over: change.length)
      _ = unsafe buffers.pointee.changes.pop()
    }
    pitch.skip(max(frame - pitchFrame, 0))
    pitchFrame = max(frame, pitchFrame)
  }
}
