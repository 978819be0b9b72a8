// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletStretch

/// The side thread of ``Pitch``: shifts the pitch of the frames in the board, in blocks that do not depend on the audio
/// thread's block sizes.
@safe final class PitchWork: SideThread, @unchecked Sendable {
  /// The number of frames that are processed at once, with a constant pitch.
  static let piece = 128

  private let board: UnsafeMutablePointer<SideBuffers>
  private let channelCount: Int
  private let makeStretcher: (Stretch) -> Stretcher?
  private var stretcher: Stretcher?
  private var frames: [Float]
  /// The pitch, and the frame of the dry ring at which it applies.
  private var pitch = Ramp(0), pitchFrame = 0
  /// The number of frames that wait in the stretcher. A change of the pitch acts on them, so it is made when the
  /// stretcher has given out all frames before it.
  private var waiting = 0

  /// Creates the work on a board, which the owner keeps alive until the thread has ended.
  ///
  /// - Parameters:
  ///   - board: the memory that both threads share.
  ///   - stretcher: the first stretcher.
  ///   - makeStretcher: makes another stretcher after a restart; returns nil if the library is not available.
  init(
    _ board: UnsafeMutablePointer<SideBuffers>, _ stretcher: Stretcher,
    _ makeStretcher: @escaping (Stretch) -> Stretcher?
  ) {
    unsafe self.board = unsafe board
    self.stretcher = stretcher
    self.makeStretcher = makeStretcher
    channelCount = stretcher.channelCount
    frames = [Float](repeating: 0, count: PitchWork.piece * channelCount)
    super.init(every: 2)
  }

  override func work() {
    // The write position is read first, so that all changes requested before these frames are visible.
    let ready = unsafe board.pointee.dry.writePosition
    if let beginning = unsafe board.pointee.beginning() {
      unsafe board.pointee.dry.skip(beginning.frame - board.pointee.dry.readPosition)
      turn(to: beginning.frame)
      pitch.finish()
      waiting = 0
      stretcher = makeStretcher(Stretch(pitch: Double(pitch.value)))
      unsafe board.pointee.begin(beginning.number)
    }
    while unsafe ready - board.pointee.dry.readPosition >= PitchWork.piece { shift() }
  }

  /// Processes one block.
  private func shift() {
    guard let stretcher else {
      // The library had no memory for another stretcher: the output is silent, but frames are still consumed.
      unsafe board.pointee.dry.skip(PitchWork.piece)
      return
    }
    let position = unsafe board.pointee.dry.readPosition
    turn(to: position - waiting)
    stretcher.stretch = Stretch(pitch: Double(pitch.value))
    var done = 0
    while done < PitchWork.piece {
      let run = unsafe min(PitchWork.piece - done, board.pointee.dry.readableRun)
      for channel in 0..<channelCount {
        let samples = unsafe board.pointee.dry.samples(of: channel)
        for frame in 0..<run { frames[(done + frame) * channelCount + channel] = samples[clean: frame] }
      }
      unsafe board.pointee.dry.skip(run)
      done += run
    }
    unsafe frames.withUnsafeBufferPointer { frames in
      if let base = frames.baseAddress { unsafe stretcher.push(base, count: PitchWork.piece) }
    }
    waiting += PitchWork.piece
    // If the wet ring is full, its frames have not been read for a long time, and the rest is dropped.
    while true {
      let got = unsafe stretcher.pull(
        into: &frames, count: min(PitchWork.piece, board.pointee.wet.writableRun))
      guard got > 0 else { return }
      waiting -= got
      for channel in 0..<channelCount {
        let samples = unsafe board.pointee.wet.room(of: channel)
        for frame in 0..<got { samples[frame] = frames[frame * channelCount + channel] }
      }
      unsafe board.pointee.wet.commit(got)
    }
  }

  /// Advances the pitch to a frame of the dry ring.
  private func turn(to frame: Int) {
    while let turn = unsafe board.pointee.turns.peek(), turn.frame <= frame {
      pitch.skip(max(turn.frame - pitchFrame, 0))
      pitchFrame = max(turn.frame, pitchFrame)
      pitch.glide(to: turn.value, over: turn.length)
      _ = unsafe board.pointee.turns.pop()
    }
    pitch.skip(max(frame - pitchFrame, 0))
    pitchFrame = max(frame, pitchFrame)
  }
}
