// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// The audio thread's half of a player: it plays what a filler puts into its ring.
///
/// It has no input and one output bus. Where the ring runs dry it is silent, counts that, and leaves out the
/// frames that come too late: the song stays in time. Pausing and seeking fade over 5 ms; a stream that
/// starts at its very beginning, and one that ends, are left as they are in the file.
@safe package final class StreamSource: Processor, @unchecked Sendable {
  /// Who may touch the ring's reading side.
  enum Holder {
    static var nobody: Int { @_noLocks @_noAllocation get { 0 } }
    static var audio: Int { @_noLocks @_noAllocation get { 1 } }
    static var filler: Int { @_noLocks @_noAllocation get { 2 } }
  }

  /// What can be set, by its number.
  package enum Knob: Int, BitwiseCopyable, Sendable {
    case gain, speed, varispeed, pitch

    /// The highest gain, in decibels.
    static var loudest: Float { @_noLocks @_noAllocation get { 24 } }
    /// The lowest speed and varispeed, and the highest.
    static var slowest: Double { @_noLocks @_noAllocation get { 0.25 } }
    static var fastest: Double { @_noLocks @_noAllocation get { 4 } }
  }

  /// What is asked of the filler: a parameter's value.
  package struct Turn: BitwiseCopyable {
    /// The frame of the ring that was next when it was asked for.
    package var frame: Int
    /// What is turned, and where to.
    package var knob: Knob, value: Float
  }

  /// How many frames after it is asked for another speed or pitch is heard.
  package var lead: Int { Self.lead(at: sampleRate) }

  /// How many frames that are at a rate.
  package static func lead(at sampleRate: Double) -> Int { max(Int(sampleRate) / 5, 8192) }

  /// How many channels the stream has.
  package let channelCount: Int
  /// Frames a second.
  package let sampleRate: Double
  /// How long the stream is, in frames; nil where it has no end or its end is not known.
  package let length: Int?

  package let ring: FrameRing
  package let turns: RecordRing<Turn>
  let marks: RecordRing<Mark>
  /// The last mark that was come to: it belongs to whoever holds the reading side.
  let mark: UnsafeMutablePointer<Mark>
  /// The last order to play or pause: it goes up with each; odd is to play.
  let order = Atomic(0)
  /// The order to play that ended with the stream.
  let fulfilled = Atomic(-1)
  let playFrame = Atomic(Int64.min)
  /// Where to go next: a frame of the file, or of the song by `Goal.song`; -1 is nowhere, `Int.max` to begin anew.
  let target = Atomic(-1)
  /// The goal that is being gone to. The filler's.
  let sought = Atomic(-1)
  /// The song's frame less the ring's, where the ring was filled for a song; the least number where it was not.
  let songShift = Atomic(Int64(0))
  /// The engine's frame less the song's, while that rolls, as told by a follower; else the least number.
  let songOffset = Atomic(Int64.min)
  /// How often it has begun elsewhere, and at which frame of the file it did last.
  let beginnings = Atomic(0), beginning = Atomic(0)
  let holder = Atomic(Holder.nobody)
  let end = Atomic(Int.max)
  let place = Atomic(0)
  let atEnd = Atomic(false)
  let dry = Atomic(0)
  let missed = Atomic(0)
  /// How many frames came too late for another processor that reads the ring, and are still to be left out.
  let late = Atomic(0)
  /// Whether it plays only while the transport rolls.
  let isFollower = Atomic(false)
  /// By how much the transport is ahead of the engine's frames, as told by a follower that was to start elsewhere
  /// in its file; none is the least number.
  let astray = Atomic(Int64.min)
  /// The lanes of speed and pitch, and which knobs they have: a bit for each.
  let lanesHeld = Mutex<Lanes?>(nil)
  let led = Atomic(0)
  /// The engine's frame less the ring's, while it plays; else the least number.
  let playShift = Atomic(Int64.min)
  /// Where the engine was last known to be, and how far its timeline is ahead of its frames.
  let engineFrame = Atomic(Int64(0)), engineShift = Atomic(Int64(0))
  /// How many frames of the file go by in each, as was asked for last: the bits of a `Double`.
  let asked: Atomic<UInt64>
  /// How many go by in each frame that is heard.
  let heard = Atomic<UInt64>(1.0.bitPattern)

  private let audio: UnsafeMutablePointer<AudioSide>
  private let fadeFrames: Int

  /// What only the audio thread touches.
  private struct AudioSide {
    var isPlaying = false
    /// The order to play that it follows.
    var order = 0
    /// The frame behind the last block of a follower.
    var nextFrame: Int64 = 0
    /// Frames left of the fade to rest; nil while it goes on playing.
    var leaving: Int?
    var owed = 0
    var fade = Ramp(1)
    var gain = Ramp(1)
    /// What there was no room to ask for, as it was turned last, and whether there is any of it.
    var speed: Float?, varispeed: Float?, pitch: Float?, isBehind = false
    /// The speeds that were asked for last.
    var askedSpeed: Double, askedVarispeed: Double
  }

  /// Makes a source whose ring is empty. Control thread.
  ///
  /// - Parameters:
  ///   - channelCount: channels of the stream, 1 or more.
  ///   - sampleRate: frames a second; what is no rate between 1 and 2^24 is brought there.
  ///   - length: how long the stream is, in frames; nil for one without end.
  ///   - capacity: how many frames wait at most to be played; rounded up to a power of two.
  ///   - speed: how fast the filler plays the file at first, at its own pitch.
  ///   - varispeed: how fast beyond that, as a tape would.
  package convenience init(
    channelCount: Int, sampleRate: Double, length: Int?, capacity: Int = 1 << 17, speed: Double = 1,
    varispeed: Double = 1
  ) {
    self.init(
      channelCount: channelCount, sampleRate: sampleRate, length: length, capacity: capacity, speed: speed,
      varispeed: varispeed, records: 1024)
  }

  /// As the public one.
  ///
  /// - Parameter records: how many changes of speed and pitch wait at most.
  package init(
    channelCount: Int, sampleRate: Double, length: Int?, capacity: Int, speed: Double, varispeed: Double,
    records: Int
  ) {
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate.isNaN ? 1 : min(max(sampleRate, 1), 0x1p24)
    self.length = length.map { max($0, 0) }
    ring = FrameRing(channelCount: channelCount, capacity: capacity)
    turns = RecordRing(capacity: records, filler: Turn(frame: 0, knob: .speed, value: 1))
    marks = RecordRing(capacity: records, filler: Mark(frame: 0, place: 0, advance: 1))
    fadeFrames = max(Int(self.sampleRate * 0.005), 1)
    unsafe mark = .allocate(capacity: 1)
    unsafe mark.initialize(to: Mark(frame: 0, place: 0, advance: nearest(speed) * nearest(varispeed)))
    asked = Atomic((nearest(speed) * nearest(varispeed)).bitPattern)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(
      to: AudioSide(askedSpeed: nearest(speed), askedVarispeed: nearest(varispeed)))
    super.init()
  }

  deinit {
    unsafe audio.deallocate()
    unsafe mark.deallocate()
  }

  /// Moves the gain, clamped to its range, over `frames` frames; fewer than 0 is its own glide. Speeds and
  /// pitch are heard ``lead`` frames later. Another parameter, and a value that is no number, are ignored.
  /// Audio thread.
  @_noLocks @_noAllocation package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    guard !value.isNaN else { return }
    // Who fills it reads the lane himself.
    if parameter < 8, led.load(ordering: .relaxed) & (1 << parameter) != 0 { return }
    switch Knob(rawValue: parameter) {
    case .gain:
      unsafe audio.pointee.gain.glide(
        to: Decibels.fader(min(value, Knob.loudest)), over: frames < 0 ? Int(0.02 * sampleRate) : frames)
    case .speed: ask(.speed, value)
    case .varispeed: ask(.varispeed, value)
    case .pitch: ask(.pitch, value)
    case nil: return
    }
  }

  @_noLocks @_noAllocation private func ask(_ knob: Knob, _ value: Float) {
    switch knob {
    case .speed: unsafe audio.pointee.askedSpeed = nearest(Double(value))
    case .varispeed: unsafe audio.pointee.askedVarispeed = nearest(Double(value))
    case .gain, .pitch: break
    }
    let pace = unsafe (audio.pointee.askedSpeed * audio.pointee.askedVarispeed).bitPattern
    // At another speed it would have been elsewhere by now: where it is next put, it is put there.
    if asked.exchange(pace, ordering: .relaxed) != pace { songShift.store(.min, ordering: .relaxed) }
    askAgain()
    if unsafe !audio.pointee.isBehind, push(knob, value) { return }
    unsafe audio.pointee.isBehind = true
    switch knob {
    case .speed: unsafe audio.pointee.speed = value
    case .varispeed: unsafe audio.pointee.varispeed = value
    case .pitch: unsafe audio.pointee.pitch = value
    case .gain: break
    }
  }

  /// Asks for what there was no room for: of each knob what it was turned to last.
  @_noLocks @_noAllocation func askAgain() {
    guard unsafe audio.pointee.isBehind else { return }
    if let speed = unsafe audio.pointee.speed {
      guard push(.speed, speed) else { return }
      unsafe audio.pointee.speed = nil
    }
    if let varispeed = unsafe audio.pointee.varispeed {
      guard push(.varispeed, varispeed) else { return }
      unsafe audio.pointee.varispeed = nil
    }
    if let pitch = unsafe audio.pointee.pitch {
      guard push(.pitch, pitch) else { return }
      unsafe audio.pointee.pitch = nil
    }
    unsafe audio.pointee.isBehind = false
  }

  @_noLocks @_noAllocation private func push(_ knob: Knob, _ value: Float) -> Bool {
    turns.push(Turn(frame: ring.readPosition, knob: knob, value: value))
  }

  /// Ends fades and glides where they were heading. What waits in the ring stays.
  @_noLocks @_noAllocation package override func reset() {
    unsafe audio.pointee.gain.finish()
    unsafe audio.pointee.fade.finish()
  }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    let bus = block.output()
    askAgain()
    let start = turn(block)
    let played = unsafe audio.pointee.isPlaying ? play(bus, from: start) : 0
    for channel in 0..<bus.channelCount {
      let samples = bus[channel]
      unsafe rt_clear_floats(samples.unsafeBase, start)
      unsafe rt_clear_floats(samples.unsafeBase + start + played, bus.frameCount - start - played)
    }
    if played == 0 { unsafe audio.pointee.gain.skip(bus.frameCount) }
  }

  /// Starts or leaves as the control thread wishes; tells the frame of the block to play from.
  @_noLocks @_noAllocation private func turn(_ block: Block) -> Int {
    // Plain conditions: the right side of `&&` is a closure, which retains what it captures.
    let isSeeking = target.load(ordering: .acquiring) >= 0
    let asked = order.load(ordering: .acquiring)
    let isHeld = isFollower.load(ordering: .relaxed) ? mustWait(block) : false
    let isOrdered = isSeeking ? false : isHeld ? false : asked & 1 == 1
    let wanted = isOrdered ? asked != fulfilled.load(ordering: .relaxed) : false
    let delay = max(playFrame.load(ordering: .relaxed), block.frame) - block.frame
    let isDue = wanted ? delay < Int64(block.frameCount) : false
    if unsafe audio.pointee.isPlaying {
      // An order that is not due yet is not this one's: it stands when the stream has ended.
      if isDue { unsafe audio.pointee.order = asked }
      let leaving = unsafe audio.pointee.leaving != nil
      if leaving ? isDue : !wanted {
        unsafe audio.pointee.leaving = leaving ? nil : fadeFrames
        unsafe audio.pointee.fade.glide(to: leaving ? 1 : 0, over: fadeFrames)
      }
      return 0
    }
    if wanted, atEnd.load(ordering: .relaxed) {
      // Asked for while the last frames were played: the filler goes back to the beginning first.
      _ = target.compareExchange(expected: -1, desired: 0, ordering: .acquiringAndReleasing)
      return block.frameCount
    }
    guard isDue else { return block.frameCount }
    if isFollower.load(ordering: .relaxed), isAstray(block, after: delay) { return block.frameCount }
    let taken = holder.compareExchange(
      expected: Holder.nobody, desired: Holder.audio, ordering: .acquiringAndReleasing)
    guard taken.exchanged else { return block.frameCount }
    adopt()
    playShift.store(block.frame &+ delay &- Int64(ring.readPosition), ordering: .relaxed)
    unsafe audio.pointee.isPlaying = true
    unsafe audio.pointee.order = asked
    unsafe audio.pointee.leaving = nil
    unsafe audio.pointee.owed = 0
    unsafe audio.pointee.fade = Ramp(1)
    if place.load(ordering: .relaxed) > 0 { fadeIn() }
    return Int(delay)
  }

  /// Whether a follower is silent: while the transport stands still, and until one that went astray joins it.
  @_noLocks @_noAllocation private func mustWait(_ block: Block) -> Bool {
    let expected = unsafe audio.pointee.nextFrame
    unsafe audio.pointee.nextFrame = block.frame &+ Int64(block.frameCount)
    songOffset.store(
      block.transport.isRolling ? block.frame &- block.transport.position : .min, ordering: .relaxed)
    guard block.transport.isRolling else { return true }
    if astray.load(ordering: .acquiring) != .min { return true }
    // Who slept, or missed a cycle, and plays at the transport's pace, may find it elsewhere.
    guard unsafe audio.pointee.isPlaying, expected != block.frame else { return false }
    let shift = songShift.load(ordering: .relaxed)
    guard unsafe audio.pointee.leaving == nil, shift != .min else { return false }
    let owed = unsafe audio.pointee.owed
    let missed = block.transport.position &- (Int64(ring.readPosition &+ owed) &+ shift)
    if missed > 0, missed < Int64(available &- owed) {
      unsafe audio.pointee.owed = owed &+ Int(missed)
      return false
    }
    return isAstray(block, after: Int64(-owed))
  }

  /// Whether the next frame of the file is not the transport's, so many frames after the block's start; told then.
  @_noLocks @_noAllocation private func isAstray(_ block: Block, after frames: Int64) -> Bool {
    guard !isPlace(of: block.transport.position &+ frames) else { return false }
    astray.store(block.transport.position &- block.frame, ordering: .releasing)
    return true
  }

  /// Whether the next frame of the ring was put there for a frame of the song.
  @_noLocks @_noAllocation func isPlace(of frame: Int64) -> Bool {
    let shift = songShift.load(ordering: .relaxed)
    return shift == .min ? false : frame == Int64(ring.readPosition) &+ shift
  }

  @_noLocks @_noAllocation private func fadeIn() {
    unsafe audio.pointee.fade = Ramp(0)
    unsafe audio.pointee.fade.glide(to: 1, over: fadeFrames)
  }

  /// Fills the bus from `start` on with what is there, and tells how many frames that is.
  @_noLocks @_noAllocation private func play(_ bus: OutputBus, from start: Int) -> Int {
    unsafe ring.claim(audio.pointee.owed + bus.frameCount - start)
    let late = unsafe ring.skip(min(audio.pointee.owed, available))
    unsafe audio.pointee.owed -= late
    let leaving = unsafe audio.pointee.leaving
    let wanted = min(bus.frameCount - start, leaving ?? bus.frameCount)
    var count = min(wanted, available)
    if leaving == nil, late > 0 && count > 0 { fadeIn() }
    // Who takes frames back may just think better of it.
    if !ring.read(into: bus, at: start, count: count) { count = 0 }
    shape(bus, from: start, count: count)
    move()
    if let leaving {
      unsafe audio.pointee.leaving = leaving - count
      // A fade may meet the end: whoever plays on from there begins anew. One that is only to begin anew at
      // another speed has come to its end.
      if ring.readPosition >= end.load(ordering: .acquiring) {
        if target.load(ordering: .relaxed) == .max {
          unsafe fulfilled.store(audio.pointee.order, ordering: .relaxed)
        }
        atEnd.store(true, ordering: .releasing)
      }
      if count < wanted || count == leaving { rest() }
    } else if ring.readPosition >= end.load(ordering: .acquiring) {
      // Whoever sees the end may give a new order at once; only the one that was followed is done.
      unsafe fulfilled.store(audio.pointee.order, ordering: .relaxed)
      atEnd.store(true, ordering: .releasing)
      rest()
    } else if count < wanted {
      dry.add(1, ordering: .relaxed)
      missed.add(wanted - count, ordering: .relaxed)
      unsafe audio.pointee.owed += wanted - count
    }
    return count
  }

  /// How many frames can be played before the ring or the stream ends.
  var available: Int {
    @_noLocks @_noAllocation get {
      // The end is read first: frames beyond it are never there before it is known.
      let last = end.load(ordering: .acquiring)
      return min(ring.readable, last - ring.readPosition)
    }
  }

  @_noLocks @_noAllocation private func rest() {
    playShift.store(.min, ordering: .relaxed)
    unsafe audio.pointee.isPlaying = false
    unsafe audio.pointee.leaving = nil
    holder.store(Holder.nobody, ordering: .releasing)
  }

  @_noLocks @_noAllocation private func shape(_ bus: OutputBus, from start: Int, count: Int) {
    var (gain, fade) = unsafe (audio.pointee.gain, audio.pointee.fade)
    guard gain.isMoving || fade.isMoving || gain.value * fade.value != 1 else { return }
    for frame in start..<start + count {
      let factor = gain.next() * fade.next()
      for channel in 0..<bus.channelCount { bus[channel][frame] *= factor }
    }
    unsafe audio.pointee.gain = gain
    unsafe audio.pointee.fade = fade
  }
}

/// What a parameter's number turns; nil for one that is not there.
@_noLocks @_noAllocation func knob(_ parameter: Int) -> StreamSource.Knob? {
  StreamSource.Knob(rawValue: parameter)
}

/// The number of what is turned.
@_noLocks @_noAllocation func number(of knob: StreamSource.Knob) -> Int { knob.rawValue }

/// The nearest speed that there is; 1 for what is no number.
@_noLocks @_noAllocation private func nearest(_ speed: Double) -> Double {
  speed.isNaN ? 1 : min(max(speed, StreamSource.Knob.slowest), StreamSource.Knob.fastest)
}
