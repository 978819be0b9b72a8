// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
public import SwiftletSignal
public import Synchronization

/// What works on sound in a plan: the one dynamic seam on the audio thread.
///
/// A processor is made and destroyed on the control thread and called on the audio thread in between. It
/// outlives the plans that call it, so an edit of the graph keeps its tails and states.
///
/// A subclass overrides ``process(_:)``, ``set(_:to:over:)`` and ``reset()``. These run on
/// the audio thread behind a waiver that the compiler does not see through: they do not
/// allocate, lock, wait, retain or release.
// @unchecked: a subclass's state is touched by one thread at a time: the control thread until the first plan
// that holds it is published and after the last such plan is collected, the audio thread in between. What
// both sides touch meanwhile is atomic.
@safe open class Processor: @unchecked Sendable {
  /// Where a processor's blocks may be cut, so that a parameter changes on time.
  public enum Cut: Int, Sendable {
    /// At any frame.
    case anywhere = 1
    /// At multiples of 16 frames of the stream: LV2 plugins misbehave in odd slices.
    case grid = 16
    /// Never: changes wait for the block's start.
    case never = 0
  }

  /// How many frames the output lies behind the input. Stored by the audio thread, read by the compiler.
  public let latency: Atomic<Int>
  /// For how many frames sound goes on after the input fell silent.
  public let tail: Atomic<Int>
  /// Whether samples came that are no sound.
  private let hadBadInput = Atomic<Bool>(false)
  /// Where blocks may be cut.
  public let cut: Cut
  /// Whether output channel n may share the memory of input channel n.
  public let worksInPlace: Bool
  /// How many values the processor shows.
  public var meterCount: Int { Int(meters) }
  private let meters: Int32
  /// The values it shows, written by the audio thread through `Block.show`.
  let meterMemory: UnsafeMutablePointer<Float>
  /// Whether the processor itself lets sound pass it by: then no fader does.
  package let bypassesItself: Bool
  private let bypassRequest = Atomic<Bool>(false)
  /// How the processor tells its host that there is something to report.
  package let reporter: Reporter
  /// Where the audio thread reports.
  private let reportPlace: UnsafeMutablePointer<Reporter.Place>

  /// Makes the part that all processors share.
  ///
  /// - Parameter reporter: how the processor reports; it may have reported before.
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
    unsafe reportPlace = unsafe reporter.place
  }

  deinit { unsafe meterMemory.deallocate() }

  /// Memory that `process` or the shortcut touches first, besides the processor itself and the shortcut's context. The
  /// audio thread prefetches it. Control thread.
  open var warmPlaces: (UnsafeRawPointer?, UnsafeRawPointer?) { (nil, nil) }

  /// What may be called instead of `process` while the processor allows it; none
  /// unless overridden. Control thread.
  open var shortcut: Shortcut? { nil }

  /// Has a processor that bypasses itself do so, or no longer, from its next block on. Any thread.
  package final func bypass(_ isBypassed: Bool) { bypassRequest.store(isBypassed, ordering: .relaxed) }

  /// Whether a processor that bypasses itself is to do so. Audio thread.
  package final var isToBypass: Bool {
    @_noLocks @_noAllocation get { bypassRequest.load(ordering: .relaxed) }
  }

  /// Works on a block: reads the inputs, fills every channel of every output. Audio thread.
  open func process(_ block: Block) {}

  /// Moves a parameter by number, over `frames` frames; 0 is at once. Audio thread, between blocks.
  open func set(_ parameter: Int, to value: Float, over frames: Int) {}

  /// Forgets all sound. Audio thread, between blocks.
  open func reset() {}

  /// Tells the control thread how late the output is and how long it rings. Audio thread.
  @_noLocks @_noAllocation final func publish(latency late: Int, tail rings: Int) {
    publish(latency: late)
    tail.store(rings, ordering: .relaxed)
  }

  /// Tells the control thread how late the output is. Audio thread.
  @_noLocks @_noAllocation package final func publish(latency late: Int) {
    guard latency.load(ordering: .relaxed) != late else { return }
    latency.store(late, ordering: .relaxed)
    unsafe reportMatter(.latency, at: reportPlace)
  }

  /// Notes samples that the processor will take for silence, until some are found. Before it works: it may
  /// share its input's memory. Audio thread.
  @_noLocks @_noAllocation final func inspect(_ block: Block) {
    guard !hadBadInput.load(ordering: .relaxed) else { return }
    for bus in 0..<block.inputCount {
      let input = block.input(bus: bus)
      for channel in 0..<input.channelCount {
        guard !input[channel].areClean else { continue }
        hadBadInput.store(true, ordering: .relaxed)
        unsafe reportMatter(.badInput, at: reportPlace)
        return
      }
    }
  }

  /// The value that the processor shows on `meter` now; 0 for a meter it does not have. Any thread.
  public final func meter(_ meter: Int) -> Float {
    guard 0..<meterCount ~= meter else { return 0 }
    return unsafe rt_load_float(meterMemory + meter)
  }
}
