// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import SwiftletTimeline
import Synchronization

/// Applies the volume, ducking and pan lanes of a node or wire to a bus, frame by frame.
///
/// Each frame's factor is computed from the frame's number, so blocks of any size produce the same bits. If lanes are
/// added, removed or changed while sound runs, the fader glides in 5 ms.
@safe final class Fader: Processor, @unchecked Sendable {
  /// The automated values, by the number in a ``LaneMemory``.
  enum Value: Int32, CaseIterable { case volume, ducking, pan }

  private struct State: BitwiseCopyable {
    /// The numbers of the tables in use, 0 for none: two of volume and two of ducking, since a send follows its own
    /// lanes and its strip's, and one of pan.
    var tables: (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
    /// The next timeline frame, unless the timeline jumps.
    var next: Int64 = 0
    /// The last level and pan, and their remaining differences from the lanes' values.
    var level: Float = 1, pan: Float = 0
    var levelGap = Ramp(0), panGap = Ramp(0)
    /// The pan law.
    var law = Int32(truncatingIfNeeded: PanLaws.nowhere), laws = PanLaws(of: PanLaws.nowhere)
    /// Whether the bus is audible before the first lanes are applied.
    var isHeard: Bool

    /// The number of frames that are computed at once.
    static var sliceLength: Int { @_noLocks @_noAllocation get { 256 } }
  }

  private let state: UnsafeMutablePointer<State>
  /// One row each for levels, pans and factors.
  private let rows: UnsafeMutablePointer<Float>
  private let fadeFrames: Int
  private let open: Atomic<Int>
  /// Whether the fader turns mono into stereo, for a pan. Control threads only.
  var isWide = false
  /// Whether plans contain lanes. Control threads only.
  var request: Request<Bool>

