// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
internal import SwiftletTimeline
internal import Synchronization

/// The stream behind a clip: a ring that a filler keeps full and a ``PlayerSource`` reads.
@safe package final class StreamSource: @unchecked Sendable {
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
  let control = Mutex(Control())
  /// The parameters that lanes control: a bit for each.
  let laneBits = Atomic(0)
  /// The status that the audio thread publishes, and the filling that the filler publishes.
  let statuses = LatestValue(StreamStatus()), fillings = LatestValue(StreamFilling())
  /// How many frames of the file go by in each, as was asked for last: the bits of a `Double`.
  let asked: Atomic<UInt64>
  let audio: UnsafeMutablePointer<AudioSide>

  /// What only control threads and the filler touch.
  struct Control {
    /// The lanes of speed and pitch.
    var lanes: Lanes?
    /// The range of the song that plays again and again, in frames.
    var loop: TimelineLoop?
    /// Whether its player goes where the transport goes, and whether that is to play.
    var isFollowing = false, plays = false
    /// The absolute frame that it is to begin at; nil is at once.
    var aim: Int64?
    /// Where the engine was last known to be, and how far its timeline is ahead of its frames.
    var engineFrame: Int64 = 0, engineShift: Int64 = 0
  }

  /// What only the audio thread touches.
  struct AudioSide {
    var status = StreamStatus()
    /// The filling that is played.
    var filling = StreamFilling()
    /// The last mark that was come to.
    var mark: Mark
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
    let (speed, varispeed) = (nearest(speed), nearest(varispeed))
    asked = Atomic((speed * varispeed).bitPattern)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(
      to: AudioSide(
        mark: Mark(frame: 0, place: 0, advance: speed * varispeed), askedSpeed: speed,
        askedVarispeed: varispeed))
  }

  deinit { unsafe audio.deallocate() }

  /// Has the speed or the pitch turned, which is heard ``lead`` frames later. Audio thread.
  @_noLocks @_noAllocation func turn(_ knob: Knob, to value: Float) {
    // The filler reads lanes itself.
    guard laneBits.load(ordering: .relaxed) & (1 << knob.rawValue) == 0 else { return }
    ask(knob, value)
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

  /// Tells the other threads what is so now.
  @_noLocks @_noAllocation func publish() { unsafe statuses.publish(audio.pointee.status) }
}

/// What a parameter's number turns; nil for one that is not there.
@_noLocks @_noAllocation func knob(_ parameter: Int) -> StreamSource.Knob? {
  StreamSource.Knob(rawValue: parameter)
}

/// The nearest speed that there is; 1 for what is no number.
@_noLocks @_noAllocation private func nearest(_ speed: Double) -> Double {
  speed.isNaN ? 1 : min(max(speed, StreamSource.Knob.slowest), StreamSource.Knob.fastest)
}
