// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletSignal
internal import Synchronization

/// The audio thread's half of a player with a schedule: it plays clips, each from a source that a filler keeps
/// full, one after the other and over each other.
///
/// It has no input and one output bus. Clips come in through a ring and go out again as notes through another:
/// nothing is made or freed here. Every start and end lies on its exact frame, whatever the blocks are. What is
/// cut off fades over 5 ms; what begins at its beginning, and what ends, is left as it is.
@safe package final class PlayerSource: Processor, @unchecked Sendable {
  // @unchecked: `audio` and `voices` are the audio thread's alone; `shelf` is locked; rings and atomics are made
  // for two threads.

  /// How many clips the audio thread holds at most.
  package static let mostClips = 256

  /// How many channels the bus has; clips have as many.
  package let channelCount: Int
  /// Frames a second.
  package let sampleRate: Double

  let clips = RecordRing<Clip>(capacity: mostClips, filler: Clip(number: 0, item: 0, length: 0))
  let notes = RecordRing<ClipNote>(
    capacity: 1024, filler: ClipNote(kind: .began, clip: 0, item: 0, frame: 0))
  /// The last order to run or pause: it goes up with each; odd is to run.
  let order = Atomic(0)
  let playFrame = Atomic(Int64.min)
  /// The number of the clip that the audio thread took last.
  let lastTaken = Atomic(Int.min)
  /// The run of the player: it goes up with each stop.
  let epoch = Atomic(0)
  /// What to take from an absolute frame to get the player's own time; `Int64.min` while it stands still.
  let anchor = Atomic(Int64.min)
  /// The player's own time behind the last block.
  let time = Atomic(Int64(0))
  /// Whether the transport had a tempo in the last block.
  let hasTempo = Atomic(false)
  let dry = Atomic(0), missed = Atomic(0)
  let shelf = ClipShelf()

  let audio: UnsafeMutablePointer<AudioSide>
  let voices: UnsafeMutablePointer<ClipVoice>
  let fadeFrames: Int

  /// What only the audio thread touches.
  struct AudioSide {
    var isRunning = false
    /// The order and the run that it follows.
    var order = 0, epoch = 0
    /// Whether it is on its way to a pause.
    var isPausing = false
    var time: Int64 = 0
    /// 1, but around a pause.
    var pause = Ramp(1)
    var gain = Ramp(1)
    /// What speed, varispeed and pitch were turned to last; nil until then.
    var speed: Float?, varispeed: Float?, pitch: Float?
    /// Where in this block it begins to run; past its end where it does not.
    var startPlace = Int.max
    /// How many voices there are to look at: none beyond is in use.
    var places = 0
    /// The beat at a frame, for a transport that rolls; no tempo is none.
    var transport = Transport(), transportFrame: Int64 = 0
  }

  /// A player without clips, which stands still. Control thread.
  ///
  /// - Parameters:
  ///   - channelCount: channels of the bus, 1 or more.
  ///   - sampleRate: frames a second; what is no rate between 1 and 2^24 is brought there.
  package init(channelCount: Int, sampleRate: Double) {
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate.isNaN ? 1 : min(max(sampleRate, 1), 0x1p24)
    fadeFrames = max(Int(self.sampleRate * 0.005), 1)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(to: AudioSide())
    unsafe voices = .allocate(capacity: Self.mostClips)
    unsafe voices.initialize(repeating: ClipVoice(), count: Self.mostClips)
    super.init()
  }

  deinit {
    unsafe audio.deallocate()
    unsafe voices.deallocate()
  }

  /// Moves the gain as a ``StreamSource`` does, and hands speeds and pitch on to all clips. Audio thread.
  @_noLocks @_noAllocation package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    guard !value.isNaN else { return }
    guard let knob = knob(parameter) else { return }
    switch knob {
    case .gain:
      unsafe audio.pointee.gain.glide(
        to: Decibels.fader(min(value, StreamSource.Knob.loudest)),
        over: frames < 0 ? Int(0.02 * sampleRate) : frames)
      return
    case .speed: unsafe audio.pointee.speed = value
    case .varispeed: unsafe audio.pointee.varispeed = value
    case .pitch: unsafe audio.pointee.pitch = value
    }
    for index in 0..<places where unsafe voices[index].isThere {
      unsafe turn(voices[index].clip.source, parameter, to: value)
    }
  }

  /// Ends fades and glides where they were heading. What waits in the rings stays.
  @_noLocks @_noAllocation package override func reset() {
    unsafe audio.pointee.gain.finish()
    for index in 0..<places where unsafe voices[index].isPlaying {
      unsafe voices[index].envelope.finish()
    }
  }

  /// How many voices there are to look at.
  var places: Int { @_noLocks @_noAllocation get { unsafe audio.pointee.places } }
  /// How many there may be. A static constant would be looked up behind a lock.
  var room: Int { @_noLocks @_noAllocation get { 256 } }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      unsafe rt_clear_floats(bus[channel].unsafeBase, bus.frameCount)
    }
    note(block)
    follow(block)
    takeIn(at: block.frame)
    var place = 0
    while place < bus.frameCount {
      let frame = block.frame + Int64(place)
      if unsafe place >= audio.pointee.startPlace { run(from: frame) }
      if unsafe audio.pointee.isRunning { enter(at: frame) }
      let run = nextCut(at: frame, atMost: bus.frameCount - place, place)
      play(bus, from: place, count: run, at: frame)
      place += run
      leave(at: block.frame + Int64(place))
    }
    unsafe time.store(audio.pointee.time, ordering: .relaxed)
    let end = block.frame + Int64(bus.frameCount)
    unsafe anchor.store(audio.pointee.isRunning ? end - audio.pointee.time : .min, ordering: .relaxed)
  }

  /// Looks at the transport. A part of a block that was cut has that of the block's beginning.
  @_noLocks @_noAllocation private func note(_ block: Block) {
    let now = block.transport
    // Plain conditions here and below: the right side of `&&` is a closure, which retains what it captures.
    let rolls = now.isRolling ? unsafe audio.pointee.transport.isRolling : false
    let isSame = rolls ? unsafe now.position == audio.pointee.transport.position : false
    if !isSame {
      unsafe audio.pointee.transport = now
      unsafe audio.pointee.transportFrame = block.frame
    }
    hasTempo.store(now.tempo > 0, ordering: .relaxed)
  }

  /// Stops, runs and pauses as the control thread wishes.
  @_noLocks @_noAllocation private func follow(_ block: Block) {
    // In this order: whoever stops has ordered a pause before.
    let run = epoch.load(ordering: .acquiring)
    let asked = order.load(ordering: .acquiring)
    if unsafe run != audio.pointee.epoch { stop(for: run, at: block.frame) }
    let delay = max(playFrame.load(ordering: .relaxed), block.frame) - block.frame
    let isWanted = asked & 1 == 1
    let isDue = isWanted ? delay < Int64(block.frameCount) : false
    unsafe audio.pointee.startPlace = .max
    guard unsafe audio.pointee.isRunning else {
      if isDue {
        unsafe audio.pointee.startPlace = Int(delay)
        unsafe audio.pointee.order = asked
      }
      return
    }
    // Another order than the one it follows comes behind a pause.
    let isOld = unsafe asked == audio.pointee.order
    let isNow = isDue ? delay == 0 : false
    let goesOn = isWanted ? (isOld ? true : isNow) : false
    if goesOn { unsafe audio.pointee.order = asked }
    if unsafe goesOn == audio.pointee.isPausing {
      unsafe audio.pointee.isPausing = !goesOn
      unsafe audio.pointee.pause.glide(to: goesOn ? 1 : 0, over: fadeFrames)
    }
    if isDue, !goesOn {
      // It fades out until the frame at which it is to go on.
      unsafe audio.pointee.startPlace = Int(delay)
      unsafe audio.pointee.order = asked
    }
  }

  /// Cuts off what plays and drops what waits; the player's time begins anew.
  @_noLocks @_noAllocation private func stop(for run: Int, at frame: Int64) {
    let isHeard = unsafe audio.pointee.isRunning
    for index in 0..<places {
      switch unsafe voices[index].state {
      case .waiting: end(index, .stopped, at: frame)
      case .playing, .crossing:
        if isHeard { cutOff(index, .stopped) } else { end(index, .stopped, at: frame) }
      case .leaving, .over, .free: break
      }
    }
    unsafe audio.pointee.epoch = run
    unsafe audio.pointee.isRunning = false
    unsafe audio.pointee.isPausing = false
    unsafe audio.pointee.pause = Ramp(1)
    unsafe audio.pointee.time = 0
  }

  /// The player's time goes on. What was cut short in its midst fades in.
  @_noLocks @_noAllocation private func run(from frame: Int64) {
    unsafe audio.pointee.startPlace = .max
    if unsafe audio.pointee.isRunning {
      // In the midst of the fade to a pause.
      unsafe audio.pointee.isPausing = false
      unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames)
      return
    }
    unsafe audio.pointee.isRunning = true
    unsafe audio.pointee.isPausing = false
    unsafe audio.pointee.pause = Ramp(1)
    for index in 0..<places where unsafe voices[index].isPlaying {
      if unsafe view(voices[index].clip.source).place > 0 {
        unsafe audio.pointee.pause = Ramp(0)
        unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames)
      }
    }
  }

  /// How many frames until something begins or ends, at most `limit` and 1 at least.
  @_noLocks @_noAllocation private func nextCut(at frame: Int64, atMost limit: Int, _ place: Int) -> Int {
    var run = limit
    let start = unsafe audio.pointee.startPlace
    if start < .max { run = min(run, start - place) }
    let isRunning = unsafe audio.pointee.isRunning
    if unsafe audio.pointee.isPausing { run = unsafe min(run, audio.pointee.pause.remaining) }
    let line = lineUp()
    for index in 0..<places {
      switch unsafe voices[index].state {
      case .free, .over: continue
      case .waiting:
        guard isRunning else { continue }
        if unsafe voices[index].isPendingPart { continue }
        // One that is due and has not begun is not to be had: to look in each frame would take all the time.
        let wait = untilStart(index, line, at: frame)
        if wait > 0 { run = min(run, wait) }
        continue
      case .playing, .crossing: guard isRunning else { continue }
      case .leaving: break
      }
      let voice = unsafe voices[index]
      if voice.duck.isMoving { run = min(run, voice.duck.remaining) }
      if voice.envelope.isMoving { run = min(run, voice.envelope.remaining) }
      let left = view(of: index).untilEnd
      if left > 0 { run = min(run, left) }
    }
    return max(run, 1)
  }
}
