// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletStretch

/// Sound that plays faster or slower, higher or lower; as it is while nobody asks for that.
///
/// One thread at a time uses a reader.
final class StretchingReader {
  let reader: LoopingReader
  var channelCount: Int { reader.channelCount }
  /// Whether no frame follows those that were read.
  private(set) var isAtEnd = false
  /// Whether it has ever changed the sound: then it goes on with it, so that nothing jumps.
  var isStretching: Bool { stretcher != nil }

  /// How its speed and pitch move, and the frame of the timeline at which what is read next from the file is heard.
  private var course: SpeedCourse?, clock = 0.0

  private let engine: StretchEngine, isBest: Bool
  private var asked: Stretch
  private var stretcher: Stretcher?
  /// What the stretcher gives, and what it takes, channel beside channel.
  private var piece: [Float]
  private lazy var memory = ChannelMemory(channelCount: channelCount, frameCount: mostFed)
  /// How many frames what was taken from the file makes, and how many of them were read.
  private var due = 0.0, given = 0
  private var hasTakenAll = false
  /// The sound as it is where stretching began in its midst, to fade over from.
  private var seam: [Float] = []
  private var wantsSeam = false
  private static let pieceFrames = 256
  /// How many frames are made at one speed while that moves: so many that the resampler can make up for its glide.
  private static let movingFrames = 512
  private var seamFrames: Int { reader.sampleRate / 100 }
  private var mostFed: Int { max(seamFrames, 4 * StretchingReader.movingFrames) }

  /// A reader that starts with `stretch`.
  ///
  /// - Parameters:
  ///   - engine: one that is built, and works at the reader's rate.
  ///   - isReady: whether it changes the sound from the first frame on, though nothing is asked for yet: then it
  ///     never has to begin in its midst.
  /// - Throws: ``FileError`` where the file has more channels than can be stretched.
  init(
    _ reader: any SoundReader, _ stretch: Stretch, engine: StretchEngine = .fast, isBest: Bool,
    isReady: Bool = false
  ) throws(FileError) {
    self.reader = LoopingReader(reader)
    self.isBest = isBest
    self.engine = engine
    asked = stretch
    piece = [Float](repeating: 0, count: StretchingReader.pieceFrames * reader.channelCount)
    if isReady || stretch != Stretch() {
      stretcher = makeStretcher(stretch)
      if stretcher == nil {
        throw StretchingReader.tooManyChannels(reader.path)
      }
    }
  }

  static func tooManyChannels(_ path: String) -> FileError {
    FileError(
      .unsupported, path,
      "has more channels than can be played at another speed or pitch: \(Stretcher.mostChannels)")
  }

  private func makeStretcher(_ stretch: Stretch) -> Stretcher? {
    let made = Stretcher(
      channelCount: channelCount, sampleRate: Double(reader.sampleRate), stretch, engine: engine,
      isBest: isBest)
    made?.isSteady = course == nil
    return made
  }

  /// How long all of it is at the stretch it has now, in frames; nil for a loop without end.
  var length: Int? {
    reader.length.map { Int(min((Double($0) / asked.advance).rounded(), 0x1p50)) }
  }

  /// How it plays from the next frame on. What cannot be stretched goes on as it is.
  var stretch: Stretch {
    get { asked }
    set {
      guard newValue != asked else { return }
      if let stretcher {
        stretcher.stretch = newValue
      } else {
        stretcher = makeStretcher(newValue)
        guard stretcher != nil else { return }
        wantsSeam = reader.position > 0
      }
      asked = newValue
    }
  }

  /// Has speed and pitch follow a course, or, with nil, stay. What cannot be stretched goes on as it is.
  func follow(_ course: SpeedCourse?, from frame: Double) {
    (self.course, clock) = (course, frame)
    stretcher?.isSteady = course == nil
    guard let course, stretcher == nil else { return }
    stretcher = makeStretcher(course.stretch(at: frame))
    guard stretcher != nil else { return self.course = nil }
    asked = course.stretch(at: frame)
    wantsSeam = reader.position > 0
  }

  /// Has speed and pitch follow another course from the same frame on.
  func retrace(_ course: SpeedCourse?) {
    guard let stretcher else { return }
    self.course = course
    stretcher.isSteady = course == nil
  }

  /// What is read next is heard so many frames later than was thought.
  func shift(by frames: Double) { clock += frames }

  /// Goes to a frame of the file, at the rate that is read at.
  ///
  /// - Parameter clock: the frame of the timeline at which it is heard.
  /// - Throws: as its reader.
  func seek(to frame: Int, at clock: Double = 0) throws(FileError) {
    try reader.seek(to: frame)
    self.clock = clock
    if let course { asked = course.stretch(at: clock) }
    (isAtEnd, hasTakenAll, due, given) = (false, false, 0, 0)
    seam = []
    wantsSeam = false
    if stretcher != nil { stretcher = makeStretcher(asked) }
  }

  /// Reads up to `count` frames; fewer only at the end.
  ///
  /// - Throws: as its reader.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    guard let stretcher else {
      let got = try reader.read(into: channels, count: count)
      isAtEnd = got < count || reader.position == reader.length
      return got
    }
    var done = 0
    while done < count, !isAtEnd {
      let room = min(count - done, StretchingReader.pieceFrames)
      // Where the speed has changed, more may have been read than was due.
      let left = hasTakenAll ? min(room, max(Int(due.rounded()) - given, 0)) : room
      let got = stretcher.pull(into: &piece, count: left)
      lay(got, channels.from(done))
      done += got
      given += got
      isAtEnd = hasTakenAll && given >= Int(due.rounded())
      if got == 0, !isAtEnd { try feed(stretcher) }
    }
    return done
  }

  /// Gives the stretcher the next frames of the file, or the silence behind it.
  private func feed(_ stretcher: Stretcher) throws(FileError) {
    let moving = StretchingReader.movingFrames * min(Int(asked.advance.rounded(.up)), 4)
    let piece = course == nil ? StretchingReader.pieceFrames : moving
    let wanted = wantsSeam ? seamFrames : piece
    var frames = [Float](repeating: 0, count: wanted * channelCount)
    if !hasTakenAll {
      let got = try reader.read(into: memory.channels, count: wanted)
      memory.channels.interleave(got, to: &frames)
      hasTakenAll = got < wanted || reader.position == reader.length
      if got > 0 { turn(stretcher, over: got) }
      due += Double(got) / asked.advance
    }
    if wantsSeam { seam = frames }
    wantsSeam = false
    stretcher.push(frames, count: wanted)
  }

  /// Plays the next frames of the file at the speed that has them last until the frame at which the next are due.
  private func turn(_ stretcher: Stretcher, over count: Int) {
    guard let course else { return }
    let end = course.frame(of: course.place(at: clock) + Double(count))
    asked = course.stretch(at: (clock + end) / 2, advance: Double(count) / (end - clock))
    stretcher.stretch = asked
    clock = end
  }

  /// Lays the frames of the piece out channel by channel, and fades over to them where stretching began.
  private func lay(_ count: Int, _ channels: Channels) {
    let fade = seam.count / channelCount
    for frame in 0..<count {
      let part = given + frame < fade ? Float(given + frame + 1) / Float(fade + 1) : 1
      for channel in 0..<channelCount {
        let sample = piece[frame * channelCount + channel]
        let before = part < 1 ? seam[(given + frame) * channelCount + channel] : 0
        channels[channel][frame] = sample * part + before * (1 - part)
      }
    }
    if given + count >= fade { seam = [] }
  }
}
