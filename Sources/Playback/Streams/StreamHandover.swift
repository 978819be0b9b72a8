// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The target of a source's pending seek.
enum StreamGoal: AtomicRepresentable, BitwiseCopyable {
  /// No seek is pending: reading continues.
  case stay
  /// A frame of the file.
  case frame(Int)
  /// The position in the file that belongs to a timeline frame.
  case timeline(Int)
  /// The frame that is heard next: the frames waiting in the ring are read again.
  case here

  /// Clamps a frame to 0...2^60, the range of a goal.
  static func possible(_ frame: Int64) -> Int { Int(min(max(frame, 0), 1 << 60)) }

  /// Clamps an absolute frame to ±2^60, so that the audio thread's arithmetic cannot overflow.
  static func reachable(_ frame: Int64) -> Int64 { min(max(frame, -1 << 60), 1 << 60) }

  var isStay: Bool { @_noLocks @_noAllocation get { if case .stay = self { true } else { false } } }
  var isHere: Bool { @_noLocks @_noAllocation get { if case .here = self { true } else { false } } }

  typealias AtomicRepresentation = Int.AtomicRepresentation

  @_noLocks @_noAllocation
  static func encodeAtomicRepresentation(_ goal: consuming StreamGoal) -> AtomicRepresentation {
    let word =
      switch goal {
      case .stay: 0
      case .frame(let frame): frame << 2 | 1
      case .timeline(let frame): frame << 2 | 2
      case .here: 3
      }
    return Int.encodeAtomicRepresentation(word)
  }

  @_noLocks @_noAllocation
  static func decodeAtomicRepresentation(_ storage: consuming AtomicRepresentation) -> StreamGoal {
    let word = Int.decodeAtomicRepresentation(storage)
    return switch word & 3 {
    case 0: .stay
    case 1: .frame(word >> 2)
    case 2: .timeline(word >> 2)
    default: .here
    }
  }
}

/// The ownership of the reading side of a source's ring.
///
///     none ── the audio thread plays, no goal is set ──► audio ───── it stops, or has faded out ──► none
///     none ── the prefetch thread begins a seek ───────► prefetch ── the ring holds the target ───► none
///
/// Any thread can set a goal: `seek` always sets it, the other functions only if none is set. While a goal is set,
/// the audio thread fades out, returns the ring and does not take it again. The prefetch thread clears the goal that
/// it has reached; a goal that was set in the meantime stays. Only the prefetch thread sets the end, and it clears
/// the end only while it holds the ring.
struct StreamHandover: ~Copyable {
  private enum Holder: UInt8, AtomicRepresentable { case none, audio, prefetch }

  private let holder = Atomic(Holder.none)
  private let target = Atomic(StreamGoal.stay)
  private let hasEnd = Atomic(false), lastPosition = Atomic(0)

  var goal: StreamGoal { @_noLocks @_noAllocation get { target.load(ordering: .acquiring) } }
  /// The ring position of the stream's end; nil until the prefetch thread has marked it.
  var end: Int? {
    @_noLocks @_noAllocation get {
      hasEnd.load(ordering: .acquiring) ? lastPosition.load(ordering: .relaxed) : nil
    }
  }
  /// Whether the audio thread holds the ring.
  var isRead: Bool { holder.load(ordering: .acquiring) == .audio }

  /// Sets a goal. Any thread.
  func seek(to goal: StreamGoal) { target.store(goal, ordering: .releasing) }

  /// Sets a goal unless one is set. Any thread.
  @_noLocks @_noAllocation func seekIfIdle(to goal: StreamGoal) {
    _ = target.compareExchange(expected: .stay, desired: goal, ordering: .acquiringAndReleasing)
  }

  /// Takes the ring for the audio thread; returns false if the prefetch thread holds or needs it.
  @_noLocks @_noAllocation func takeForAudio() -> Bool {
    guard goal.isStay else { return false }
    return take(for: .audio)
  }

  @_noLocks @_noAllocation private func take(for next: Holder) -> Bool {
    holder.compareExchange(expected: .none, desired: next, ordering: .acquiringAndReleasing).exchanged
  }

  /// Returns the ring. Only its holder may call this.
  @_noLocks @_noAllocation func giveBack() { holder.store(.none, ordering: .releasing) }

  /// Takes the ring for the prefetch thread and returns the goal; returns nil if no goal is set or the ring is held.
  func takeForPrefetch() -> StreamGoal? {
    let goal = goal
    return !goal.isStay && take(for: .prefetch) ? goal : nil
  }

  /// Returns the ring after the prefetch thread has reached a goal. A pending `here` is cleared too, since all frames
  /// were read again.
  func giveBack(at goal: StreamGoal) {
    giveBack()
    for reached in [goal, .here] {
      _ = target.compareExchange(expected: reached, desired: .stay, ordering: .acquiringAndReleasing)
    }
  }

  /// Sets the stream's end, or clears it if more frames follow. Prefetch thread only.
  func mark(end: Int?) {
    if let end { lastPosition.store(end, ordering: .relaxed) }
    hasEnd.store(end != nil, ordering: .releasing)
  }
}
