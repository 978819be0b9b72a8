// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
package import SwiftletGraph
package import SwiftletSignal
internal import Synchronization

/// The audio thread's half of a player with a schedule: plays clips one after the other and over each other, each
/// from a source that the prefetch thread keeps full.
///
/// It has no input and one output bus. Clips arrive through a ring, and reports leave through another; the audio
/// thread neither creates nor frees anything. Each start and end falls on its exact frame, independent of the block
/// size. A clip that is cut off fades out over 5 ms; natural beginnings and ends are not faded. If a ring runs empty,
/// the player outputs silence, counts an underrun, and skips the late frames, so that playback stays in time.
///
/// Alternatively a player has a single stream, which stays after its end (``StreamPlayer``): a file, a track, or a
/// schedule that follows the transport.
@safe package final class PlayerSource: Processor, @unchecked Sendable {
  // @unchecked: only the audio thread uses `audio` and `voices`; `clipSources` and `orders` are locked; all other state
  // is safe for several threads.

  /// The maximum number of clips on the audio thread.
  package static let mostClips = 256

  /// The number of channels of the bus and of each clip.
  package let channelCount: Int
  /// The sample rate in Hz.
  package let sampleRate: Double

  let clips: RecordRing<Clip>, notes: RecordRing<ClipReport>
  let orders = LatestRequest(PlayerOrder())
  /// The status that the audio thread publishes.
  let statuses = LatestValue(PlayerStatus())
  let clipSources = ClipSources()

  let audio: UnsafeMutablePointer<AudioSide>
  let voices: UnsafeMutablePointer<ClipVoice>
  let fadeFrames: Int
  /// Whether the player has a single stream, and the maximum number of voices.
  let isSolo: Bool, capacity: Int

  /// State that only the audio thread uses.
  struct AudioSide {
    var order = PlayerOrder(), status = PlayerStatus()
    /// The current run number.
    var run = 0
    /// The pause fade: 1, except around a pause.
    var pause = Ramp(1)
    var gain = Ramp(1)
    /// The latest values of speed, varispeed and pitch; nil until they are first set.
    var speed: Float?, varispeed: Float?, pitch: Float?
    /// The offset in this block at which the player starts to run; nil if it does not start in this block.
    var startOffset: Int?
    /// The number of voices to iterate over; no voice beyond is in use.
    var voiceCount = 0
    /// The transport, and the frame at which it was read; a tempo of 0 means no tempo.
    var transport = Transport(), transportFrame: Int64 = 0
    /// The frame after the last block of a player that follows the transport, and its number of deviations so far.
    var nextFrame: Int64 = 0, deviations = 0
  }

  /// Creates a stopped player without clips. Control threads only.
  ///
  /// - Parameters:
  ///   - channelCount: the bus's channels, at least 1.
  ///   - sampleRate: the sample rate in Hz, clamped to 1...2^24; NaN counts as 1.
  ///   - stream: the player's single stream; nil, the default, for a player of clips.
  package init(channelCount: Int, sampleRate: Double, stream: StreamSource? = nil) {
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate.isNaN ? 1 : min(max(sampleRate, 1), 0x1p24)
    fadeFrames = max(Int(self.sampleRate * 0.005), 1)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(to: AudioSide())
    isSolo = stream != nil
    capacity = isSolo ? 1 : Self.mostClips
    clips = RecordRing(capacity: capacity, filler: Clip(number: 0, item: 0, length: 0))
    notes = RecordRing(capacity: 4 * capacity, filler: ClipReport(kind: .began, clip: 0, item: 0, frame: 0))
    unsafe voices = .allocate(capacity: capacity)
    unsafe voices.initialize(repeating: ClipVoice(), count: capacity)
    super.init()
    guard let stream else { return }
    clipSources.put(stream, as: 0)
    unsafe voices[0].clip.source = unsafe UnsafeRawPointer(Unmanaged.passUnretained(stream).toOpaque())
    unsafe voices[0].state = .playing
    unsafe audio.pointee.voiceCount = 1
  }

  deinit {
    unsafe audio.deallocate()
    unsafe voices.deallocate()
  }

  /// Glides the gain, clamped to its range, over `frames` frames; a negative number uses the default glide of 20 ms.
  /// Passes speed, varispeed and pitch on to all streams. Other parameters and NaN are ignored. Audio thread only.
  @_noLocks @_noAllocation package override func set(_ parameter: Int, to value: Float, over frames: Int) {
    guard !value.isNaN else { return }
    guard let streamParameter = streamParameter(parameter) else { return }
    switch streamParameter {
    case .gain:
      unsafe audio.pointee.gain.glide(
        to: Decibels.fader(min(value, StreamSource.Parameter.loudest)),
        over: frames < 0 ? -gainGlide : frames)
      return
    case .speed: unsafe audio.pointee.speed = value
    case .varispeed: unsafe audio.pointee.varispeed = value
    case .pitch: unsafe audio.pointee.pitch = value
    }
    for index in 0..<voiceCount where unsafe voices[index].isThere {
      unsafe setParameter(voices[index].clip.source, streamParameter, to: value)
    }
  }

  /// The length of the gain's own smoothing, in frames.
  private var gainGlide: Int { @_noLocks @_noAllocation get { Int(0.02 * sampleRate) } }

  @_noLocks @_noAllocation package override func timing(of parameter: Int) -> ParameterTiming {
    if case .gain? = streamParameter(parameter) {
      ParameterTiming(glide: gainGlide)
    } else {
      ParameterTiming()
    }
  }

  /// Finishes fades and glides at their targets. Frames in the rings stay.
  @_noLocks @_noAllocation package override func reset() {
    unsafe audio.pointee.gain.finish()
    unsafe audio.pointee.pause.finish()
    for index in 0..<voiceCount where unsafe voices[index].isPlaying {
      unsafe voices[index].envelope.finish()
    }
  }

  /// The number of voices to iterate over.
  var voiceCount: Int { @_noLocks @_noAllocation get { unsafe audio.pointee.voiceCount } }

  @_noLocks @_noAllocation package override func process(_ block: Block) {
    let bus = block.output()
    for channel in 0..<bus.channelCount {
      unsafe rt_clear_floats(bus[channel].unsafeBase, bus.frameCount)
    }
    note(block)
    follow(block)
    takeIn(at: block.frame)
    var offset = 0
    while offset < bus.frameCount {
      let frame = block.frame + Int64(offset)
      if let start = unsafe audio.pointee.startOffset, offset >= start { run(block, after: offset) }
      if isRunning { enter(at: frame) }
      let run = nextCut(at: frame, atMost: bus.frameCount - offset, offset)
      play(bus, from: offset, count: run, at: frame)
      offset += run
      leave(at: block.frame + Int64(offset))
    }
    let end = block.frame + Int64(bus.frameCount)
    unsafe audio.pointee.status.timeOffset = isRunning ? end - audio.pointee.status.time : nil
    publish()
  }

  /// Publishes the status for other threads.
  @_noLocks @_noAllocation func publish() { unsafe statuses.publish(audio.pointee.status) }

  var state: PlayerState {
    @_noLocks @_noAllocation get { unsafe audio.pointee.status.state }
    @_noLocks @_noAllocation set { unsafe audio.pointee.status.state = newValue }
  }

  /// Whether the player's time runs.
  var isRunning: Bool {
    @_noLocks @_noAllocation get {
      switch state {
      case .stopped, .ended: false
      case .running, .pausing: true
      }
    }
  }

  /// Whether the player fades out to a pause.
  var isPausing: Bool {
    @_noLocks @_noAllocation get { if case .pausing = state { true } else { false } }
  }

  /// Reads the transport. Each part of a cut block carries the transport at the start of the whole block.
  @_noLocks @_noAllocation private func note(_ block: Block) {
    let now = block.transport
    // Plain conditions here and below: the right side of `&&` is a closure, which retains its captures.
    let rolls = now.isRolling ? unsafe audio.pointee.transport.isRolling : false
    let isSame = rolls ? unsafe now.position == audio.pointee.transport.position : false
    if !isSame {
      unsafe audio.pointee.transport = now
      unsafe audio.pointee.transportFrame = block.frame
    }
    unsafe audio.pointee.status.hasTempo = now.tempo > 0
  }

  /// Stops, starts and pauses as the control threads request.
  @_noLocks @_noAllocation private func follow(_ block: Block) {
    // The goal must be read before the request: a request is then seen no later than a goal that was set after it.
    let isFree = isSolo ? unsafe followGoal(voices[0].clip.source) : true
    unsafe orders.published.read(into: &audio.pointee.order)
    let order = unsafe audio.pointee.order
    if unsafe order.run != audio.pointee.run { stop(for: order.run, at: block.frame) }
    var plays = isFree ? order.plays : false
    if order.followsTransport, mustWait(block) { plays = false }
    if case .ended(let fulfilled) = state, fulfilled == order.number { plays = false }
    let delay = max(order.start ?? block.frame, block.frame) - block.frame
    let isDue = plays ? delay < Int64(block.frameCount) : false
    // If playback resumes within this block, the player fades out until that frame.
    unsafe audio.pointee.startOffset = isDue ? Int(delay) : nil
    switch state {
    case .stopped: return
    case .ended:
      // A play request that arrived while the last frames were played: the prefetch thread must first go back to the
      // beginning.
      if plays, unsafe !view(voices[0].clip.source).isRefilled { unsafe rewind(voices[0].clip.source) }
    case .running(let number):
      // A play request after a pause is a new one, not the one that the player follows.
      guard plays, order.paused < number ? true : isDue ? delay == 0 : false else {
        state = .pausing(order: number)
        unsafe audio.pointee.pause.glide(to: 0, over: fadeFrames)
        return
      }
      // A request that is not due yet must stay pending if the stream ends first.
      if isDue { state = unsafe .running(order: audio.pointee.order.number) }
      unsafe audio.pointee.startOffset = nil
    case .pausing:
      guard isDue, delay == 0 else { return }
      run(block, after: 0)
    }
  }

  /// Cuts off playing clips, removes waiting ones, and resets the player's time.
  @_noLocks @_noAllocation private func stop(for run: Int, at frame: Int64) {
    for index in 0..<voiceCount {
      switch unsafe voices[index].state {
      case .waiting: end(index, .stopped, at: frame)
      case .playing, .crossing:
        if isRunning { cutOff(index, .stopped) } else { end(index, .stopped, at: frame) }
      case .leaving, .over, .free: break
      }
    }
    unsafe audio.pointee.run = run
    state = .stopped
    unsafe audio.pointee.pause = Ramp(1)
    unsafe audio.pointee.status.time = 0
  }

  /// Starts the player's time. Clips that were paused partway fade in.
  @_noLocks @_noAllocation private func run(_ block: Block, after frames: Int) {
    let wasRunning = isRunning
    unsafe audio.pointee.startOffset = nil
    if isSolo, !wasRunning { guard takeStream(block, after: frames) else { return } }
    state = unsafe .running(order: audio.pointee.order.number)
    // The player was fading out to a pause.
    if wasRunning { return unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames) }
    unsafe audio.pointee.pause = Ramp(1)
    for index in 0..<voiceCount where unsafe voices[index].isPlaying {
      if unsafe view(voices[index].clip.source).position > 0 { fadeIn() }
    }
  }

  /// Fades in all that plays.
  @_noLocks @_noAllocation func fadeIn() {
    unsafe audio.pointee.pause = Ramp(0)
    unsafe audio.pointee.pause.glide(to: 1, over: fadeFrames)
  }

  /// Returns the number of frames until the next start or end: at most `limit`, at least 1.
  @_noLocks @_noAllocation private func nextCut(at frame: Int64, atMost limit: Int, _ offset: Int) -> Int {
    var run = limit
    if let start = unsafe audio.pointee.startOffset { run = min(run, start - offset) }
    let isRunning = isRunning
    if isPausing { run = unsafe min(run, audio.pointee.pause.remaining) }
    let first = firstWaiting
    for index in 0..<voiceCount {
      switch unsafe voices[index].state {
      case .free, .over: continue
      case .waiting:
        guard isRunning else { continue }
        if unsafe voices[index].isPendingPart { continue }
        // A clip that is due and has not begun waits for its source, which the prefetch thread holds. Retrying in each
        // frame would be too expensive.
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
