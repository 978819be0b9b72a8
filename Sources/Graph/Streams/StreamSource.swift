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
  // @unchecked: `audio` is the audio thread's alone; all else is locked, or made for several threads.

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
  let handover = StreamHandover()
  let orders = LatestOrder(StreamOrder())
  let control = Mutex(Control())
  /// The status that the audio thread publishes, and the filling that the filler publishes.
  let statuses = LatestValue(StreamStatus()), fillings = LatestValue(StreamFilling())
  /// How many frames of the file go by in each, as was asked for last: the bits of a `Double`.
  let asked: Atomic<UInt64>
  let audio: UnsafeMutablePointer<AudioSide>
  let fadeFrames: Int

  /// What only control threads and the filler touch.
  struct Control {
    /// The lanes of speed and pitch.
    var lanes: Lanes?
    /// Where the engine was last known to be, and how far its timeline is ahead of its frames.
    var engineFrame: Int64 = 0, engineShift: Int64 = 0
  }

  /// What only the audio thread touches.
  struct AudioSide {
    var status = StreamStatus()
    /// The order and the filling that it follows.
    var order = StreamOrder(), filling = StreamFilling()
    /// The last mark that was come to.
    var mark: Mark
    /// The frame behind the last block of a follower.
    var nextFrame: Int64 = 0
    /// How often a follower was elsewhere than the transport.
    var deviations = 0
    /// How many frames come too late and are left out; of those that another processor reads, too.
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
    let (speed, varispeed) = (nearest(speed), nearest(varispeed))
    asked = Atomic((speed * varispeed).bitPattern)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(
      to: AudioSide(
        mark: Mark(frame: 0, place: 0, advance: speed * varispeed), askedSpeed: speed,
        askedVarispeed: varispeed))
    super.init()
  }

  deinit { unsafe audio.deallocate() }

  /// Moves the gain, clamped to its range, over `frames` frames; fewer than 0 is its own glide. Speeds and
  /// pitch are heard ``lead`` frames later. Another parameter, and a value that is no number, are ignored.
  /// Audio thread.
  @_noLocks @_noAllocation package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    guard !value.isNaN else { return }
    unsafe orders.published.read(into: &audio.pointee.order)
    // The filler reads lanes itself.
    if parameter >= 0, parameter < 8, unsafe audio.pointee.order.lanes & (1 << parameter) != 0 { return }
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
    if asked.exchange(pace, ordering: .relaxed) != pace {
      unsafe audio.pointee.status.songlessFilling = fillings.version()
      publish()
    }
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
    guard unsafe push(.speed, waiting: &audio.pointee.speed) else { return }
    guard unsafe push(.varispeed, waiting: &audio.pointee.varispeed) else { return }
    guard unsafe push(.pitch, waiting: &audio.pointee.pitch) else { return }
    unsafe audio.pointee.isBehind = false
  }

  @_noLocks @_noAllocation private func push(_ knob: Knob, waiting value: inout Float?) -> Bool {
    guard let waiting = value else { return true }
    guard push(knob, waiting) else { return false }
    value = nil
    return true
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
    var played = 0
    if let start { played = play(bus, from: start) }
    let silent = start ?? bus.frameCount
    for channel in 0..<bus.channelCount {
      let samples = bus[channel]
      unsafe rt_clear_floats(samples.unsafeBase, silent)
      unsafe rt_clear_floats(samples.unsafeBase + silent + played, bus.frameCount - silent - played)
    }
    if played == 0 { unsafe audio.pointee.gain.skip(bus.frameCount) }
    publish()
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