  /// Creates a fader at unity gain and center.
  ///
  /// - Parameter isHeard: whether the bus is audible already, so that the fader glides to the first lanes.
  init(fadeFrames: Int, isHeard: Bool, generation: Int) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State(isHeard: isHeard))
    unsafe rows = .allocate(capacity: 3 * State.sliceLength)
    unsafe rows.initialize(repeating: 0, count: 3 * State.sliceLength)
    self.fadeFrames = fadeFrames
    open = Atomic(0)
    request = Request(true, generation: generation)
    super.init(worksInPlace: true)
  }

  deinit {
    unsafe state.deallocate()
    unsafe rows.deallocate()
  }

  /// Whether the fader changes nothing and follows no lane, so that it is not needed. Any thread.
  var isOpen: Bool { open.load(ordering: .acquiring) == 1 }

  /// Processes a block whose first frame is `frame` of the timeline; while the timeline is stopped, `frame` applies
  /// to the whole block. `law` is the number of the pan law. Audio thread only.
  @_noLocks @_noAllocation
  func run(
    _ block: Block, _ lanes: UnsafePointer<LaneMemory>, count: Int, law: Int32, at frame: Int64,
    isStill: Bool = false
  ) {
    unsafe aim(lanes, count, frame, law)
    var done = 0
    while done < block.frameCount {
      let length = min(block.frameCount - done, State.sliceLength),
        now = isStill ? frame : frame + Int64(done)
      if unsafe isSteady(lanes, count, from: now, length, isStill) {
        unsafe hold(block, from: done, length, level: value(lanes, count, now), pan: side(lanes, count, now))
      } else {
        unsafe move(block, from: done, length, lanes, count, now, isStill)
      }
      done += length
    }
    let last = isStill ? frame : frame + Int64(block.frameCount) - 1
    unsafe state.pointee.level = unsafe value(lanes, count, last) + state.pointee.levelGap.value
    unsafe state.pointee.pan = unsafe side(lanes, count, last) + state.pointee.panGap.value
    unsafe state.pointee.next = isStill ? frame : last + 1
    open.store(count == 0 ? (isGliding ? 0 : 1) : 0, ordering: .releasing)
  }

  /// If the lanes changed or the timeline jumped, starts to glide from the current values.
  @_noLocks @_noAllocation
  private func aim(_ lanes: UnsafePointer<LaneMemory>, _ count: Int, _ frame: Int64, _ law: Int32) {
    var tables: (Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0)
    for index in 0..<count {
      let lane = unsafe lanes[index], number = unsafe lane.number
      switch unsafe Value(rawValue: lane.parameter) {
      case .volume: if tables.0 == 0 { tables.0 = number } else { tables.1 = number }
      case .ducking: if tables.2 == 0 { tables.2 = number } else { tables.3 = number }
      case .pan: tables.4 = number
      case nil: break
      }
    }
    let before = unsafe state.pointee
    if before.law != law {
      unsafe state.pointee.law = law
      unsafe state.pointee.laws.glide(to: Int(law), over: before.isHeard ? -fadeFrames : 0)
    }
    guard before.tables != tables || before.next != frame else { return }
    unsafe state.pointee.tables = tables
    defer { unsafe state.pointee.isHeard = true }
    guard before.isHeard else { return }
    unsafe state.pointee.levelGap = unsafe gap(before.level - value(lanes, count, frame))
    unsafe state.pointee.panGap = unsafe gap(before.pan - side(lanes, count, frame))
  }

  /// Whether a glide from earlier values is under way.
  private var isGliding: Bool {
    @_noLocks @_noAllocation get {
      if unsafe state.pointee.levelGap.isMoving { return true }
      return unsafe state.pointee.panGap.isMoving ? true : state.pointee.laws.isMoving
    }
  }

  /// Returns a difference that glides to 0.
  @_noLocks @_noAllocation private func gap(_ width: Float) -> Ramp {
    var ramp = Ramp(width)
    if width != 0 { ramp.glide(to: 0, over: -fadeFrames) }
    return ramp
  }

  @_noLocks @_noAllocation private func isSteady(
    _ lanes: UnsafePointer<LaneMemory>, _ count: Int, from frame: Int64, _ length: Int, _ isStill: Bool
  ) -> Bool {
    if isGliding { return false }
    if isStill { return true }
    for index in 0..<count {
      if unsafe lanes[index].table.pointee.steadyFrames(from: frame) < Int64(length) { return false }
    }
    return true
  }

  /// Returns the lanes' gain factor at a frame.
  @_noLocks @_noAllocation
  private func value(_ lanes: UnsafePointer<LaneMemory>, _ count: Int, _ frame: Int64) -> Float {
    var level: Float = 1
    for index in 0..<count where unsafe lanes[index].parameter != Value.pan.rawValue {
      level *= unsafe lanes[index].table.pointee.value(at: frame)
    }
    return level
  }

  /// Returns the lanes' pan at a frame.
  @_noLocks @_noAllocation
  private func side(_ lanes: UnsafePointer<LaneMemory>, _ count: Int, _ frame: Int64) -> Float {
    for index in 0..<count where unsafe lanes[index].parameter == Value.pan.rawValue {
      return unsafe lanes[index].table.pointee.value(at: frame)
    }
    return 0
  }

  @_noLocks @_noAllocation
  private func hold(_ block: Block, from start: Int, _ length: Int, level: Float, pan: Float) {
    let source = block.input(), sink = block.output()
    for channel in 0..<sink.channelCount {
      let samples = source[min(channel, source.channelCount - 1)], out = sink[channel]
      let factor =
        unsafe sink.channelCount == 2
        ? level
          * state.pointee.laws.factor(pan, isRight: channel == 1, isMono: source.channelCount == 1) : level
      for frame in start..<start + length { out[frame] = samples[frame] * factor }
    }
  }

  /// Fills a row with a lane's values of consecutive frames, or with one value while the timeline is stopped.
  @_noLocks @_noAllocation
  private func fill(_ row: MutableSamples, _ lane: LaneMemory, _ frame: Int64, _ isStill: Bool) {
    guard isStill else { return unsafe lane.table.pointee.fill(row, from: frame) }
    let value = unsafe lane.table.pointee.value(at: frame)
    for index in 0..<row.count { row[index] = value }
  }

  @_noLocks @_noAllocation private func move(
    _ block: Block, from start: Int, _ length: Int, _ lanes: UnsafePointer<LaneMemory>, _ count: Int,
    _ now: Int64, _ isStill: Bool
  ) {
    let levels = unsafe rows, pans = unsafe rows + State.sliceLength,
      more = unsafe rows + 2 * State.sliceLength
    for frame in 0..<length {
      unsafe levels[frame] = 1
      unsafe pans[frame] = 0
    }
    for index in 0..<count {
      let lane = unsafe lanes[index]
      if unsafe lane.parameter == Value.pan.rawValue {
        unsafe fill(MutableSamples(pans, count: length), lane, now, isStill)
      } else {
        unsafe fill(MutableSamples(more, count: length), lane, now, isStill)
        for frame in 0..<length { unsafe levels[frame] *= unsafe more[frame] }
      }
    }
    if unsafe state.pointee.levelGap.isMoving {
      for frame in 0..<length { unsafe levels[frame] += unsafe state.pointee.levelGap.next() }
    }
    if unsafe state.pointee.panGap.isMoving {
      for frame in 0..<length { unsafe pans[frame] += unsafe state.pointee.panGap.next() }
    }
    let source = block.input(), sink = block.output(), laws = unsafe state.pointee.laws
    for channel in 0..<sink.channelCount {
      let samples = source[min(channel, source.channelCount - 1)], out = sink[channel]
      if sink.channelCount == 2 {
        for frame in 0..<length {
          let factor =
            unsafe levels[frame]
            * laws.factor(
              pans[frame], isRight: channel == 1, isMono: source.channelCount == 1, after: frame + 1)
          out[start + frame] = samples[start + frame] * factor
        }
      } else {
        for frame in 0..<length { out[start + frame] = unsafe samples[start + frame] * levels[frame] }
      }
    }
    unsafe state.pointee.laws.skip(length)
  }
}
