// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal

/// Places sources around a listener, in three dimensions.
///
/// Each input channel is a source with a position of its own. It is rendered by equal-power panning for loudspeakers,
/// or by head-related transfer functions for headphones: those of the SOFA file `hrtf`, or of the set that comes with
/// libmysofa. Distance attenuates the source, obstacles attenuate its high frequencies; a proportion of it goes to the
/// output `reverb`, which can feed a reverb. Changes of position, however large or fast, cause no clicks. 1 to 32
/// channels.
@safe public struct Environment: Effect, ~Copyable {
  static var mostSources: Int { @_noLocks @_noAllocation get { 32 } }
  /// The number of frames in a segment while something moves, and in a slice.
  static var sliceLength: Int { @_noLocks @_noAllocation get { BinauralFilter.sliceLength } }
  /// The number of frames written to a line before the frames that are still needed are moved to its start.
  static var capacity: Int { @_noLocks @_noAllocation get { 1024 } }

  let sourceCount: Int
  let sources: UnsafeMutablePointer<EnvironmentSource>
  let binauralFilters: UnsafeMutablePointer<BinauralFilter>
  private let hrtf: Unmanaged<HRTFSet>
  private let table: UnsafePointer<HRTFTable>
  private var listener = Listener(), law = DistanceLaw(), reverbLevel = Ramp(1), gain = Ramp(1)

  /// The last frames of each source after its low-passes: as many as the HRTF filters need, and memory for the next
  /// frames.
  let lines: UnsafeMutablePointer<Float>
  let lineLength: Int, history: Int
  /// The index in the lines at which the next frame is written.
  var writeIndex: Int
  /// The number of frames for which each line has been silent.
  let silences: UnsafeMutablePointer<Int>
  /// The low-passes of each source: one for occlusion and one for obstruction.
  let filters: UnsafeMutablePointer<OnePole>
  let rendered: UnsafeMutablePointer<Float>
  private let scratch: UnsafeMutablePointer<Float>

  /// The elapsed frames of the segment.
  var elapsed = 0
  /// The remaining frames of the segment; `Int.max` if nothing moves.
  private var ahead = 0
  /// Whether a parameter was set within the segment; whether no frame has been processed since the last reset.
  private var isBroken = false, isNew = true

  public init(_ layout: Layout) throws(EffectError) {
    try layout.require(channels: 1...Self.mostSources)
    guard layout.inputs.count == 1, layout.bandCount == layout.inputs[0] else {
      throw .bands(layout.bandCount)
    }
    guard layout.outputs == [2, 1] else { throw .channels(layout.outputs.first ?? 0) }
    var path: [CChar]?
    if case .path(let named)?? = layout.files.first { path = named }
    let set = try HRTFSet.shared(path, sampleRate: layout.sampleRate)
    unsafe hrtf = Unmanaged.passRetained(set)
    unsafe table = UnsafePointer(set.table)
    sourceCount = layout.bandCount
    unsafe sources = .allocate(capacity: sourceCount)
    unsafe sources.initialize(
      repeating: EnvironmentSource(sampleRate: layout.sampleRate), count: sourceCount)
    unsafe binauralFilters = .allocate(capacity: sourceCount)
    for source in 0..<sourceCount {
      unsafe (binauralFilters + source).initialize(to: BinauralFilter(set.table.pointee))
    }
    history = unsafe set.table.pointee.paddedTaps
    writeIndex = history
    lineLength = history + Self.capacity + Self.sliceLength
    unsafe lines = .allocate(capacity: sourceCount * lineLength)
    unsafe lines.initialize(repeating: 0, count: sourceCount * lineLength)
    unsafe silences = .allocate(capacity: sourceCount)
    unsafe silences.initialize(repeating: history, count: sourceCount)
    unsafe filters = .allocate(capacity: 2 * sourceCount)
    unsafe filters.initialize(repeating: OnePole(), count: 2 * sourceCount)
    unsafe rendered = .allocate(capacity: 4 * Self.sliceLength)
    unsafe rendered.initialize(repeating: 0, count: 4 * Self.sliceLength)
    let scratchLength = unsafe set.table.pointee.rowLength
    unsafe scratch = .allocate(capacity: scratchLength)
    unsafe scratch.initialize(repeating: 0, count: scratchLength)
  }

  deinit {
    unsafe sources.deallocate()
    unsafe binauralFilters.deinitialize(count: sourceCount)
    unsafe binauralFilters.deallocate()
    unsafe lines.deallocate()
    unsafe silences.deallocate()
    unsafe filters.deallocate()
    unsafe rendered.deallocate()
    unsafe scratch.deallocate()
    unsafe hrtf.release()
  }

  /// The number of frames until all HRTF filters and low-passes have rung out.
  public var tail: Int {
    @_noLocks @_noAllocation get {
      var longest = 0
      for source in 0..<sourceCount {
        let hrtfTail = unsafe sources[source].usesHRTF ? history : 0
        unsafe longest = max(longest, hrtfTail + sources[source].tail)
      }
      return longest
    }
  }

