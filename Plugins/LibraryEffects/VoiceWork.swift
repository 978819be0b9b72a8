// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Works on the voice that comes by the board, in pieces that lie alike whatever the blocks.
@safe final class VoiceWork: SideThread, @unchecked Sendable {
  private let board: UnsafeMutablePointer<SoundBoard>
  private let channelCount: Int, sampleRate: Int, piece: Int
  private var channels: [VoiceChannel]
  /// What is played, both channels beside each other.
  private let far: UnsafeMutablePointer<Int16>
  private var settings = VoiceSettings(), settingsFrame = 0
  /// How many frames that come out belong to no sound: speexdsp is a piece late.
  private var early: Int

  /// Work on what comes by the board, which its owner keeps until the thread has ended. Nil where the library
  /// cannot be had.
  init?(_ board: UnsafeMutablePointer<SoundBoard>, channelCount: Int, sampleRate: Int) {
    guard let channels = Self.channels(channelCount, sampleRate) else { return nil }
    unsafe self.board = unsafe board
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.channels = channels
    piece = VoiceChannel.pieceLength(at: sampleRate)
    early = piece
    unsafe far = .allocate(capacity: piece * VoiceProcessing.farCount)
    unsafe far.initialize(repeating: 0, count: piece * VoiceProcessing.farCount)
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
    // First how many frames there are: what was asked for before them is seen after.
    let ready = unsafe board.pointee.dry.writePosition
    if let beginning = unsafe board.pointee.beginning() { begin(beginning.frame, beginning.number) }
    while unsafe ready - board.pointee.dry.readPosition >= piece { advance() }
  }

  /// Forgets all sound. speexdsp cannot do that but by being made anew.
  private func begin(_ frame: Int, _ number: Int) {
    skip(to: frame)
    turn(to: frame)
    settings.finish()
    // Where the library has no memory, the voice goes on with what it learnt.
    channels = Self.channels(channelCount, sampleRate) ?? channels
    early = piece
    unsafe board.pointee.begin(number)
  }

  private func skip(to frame: Int) {
    unsafe board.pointee.aside.skip(frame - board.pointee.aside.readPosition)
    unsafe board.pointee.dry.skip(frame - board.pointee.dry.readPosition)
  }

  /// Takes one piece through.
  private func advance() {
    let position = unsafe board.pointee.dry.readPosition
    turn(to: position)
    var done = 0
    while done < piece {
      let run = unsafe min(piece - done, board.pointee.dry.readableRun)
      for channel in 0..<VoiceProcessing.farCount {
        let samples = unsafe board.pointee.aside.samples(of: channel)
        for frame in 0..<run {
          unsafe far[(done + frame) * VoiceProcessing.farCount + channel] =
            VoiceChannel.far(samples[clean: frame])
        }
      }
      for channel in 0..<channelCount {
        let samples = unsafe board.pointee.dry.samples(of: channel)
        for frame in 0..<run { channels[channel].put(samples[clean: frame], at: done + frame) }
      }
      done += run
      skip(to: position + done)
    }
    for channel in channels { unsafe channel.run(settings, far: far) }
    give()
  }

  /// Hands over what came out. What finds no room has not been asked for in a long time.
  private func give() {
    var start = min(early, piece)
    early -= start
    while start < piece {
      let count = unsafe min(piece - start, board.pointee.wet.writableRun)
      guard count > 0 else { return }
      for channel in 0..<channelCount {
        let samples = unsafe board.pointee.wet.room(of: channel)
        for frame in 0..<count { samples[frame] = channels[channel].get(start + frame) }
      }
      unsafe board.pointee.wet.commit(count)
      start += count
    }
  }

  /// Moves the settings on to where they are at a frame of the dry ring.
  private func turn(to frame: Int) {
    while let turn = unsafe board.pointee.turns.peek(), turn.frame <= frame {
      settings.skip(max(turn.frame - settingsFrame, 0))
      settingsFrame = max(turn.frame, settingsFrame)
      settings.take(turn)
      _ = unsafe board.pointee.turns.pop()
    }
    settings.skip(max(frame - settingsFrame, 0))
    settingsFrame = max(frame, settingsFrame)
  }
}
