// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal
public import Synchronization

/// The base class of all audio and event processing in a plan, and the only dynamic dispatch on the audio thread.
///
/// A processor is created and destroyed on a control thread, and called on the audio thread in between. It outlives
/// the plans that call it, so an edit of the graph keeps its tails and states.
///
/// A subclass overrides ``process(_:)``, ``set(_:to:over:)`` and ``reset()``. These run on the audio thread, and the
/// compiler cannot check the call to them: they must not allocate, lock, block, retain or release.
// @unchecked: only one thread at a time uses a subclass's state: the control thread until the first plan that
// contains it is published and after the last such plan is collected, the audio thread in between. State that both
// use meanwhile is atomic.
@safe open class Processor: @unchecked Sendable {
  /// The frames at which a processor's blocks may be cut to change a parameter on time.
  public enum Cut: Int, Sendable {
    /// At any frame.
    case anywhere = 1
    /// At multiples of 16 frames of the stream: LV2 plugins misbehave in odd slices.
    case grid = 16
    /// Never: changes wait for the start of a block.
    case never = 0
  }

  /// The latency of the output in frames. The audio thread stores it, the compiler reads it.
  public let latency: Atomic<Int>
  /// The number of frames for which the output continues after the input has fallen silent.
  public let tail: Atomic<Int>
  /// Whether the input contained invalid samples: NaN, infinite, or larger than 10¹⁵ in magnitude.
  private let hadBadInput = Atomic<Bool>(false)
  /// Where blocks may be cut.
  public let cut: Cut
  /// Whether output channel n may share the memory of input channel n.
  public let worksInPlace: Bool
  /// The number of meters that the processor has.
  public var meterCount: Int { Int(meters) }
  private let meters: Int32
  /// The meters' values, written by the audio thread through `Block.show`.
  let meterMemory: UnsafeMutablePointer<Float>
  /// Whether the processor implements bypass itself, so that the plan needs no `BypassFader`.
  package let bypassesItself: Bool
  private let bypassRequest = Atomic<Bool>(false)
  /// The reporter by which the processor notifies the graph controller.
  package let reporter: Reporter
  /// The list node in which the audio thread reports.
  private let reportSlot: UnsafeMutablePointer<Reporter.Slot>

  /// Initializes the state that all processors share.
  ///
  /// - Parameter reporter: the processor's reporter, which may hold reports already.
  package init(
    latency: Int = 0, tail: Int = 0, cut: Cut = .anywhere, worksInPlace: Bool = false, meterCount: Int = 0,
    bypassesItself: Bool = false, reporter: Reporter = Reporter()
  ) {
    self.latency = Atomic(latency)
    self.tail = Atomic(tail)
    self.cut = cut
    self.worksInPlace = worksInPlace
    self.bypassesItself = bypassesItself
    meters = Int32(clamping: max(meterCount, 0))
    unsafe meterMemory = .allocate(capacity: max(Int(meters), 1))
    unsafe meterMemory.initialize(repeating: 0, count: max(Int(meters), 1))
    self.reporter = reporter
    unsafe reportSlot = unsafe reporter.slot
  }

  deinit { unsafe meterMemory.deallocate() }

  /// Memory that `process` or the direct call touches first, besides the processor itself and the direct call's
  /// context. The audio thread prefetches it. Control thread.
  open var prefetchAddresses: (UnsafeRawPointer?, UnsafeRawPointer?) { (nil, nil) }

  /// The function that may be called instead of `process` while the processor allows it; nil unless overridden.
  /// Control threads only.
  open var directCall: DirectCall? { nil }

  /// Sets whether a processor that bypasses itself does so, from its next block on. Any thread.
  package final func bypass(_ isBypassed: Bool) { bypassRequest.store(isBypassed, ordering: .relaxed) }

  /// Whether a processor that bypasses itself must do so. Audio thread only.
  package final var isToBypass: Bool {
    @_noLocks @_noAllocation get { bypassRequest.load(ordering: .relaxed) }
  }

  /// Processes a block: reads the inputs and fills every channel of every output. Audio thread only.
  open func process(_ block: Block) {}

  /// Changes a parameter by number: in a straight line over `frames` frames; immediately with 0; with a negative number
  /// by the parameter's own smoothing. Audio thread only, between blocks.
  open func set(_ parameter: Int, to value: Float, over frames: Int) {}

  /// Returns how a parameter follows a lane. Audio thread only, between blocks.
  open func timing(of parameter: Int) -> ParameterTiming { ParameterTiming() }

  /// Discards all sound. Audio thread only, between blocks.
  open func reset() {}

  /// Publishes the latency and the tail, in frames, for the control thread. Audio thread only.
  @_noLocks @_noAllocation final func publish(latency late: Int, tail rings: Int) {
    publish(latency: late)
    tail.store(rings, ordering: .relaxed)
  }

  /// Publishes the latency in frames for the control thread. Audio thread only.
  @_noLocks @_noAllocation package final func publish(latency late: Int) {
    guard latency.load(ordering: .relaxed) != late else { return }
    latency.store(late, ordering: .relaxed)
    unsafe reportMatter(.latency, at: reportSlot)
  }

  /// Reports the first invalid input samples (NaN, infinite, or larger than 10¹⁵ in magnitude), which the processor
  /// will treat as silence. Must be called before processing, since output and input may share memory. Audio thread
  /// only.
  @_noLocks @_noAllocation final func inspect(_ block: Block) {
    guard !hadBadInput.load(ordering: .relaxed) else { return }
    for bus in 0..<block.inputCount {
      let input = block.input(bus: bus)
      for channel in 0..<input.channelCount {
        guard !input[channel].areClean else { continue }
        hadBadInput.store(true, ordering: .relaxed)
        unsafe reportMatter(.badInput, at: reportSlot)
        return
      }
    }
  }

  /// Returns the current value of a meter; 0 if the processor has no such meter. Any thread.
  public final func meter(_ meter: Int) -> Float {
    guard 0..<meterCount ~= meter else { return 0 }
    return unsafe rt_load_float(meterMemory + meter)
  }
}
