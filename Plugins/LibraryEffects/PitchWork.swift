// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal
internal import SwiftletStretch

/// Shifts the pitch of what comes by the board, in pieces that lie alike whatever the blocks.
@safe final class PitchWork: SideThread, @unchecked Sendable {
  /// So many frames go through at once, with one pitch.
  static let piece = 128

  private let board: UnsafeMutablePointer<SoundBoard>
  private let channelCount: Int
  private let makeStretcher: (Stretch) -> Stretcher?
  private var stretcher: Stretcher?
  private var frames: [Float]
  /// The pitch after so many frames of the dry ring.
  private var pitch = Ramp(0), pitchFrame = 0

  /// Work on what comes by the board, which its owner keeps until the thread has ended.
  ///
  /// - Parameters:
  ///   - board: what both threads write to and read from.
  ///   - stretcher: what does it first.
  ///   - makeStretcher: makes another where the sound begins anew; nil where the library cannot be had.
  init(
    _ board: UnsafeMutablePointer<SoundBoard>, _ stretcher: Stretcher,
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
    // First how many frames there are: what was asked for before them is seen after.
    let ready = unsafe board.pointee.dry.writePosition
    if let beginning = unsafe board.pointee.beginning() {
      unsafe board.pointee.dry.skip(beginning.frame - board.pointee.dry.readPosition)
      turn(to: beginning.frame)
      pitch.finish()
      stretcher = makeStretcher(Stretch(pitch: Double(pitch.value)))
      unsafe board.pointee.begin(beginning.number)
    }
    while unsafe ready - board.pointee.dry.readPosition >= PitchWork.piece { shift() }
  }

  /// Takes one piece through.
  private func shift() {
    guard let stretcher else {
      // The library had no memory for another: silence, but no standstill.
      unsafe board.pointee.dry.skip(PitchWork.piece)
      return
    }
    let position = unsafe board.pointee.dry.readPosition
    turn(to: position)
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
    // What finds no room has not been asked for in a long time.
    while true {
      let got = unsafe stretcher.pull(
        into: &frames, count: min(PitchWork.piece, board.pointee.wet.writableRun))
      guard got > 0 else { return }
      for channel in 0..<channelCount {
        let samples = unsafe board.pointee.wet.room(of: channel)
        for frame in 0..<got { samples[frame] = frames[frame * channelCount + channel] }
      }
      unsafe board.pointee.wet.commit(got)
    }
  }

  /// Moves the pitch on to where it is at a frame of the dry ring.
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