  @_noLocks @_noAllocation public mutating func reset() {
    listener.finish()
    law.skip(.max / 2)
    reverbLevel.finish()
    gain.finish()
    for source in 0..<sourceCount {
      unsafe sources[source].finish()
      unsafe silences[source] = history
    }
    unsafe rt_clear_floats(lines, sourceCount * lineLength)
    for filter in 0..<2 * sourceCount { unsafe filters[filter] = OnePole() }
    writeIndex = history
    elapsed = 0
    ahead = 0
    isBroken = false
    isNew = true
  }

  @_noLocks @_noAllocation
  public mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .room(let room): set(room, to: value, over: frames)
    case .source(let source, let sourceParameter):
      guard 0 <= source && source < sourceCount else { return }
      unsafe sources[source].set(sourceParameter, to: value, over: frames)
    }
    isBroken = true
  }

  @_noLocks @_noAllocation
  private mutating func set(_ parameter: RoomParameter, to value: Float, over frames: Int) {
    switch parameter {
    case .listenerX: listener.set(.x, to: value, over: frames)
    case .listenerY: listener.set(.y, to: value, over: frames)
    case .listenerZ: listener.set(.z, to: value, over: frames)
    case .yaw: listener.set(.yaw, to: value, over: frames)
    case .pitch: listener.set(.pitch, to: value, over: frames)
    case .roll: listener.set(.roll, to: value, over: frames)
    case .distanceModel: law.choose(Int(value))
    case .referenceDistance: law.reference.glide(to: value, over: frames)
    case .maximumDistance: law.maximum.glide(to: value, over: frames)
    case .rollOff: law.rollOff.glide(to: value, over: frames)
    case .reverbLevel: reverbLevel.glide(to: Decibels.fader(value), over: frames)
    case .gain: gain.glide(to: Decibels.fader(value), over: frames)
    }
  }

  @_noLocks @_noAllocation public mutating func process(_ block: Block) {
    if isBroken { breakSegment() }
    var start = 0
    while start < block.frameCount {
      if ahead == 0 { beginSegment() }
      let count = min(min(ahead, Self.sliceLength), block.frameCount - start)
      let slice = block.slice(from: start, count: count)
      reserve(count)
      slice.output()[0].clear()
      slice.output()[1].clear()
      slice.output(bus: 1)[0].clear()
      for source in 0..<sourceCount { render(source, slice) }
      writeIndex += count
      if ahead < Int.max { advance(count) }
      start += count
    }
  }

  // MARK: - Segments

  /// Interrupts the segment after a parameter has changed.
  @_noLocks @_noAllocation private mutating func breakSegment() {
    isBroken = false
    if ahead < Int.max, ahead > 0 { endSegment(at: Float(elapsed) / Float(Self.sliceLength)) }
    ahead = 0
  }

  /// Begins a segment: computes all levels and directions at its end.
  @_noLocks @_noAllocation private mutating func beginSegment() {
    elapsed = 0
    if isNew { beginAnew() }
    let room = room(after: Self.sliceLength)
    var moves = listener.isMoving
    if law.isMoving { moves = true }
    if reverbLevel.isMoving { moves = true }
    if gain.isMoving { moves = true }
    for source in 0..<sourceCount {
      unsafe sources[source].begin(room, over: Self.sliceLength, atOnce: false)
      if unsafe sources[source].usesHRTF {
        let atOnce = unsafe sources[source].from[.head] == 0
        unsafe binauralFilters[source].fade(to: sources[source].target, atOnce: atOnce, table, scratch)
      }
      if unsafe sources[source].isMoving { moves = true }
      if unsafe binauralFilters[source].isFading { moves = true }
    }
    ahead = moves ? Self.sliceLength : Int.max
  }

  /// Sets all levels and directions to their targets before the first frame.
  @_noLocks @_noAllocation private mutating func beginAnew() {
    isNew = false
    let room = room(after: 0)
    for source in 0..<sourceCount {
      unsafe sources[source].begin(room, over: 0, atOnce: true)
      unsafe binauralFilters[source].clearDirection()
      if unsafe sources[source].usesHRTF {
        unsafe binauralFilters[source].fade(to: sources[source].facing, atOnce: true, table, scratch)
      }
    }
  }

  @_noLocks @_noAllocation private func room(after frames: Int) -> EnvironmentSource.Room {
    EnvironmentSource.Room(
      head: listener.head(after: frames), law: law, gain: gain.value(after: frames),
      reverb: reverbLevel.value(after: frames))
  }

  @_noLocks @_noAllocation private mutating func advance(_ count: Int) {
    listener.skip(count)
    law.skip(count)
    reverbLevel.skip(count)
    gain.skip(count)
    for source in 0..<sourceCount { unsafe sources[source].skip(count) }
    elapsed += count
    ahead -= count
    if ahead == 0 { endSegment(at: 1) }
  }

  @_noLocks @_noAllocation private mutating func endSegment(at share: Float) {
    for source in 0..<sourceCount {
      unsafe sources[source].end(at: share)
      unsafe binauralFilters[source].end(at: share)
    }
  }
}

@_noLocks @_noAllocation private func proof(_ effect: inout Environment, _ block: Block) {
  effect.set(.source(0, .x), to: 0, over: 0)
  effect.reset()
  effect.process(block)
}
