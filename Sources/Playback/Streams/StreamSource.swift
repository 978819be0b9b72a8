// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletSignal
internal import SwiftletTimeline
internal import Synchronization

/// The stream behind a clip: a ring that the prefetch thread fills and a ``PlayerSource`` reads.
@safe package final class StreamSource: @unchecked Sendable {
  // @unchecked: only the audio thread uses `audio`; all other state is locked or safe for several threads.

  /// The parameters, by number.
  package enum Parameter: Int, BitwiseCopyable, Sendable {
    case gain, speed, varispeed, pitch

    /// The highest gain, in dB.
    static var loudest: Float { @_noLocks @_noAllocation get { 24 } }
    /// The lowest and highest speed and varispeed, as factors.
    static var slowest: Double { @_noLocks @_noAllocation get { 0.25 } }
    static var fastest: Double { @_noLocks @_noAllocation get { 4 } }
  }

  /// A parameter change that is sent to the prefetch thread.
  package struct ParameterChange: BitwiseCopyable {
    /// The ring's read position when the change was requested.
    package var frame: Int
    /// The parameter and its new value.
    package var parameter: Parameter, value: Float
  }

  /// The delay, in frames, after which a change of speed or pitch is heard.
  package var changeDelay: Int { Self.changeDelay(at: sampleRate) }

  /// That delay at a sample rate, in frames: 0.2 s, at least 8192 frames.
  package static func changeDelay(at sampleRate: Double) -> Int { max(Int(sampleRate) / 5, 8192) }

  /// The stream's number of channels.
  package let channelCount: Int
  /// The sample rate in Hz.
  package let sampleRate: Double
  /// The stream's length in frames; nil if it is endless or unknown.
  package let length: Int?

  package let ring: FrameRing
  package let parameterChanges: RecordRing<ParameterChange>
  let marks: RecordRing<Mark>
  let handover = StreamHandover()
  let control = Mutex(Control())
  /// The automated parameters: one bit each, by parameter number.
  let automatedParameters = Atomic(0)
  /// The status that the audio thread publishes, and the filling that the prefetch thread publishes.
  let statuses = LatestValue(StreamStatus()), fillings = LatestValue(StreamFilling())
  /// The requested playback rate, in file frames per output frame: the bits of a `Double`.
  let asked: Atomic<UInt64>
  let audio: UnsafeMutablePointer<AudioSide>

  /// State that only control threads and the prefetch thread use.
  struct Control {
    /// The lanes of speed, varispeed and pitch.
    var lanes: Lanes?
    /// The timeline's loop range, in frames.
    var loop: TimelineLoop?
    /// Whether the player follows the transport, and whether it is to play.
    var isFollowing = false, plays = false
    /// The absolute frame at which playback begins; nil means immediately.
    var aim: Int64?
    /// The engine's last known frame, and the timeline frame minus the engine's frame.
    var engineFrame: Int64 = 0, engineShift: Int64 = 0
  }

  /// State that only the audio thread uses.
  struct AudioSide {
    var status = StreamStatus()
    /// The filling that is being played.
    var filling = StreamFilling()
    /// The last mark that was reached.
    var mark: Mark
    /// The latest parameter changes that did not fit into the queue, and whether there are any.
    var speed: Float?, varispeed: Float?, pitch: Float?, isBehind = false
    /// The requested speed and varispeed.
    var askedSpeed: Double, askedVarispeed: Double
  }

  /// Creates a source with an empty ring. Control threads only.
  ///
  /// - Parameters:
  ///   - channelCount: the stream's channels, at least 1.
  ///   - sampleRate: the sample rate in Hz, clamped to 1...2^24; NaN counts as 1.
  ///   - length: the stream's length in frames; nil for an endless stream.
  ///   - capacity: the ring's capacity in frames, rounded up to a power of two.
  ///   - speed: the initial speed at constant pitch, 0.25...4.
  ///   - varispeed: the initial varispeed, 0.25...4; it also changes the pitch, as a tape does.
  package convenience init(
    channelCount: Int, sampleRate: Double, length: Int?, capacity: Int = 1 << 17, speed: Double = 1,
    varispeed: Double = 1
  ) {
    self.init(
      channelCount: channelCount, sampleRate: sampleRate, length: length, capacity: capacity, speed: speed,
      varispeed: varispeed, records: 1024)
  }

  /// Like the initializer above, with the size of the queues.
  ///
  /// - Parameter records: the capacity of the queues of parameter changes and marks.
  package init(
    channelCount: Int, sampleRate: Double, length: Int?, capacity: Int, speed: Double, varispeed: Double,
    records: Int
  ) {
    self.channelCount = max(channelCount, 1)
    self.sampleRate = sampleRate.isNaN ? 1 : min(max(sampleRate, 1), 0x1p24)
    self.length = length.map { max($0, 0) }
    ring = FrameRing(channelCount: channelCount, capacity: capacity)
    parameterChanges = RecordRing(
      capacity: records, filler: ParameterChange(frame: 0, parameter: .speed, value: 1))
    marks = RecordRing(capacity: records, filler: Mark(frame: 0, position: 0, advance: 1))
    let (speed, varispeed) = (nearest(speed), nearest(varispeed))
    asked = Atomic((speed * varispeed).bitPattern)
    unsafe audio = .allocate(capacity: 1)
    unsafe audio.initialize(
      to: AudioSide(
        mark: Mark(frame: 0, position: 0, advance: speed * varispeed), askedSpeed: speed,
        askedVarispeed: varispeed))
  }

  deinit { unsafe audio.deallocate() }

  /// Changes the speed or pitch; the change is heard ``changeDelay`` frames later. Audio thread only.
  @_noLocks @_noAllocation func setParameter(_ parameter: Parameter, to value: Float) {
    // The prefetch thread applies lanes; ignore parameter events here.
    guard automatedParameters.load(ordering: .relaxed) & (1 << parameter.rawValue) == 0 else { return }
    ask(parameter, value)
  }

  @_noLocks @_noAllocation private func ask(_ parameter: Parameter, _ value: Float) {
    switch parameter {
    case .speed: unsafe audio.pointee.askedSpeed = nearest(Double(value))
    case .varispeed: unsafe audio.pointee.askedVarispeed = nearest(Double(value))
    case .gain, .pitch: break
    }
    let pace = unsafe (audio.pointee.askedSpeed * audio.pointee.askedVarispeed).bitPattern
    // At another playback rate, the file position for a timeline frame changes: the next seek places the source again.
    if asked.exchange(pace, ordering: .relaxed) != pace {
      unsafe audio.pointee.status.detachedFilling = fillings.version()
      publish()
    }
    retryChanges()
    if unsafe !audio.pointee.isBehind, push(parameter, value) { return }
    unsafe audio.pointee.isBehind = true
    switch parameter {
    case .speed: unsafe audio.pointee.speed = value
    case .varispeed: unsafe audio.pointee.varispeed = value
    case .pitch: unsafe audio.pointee.pitch = value
    case .gain: break
    }
  }

  /// Retries the changes that did not fit into the queue: the latest of each parameter.
  @_noLocks @_noAllocation func retryChanges() {
    guard unsafe audio.pointee.isBehind else { return }
    guard unsafe push(.speed, waiting: &audio.pointee.speed) else { return }
    guard unsafe push(.varispeed, waiting: &audio.pointee.varispeed) else { return }
    guard unsafe push(.pitch, waiting: &audio.pointee.pitch) else { return }
    unsafe audio.pointee.isBehind = false
  }

  @_noLocks @_noAllocation private func push(_ parameter: Parameter, waiting value: inout Float?) -> Bool {
    guard let waiting = value else { return true }
    guard push(parameter, waiting) else { return false }
    value = nil
    return true
  }

  @_noLocks @_noAllocation private func push(_ parameter: Parameter, _ value: Float) -> Bool {
    parameterChanges.push(ParameterChange(frame: ring.readPosition, parameter: parameter, value: value))
  }

  /// Publishes the status for other threads.
  @_noLocks @_noAllocation func publish() { unsafe statuses.publish(audio.pointee.status) }
}

/// The parameter with a number; nil if there is none.
@_noLocks @_noAllocation func streamParameter(_ number: Int) -> StreamSource.Parameter? {
  StreamSource.Parameter(rawValue: number)
}

/// Clamps a speed to the permitted range; NaN counts as 1.
@_noLocks @_noAllocation private func nearest(_ speed: Double) -> Double {
  speed.isNaN ? 1 : min(max(speed, StreamSource.Parameter.slowest), StreamSource.Parameter.fastest)
}
