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
/// cut off fades over 5 ms; what begins at its beginning, and what ends, is left as it is. Where a ring runs dry it
/// is silent, counts that, and leaves out the frames that come too late: the song stays in time.
///
/// A player may have one stream for good instead, which stays when it has ended (``StreamPlayer``): a file, a track, or
/// a schedule that follows the transport.
@safe package final class PlayerSource: Processor, @unchecked Sendable {
  // @unchecked: `audio` and `voices` are the audio thread's alone; `shelf` and `orders` are locked; all else is made
  // for several threads.

  /// How many clips the audio thread holds at most.
  package static let mostClips = 256

  /// How many channels the bus has; clips have as many.
  package let channelCount: Int
  /// Frames a second.
  package let sampleRate: Double

  let clips: RecordRing<Clip>, notes: RecordRing<ClipNote>
  let orders = LatestOrder(PlayerOrder())
  /// The status that the audio thread publishes.
  let statuses = LatestValue(PlayerStatus())
  let shelf = ClipShelf()

  let audio: UnsafeMutablePointer<AudioSide>
  let voices: UnsafeMutablePointer<ClipVoice>
  let fadeFrames: Int
  /// Whether it has one stream for good, and how many voices there may be.
  let isSolo: Bool, room: Int

  /// What only the audio thread touches.
  struct AudioSide {
    var order = PlayerOrder(), status = PlayerStatus()
    /// The run that it is in.
    var run = 0
    /// 1, but around a pause.
    var pause = Ramp(1)
    var gain = Ramp(1)
    /// What speed, varispeed and pitch were turned to last; nil until then.
    var speed: Float?, varispeed: Float?, pitch: Float?
    /// Where in this block it begins to run; nil where it does not.
    var startPlace: Int?
    /// How many voices there are to look at: none beyond is in use.
    var places = 0
    /// The beat at a frame, for a transport that rolls; no tempo is none.
    var transport = Transport(), transportFrame: Int64 = 0
    /// The frame behind the last block of a follower, and how often that was elsewhere than the transport.
    var nextFrame: Int64 = 0, deviations = 0
  }

  /// A player without clips, which stands still. Control thread.
  ///
  /// - Parameters:
  ///   - channelCount: channels of the bus, 1 or more.
  ///   - sampleRate: frames a second; what is no rate between 1 and 2^24 is brought there.
  ///   - stream: the stream that it has for good; nil, the default, for a player of clips.
  package init(channelCount: Int, sampleRate: Double, stream: StreamSource? = nil) {
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate.isNaN ? 1 : min(max(sampleRate, 1), 0x1p24)
    fadeFrames = max(Int(self.sampleRate * 0.005), 1)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(to: AudioSide())
    isSolo = stream != nil
    room = isSolo ? 1 : Self.mostClips
    clips = RecordRing(capacity: room, filler: Clip(number: 0, item: 0, length: 0))
    notes = RecordRing(capacity: 4 * room, filler: ClipNote(kind: .began, clip: 0, item: 0, frame: 0))
    unsafe voices = .allocate(capacity: room)
    unsafe voices.initialize(repeating: ClipVoice(), count: room)
    super.init()
    guard let stream else { return }
    shelf.put(stream, as: 0)
    unsafe voices[0].clip.source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(stream).toOpaque())
    unsafe voices[0].state = .playing
    unsafe audio.pointee.places = 1
  }

  deinit {
    unsafe audio.deallocate()
    unsafe voices.deallocate()
  }

  /// Moves the gain, clamped to its range, over `frames` frames; fewer than 0 is its own glide. Hands speeds and pitch on
  /// to all streams. Another parameter, and a value that is no number, are ignored. Audio thread.
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
      unsafe turn(voices[index].clip.source, knob, to: value)
    }
  }

  /// Ends fades and glides where they were heading. What waits in the rings stays.
  @_noLocks @_noAllocation package override func reset() {
    unsafe audio.pointee.gain.finish()
    unsafe audio.pointee.pause.finish()
    for index in 0..<places where unsafe voices[index].isPlaying {
      unsafe voices[index].envelope.finish()
    }
  }

  /// How many voices there are to look at.
  var places: Int { @_noLocks @_noAllocation get { unsafe audio.pointee.places } }

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
      if let start = unsafe audio.pointee.startPlace, place >= start { run(block, after: place) }
      if isRunning { enter(at: frame) }
      let run = nextCut(at: frame, atMost: bus.frameCount - place, place)
      play(bus, from: place, count: run, at: frame)
      place += run
      leave(at: block.frame + Int64(place))
    }
    let end = block.frame + Int64(bus.frameCount)
    unsafe audio.pointee.status.timeOffset = isRunning ? end - audio.pointee.status.time : nil
    publish()
  }

  /// Tells the other threads what is so now.
  @_noLocks @_noAllocation func publish() { unsafe statuses.publish(audio.pointee.status) }

  var state: PlayerState {
    @_noLocks @_noAllocation get { unsafe audio.pointee.status.state }
    @_noLocks @_noAllocation set { unsafe audio.pointee.status.state = newValue }
  }

  /// Whether the player's time goes on.
  var isRunning: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .standing, .ended: false
      case .running, .pausing: true
      }
    }
  }

  /// Whether it fades out to a pause.
  var isPausing: Bool {
    @_noLocks @_noAllocation get { if case .pausing = state { true } else { false } }
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
    unsafe audio.pointee.status.hasTempo = now.tempo > 0
  }

  /// Stops, runs and pauses as the control thread wishes.
  @_noLocks @_noAllocation private func follow(_ block: Block) {
    // In this order: an order is seen no later than the goal that was set behind it.
    let isFree = isSolo ? unsafe attend(voices[0].clip.source) : true
    unsafe orders.published.read(into: &audio.pointee.order)
    let order = unsafe audio.pointee.order
    if unsafe order.run != audio.pointee.run { stop(for: order.run, at: block.frame) }
    var plays = isFree ? order.plays : false
    if order.followsTransport, mustWait(block) { plays = false }
    if case .ended(let fulfilled) = state, fulfilled == order.number { plays = false }
    let delay = max(order.start ?? block.frame, block.frame) - block.frame
    let isDue = plays ? delay < Int64(block.frameCount) : false
    // Until the frame at which it is to go on it fades out, if that lies in this block.
    unsafe audio.pointee.startPlace = isDue ? Int(delay) : nil
    switch state {
    case .standing: return
    case .ended:
      // Asked for while the last frames were played: the filler goes back to the beginning first.
      if plays, unsafe !view(voices[0].clip.source).isRefilled { unsafe rewind(voices[0].clip.source) }
    case .running(let number):
      // An order behind a pause is another than the one that it follows.
      guard plays, order.paused < number ? true : isDue ? delay == 0 : false else {
        state = .pausing(order: number)
        unsafe audio.pointee.pause.glide(to: 0, over: fadeFrames)
        return
      }
      // An order that is not due yet is not this one's: it stands when a stream has ended.
      if isDue { state = unsafe .running(order: audio.pointee.order.number) }
      unsafe audio.pointee.startPlace = nil
    case .pausing:
      guard isDue, delay == 0 else { return }
      run(block, after: 0)
    }
  }

  /// Cuts off what plays and drops what waits; the player's time begins anew.
  @_noLocks @_noAllocation private func stop(for run: Int, at frame: Int64) {
    for index in 0..<places {
      switch unsafe voices[index].state {
      case .waiting: end(index, .stopped, at: frame)
      case .playing, .crossing:
        if isRunning { cutOff(index, .stopped) } else { end(index, .stopped, at: frame) }
      case .leaving, .over, .free: break
      }
    }
    unsafe audio.pointee.run = run
    state = .standing
    unsafe audio.pointee.pause = Ramp(1)
    unsafe audio.pointee.status.time = 0
  }

  /// The player's time goes on. What was cut short in its midst fades in.
  @_noLocks @_noAllocation private func run(_ block: Block, after frames: Int) {
    let wasRunning = isRunning
    unsafe audio.pointee.startPlace = nil
    if isSolo, !wasRunning { guard takeStream(block, after: frames) else { return } }
    state = unsafe .running(order: audio.pointee.order.number)
    // In the midst of the fade to a pause.
    if wasRunning { return unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames) }
    unsafe audio.pointee.pause = Ramp(1)
    for index in 0..<places where unsafe voices[index].isPlaying {
      if unsafe view(voices[index].clip.source).place > 0 { fadeIn() }
    }
  }

  /// All that plays fades in.
  @_noLocks @_noAllocation func fadeIn() {
    unsafe audio.pointee.pause = Ramp(0)
    unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames)
  }

  /// How many frames until something begins or ends, at most `limit` and 1 at least.
  @_noLocks @_noAllocation private func nextCut(at frame: Int64, atMost limit: Int, _ place: Int) -> Int {
    var run = limit
    if let start = unsafe audio.pointee.startPlace { run = min(run, start - place) }
    let isRunning = isRunning
    if isPausing { run = unsafe min(run, audio.pointee.pause.remaining) }
    let first = firstWaiting
    for index in 0..<places {
      switch unsafe voices[index].state {
      case .free, .over: continue
      case .waiting:
        guard isRunning else { continue }
        if unsafe voices[index].isPendingPart { continue }
        // One that is due and has not begun is not to be had: to look in each frame would take all the time.
        let wait = untilStart(index, behind: first, at: frame)
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
