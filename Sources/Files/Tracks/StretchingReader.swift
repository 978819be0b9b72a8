// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletStretch

/// Reads sound at another speed or pitch, and unchanged until a change is requested.
///
/// One thread at a time uses a reader.
final class StretchingReader {
  let reader: LoopingReader
  var channelCount: Int { reader.channelCount }
  /// Whether all frames have been read.
  private(set) var isAtEnd = false
  /// Whether the sound has ever been stretched. It then stays stretched, so that nothing jumps.
  var isStretching: Bool { stretcher != nil }

  /// The course of speed and pitch, and the timeline frame at which the next frames from the file are heard.
  private var course: SpeedCourse?, clock = 0.0

  private let engine: StretchAlgorithm, isBest: Bool
  private var asked: Stretch
  private var stretcher: Stretcher?
  /// The output of the stretcher and its input, interleaved.
  private var slice: [Float]
  private lazy var memory = ChannelMemory(channelCount: channelCount, frameCount: mostFed)
  /// The number of output frames for the file frames read so far, and the number of output frames returned.
  private var due = 0.0, given = 0
  private var hasTakenAll = false
  /// The unstretched sound at the position where stretching began, to crossfade from.
  private var seam: [Float] = []
  private var needsSeam = false
  private static let sliceLength = 256
  /// The number of frames that are made at one rate while the rate moves; enough for the resampler to compensate for
  /// its glide.
  private static let movingFrames = 512
  private var seamFrames: Int { reader.sampleRate / 100 }
  private var mostFed: Int { max(seamFrames, 4 * StretchingReader.movingFrames) }

  /// Creates a reader that starts with `stretch`.
  ///
  /// - Parameters:
  ///   - engine: the stretch algorithm, which must be built in and support the reader's rate; the default is `fast`.
  ///   - isReady: whether the sound is stretched from the first frame on even if no change is requested yet, so that
  ///     stretching never begins in the middle; the default is false.
  /// - Throws: ``FileError`` if the file has more channels than can be stretched.
  init(
    _ reader: any SoundReader, _ stretch: Stretch, engine: StretchAlgorithm = .fast, isBest: Bool,
    isReady: Bool = false
  ) throws(FileError) {
    self.reader = LoopingReader(reader)
    self.isBest = isBest
    self.engine = engine
    asked = stretch
    slice = [Float](repeating: 0, count: StretchingReader.sliceLength * reader.channelCount)
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

  /// The total length at the current speed, in frames; nil for an endless loop.
  var length: Int? {
    reader.length.map { Int(min((Double($0) / asked.advance).rounded(), 0x1p50)) }
  }

  /// Speed and pitch from the next frame on. Sound that cannot be stretched continues unchanged.
  var stretch: Stretch {
    get { asked }
    set {
      guard newValue != asked else { return }
      if let stretcher {
        stretcher.stretch = newValue
      } else {
        stretcher = makeStretcher(newValue)
        guard stretcher != nil else { return }
        needsSeam = reader.position > 0
      }
      asked = newValue
    }
  }

  /// Makes speed and pitch follow a course, or stay constant if nil. Sound that cannot be stretched continues
  /// unchanged.
  func follow(_ course: SpeedCourse?, from frame: Double) {
    (self.course, clock) = (course, frame)
    stretcher?.isSteady = course == nil
    guard let course, stretcher == nil else { return }
    stretcher = makeStretcher(course.stretch(at: frame))
    guard stretcher != nil else { return self.course = nil }
    asked = course.stretch(at: frame)
    needsSeam = reader.position > 0
  }

  /// Replaces the course from the current timeline frame on.
  func replaceCourse(_ course: SpeedCourse?) {
    guard let stretcher else { return }
    self.course = course
    stretcher.isSteady = course == nil
  }

  /// Moves the timeline frame at which the next frames are heard.
  func shift(by frames: Double) { clock += frames }

  /// Seeks to a frame of the file at the reading rate.
  ///
  /// - Parameter clock: the timeline frame at which it is heard; the default is 0.
  /// - Throws: the errors of its reader.
  func seek(to frame: Int, at clock: Double = 0) throws(FileError) {
    try reader.seek(to: frame)
    self.clock = clock
    if let course { asked = course.stretch(at: clock) }
    (isAtEnd, hasTakenAll, due, given) = (false, false, 0, 0)
    seam = []
    needsSeam = false
    if stretcher != nil { stretcher = makeStretcher(asked) }
  }

  /// Reads up to `count` frames; fewer only at the end.
  ///
  /// - Throws: the errors of its reader.
  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    guard let stretcher else {
      let got = try reader.read(into: channels, count: count)
      isAtEnd = got < count || reader.position == reader.length
      return got
    }
    var done = 0
    while done < count, !isAtEnd {
      let most = min(count - done, StretchingReader.sliceLength)
      // After a change of speed, the stretcher may hold more frames than are due.
      let left = hasTakenAll ? min(most, max(Int(due.rounded()) - given, 0)) : most
      let got = stretcher.pull(into: &slice, count: left)
      deliver(got, channels.from(done))
      done += got
      given += got
      isAtEnd = hasTakenAll && given >= Int(due.rounded())
      if got == 0, !isAtEnd { try feed(stretcher) }
    }
    return done
  }

  /// Passes the next frames of the file to the stretcher, or silence after its end.
  private func feed(_ stretcher: Stretcher) throws(FileError) {
    let moving = StretchingReader.movingFrames * min(Int(asked.advance.rounded(.up)), 4)
    let usual = course == nil ? StretchingReader.sliceLength : moving
    let wanted = needsSeam ? seamFrames : usual
    var frames = [Float](repeating: 0, count: wanted * channelCount)
    if !hasTakenAll {
      let got = try reader.read(into: memory.channels, count: wanted)
      memory.channels.interleave(got, to: &frames)
      hasTakenAll = got < wanted || reader.position == reader.length
      if got > 0 { setRate(of: stretcher, over: got) }
      due += Double(got) / asked.advance
    }
    if needsSeam { seam = frames }
    needsSeam = false
    stretcher.push(frames, count: wanted)
  }

  /// Sets the speed so that the next frames of the file last exactly until the following ones are due.
  private func setRate(of stretcher: Stretcher, over count: Int) {
    guard let course else { return }
    let end = course.frame(of: course.soundFrame(at: clock) + Double(count))
    asked = course.stretch(at: (clock + end) / 2, advance: Double(count) / (end - clock))
    stretcher.stretch = asked
    clock = end
  }

  /// Deinterleaves stretched frames, and crossfades to them where stretching began.
  private func deliver(_ count: Int, _ channels: Channels) {
    let fade = seam.count / channelCount
    for frame in 0..<count {
      let part = given + frame < fade ? Float(given + frame + 1) / Float(fade + 1) : 1
      for channel in 0..<channelCount {
        let sample = slice[frame * channelCount + channel]
        let before = part < 1 ? seam[(given + frame) * channelCount + channel] : 0
        channels[channel][frame] = sample * part + before * (1 - part)
      }
    }
    if given + count >= fade { seam = [] }
  }
}
