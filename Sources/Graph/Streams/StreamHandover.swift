// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// Where the filler of a source is to go.
enum StreamGoal: AtomicRepresentable, BitwiseCopyable {
  /// Nowhere: it reads on.
  case stay
  /// A frame of the file.
  case frame(Int)
  /// The place in the file that belongs to a frame of the song.
  case song(Int)
  /// The frame that is heard next: what waits in the ring is read anew.
  case here

  /// A frame that can be gone to.
  static func possible(_ frame: Int64) -> Int { Int(min(max(frame, 0), 1 << 60)) }

  /// An absolute frame that the audio thread can calculate with.
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
      case .song(let frame): frame << 2 | 2
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
    case 2: .song(word >> 2)
    default: .here
    }
  }
}

/// Who may use the reading side of a source's ring, and what for.
///
///     nobody ── the audio thread plays, with no goal set ──► audio ── it stops, or has faded out ──► nobody
///     nobody ── the filler goes to a goal ─────────────────► filler ── the ring holds the goal ────► nobody
///
/// A goal is set by any thread: `seek` sets it always, the others only where none is set. While one is set the audio
/// thread fades out, gives the ring back and does not take it again. The filler clears the goal that it has reached; one
/// that was set meanwhile stays. The end belongs to the filler, who clears it only while it has the ring.
struct StreamHandover: ~Copyable {
  private enum Holder: UInt8, AtomicRepresentable { case nobody, audio, filler }

  private let holder = Atomic(Holder.nobody)
  private let target = Atomic(StreamGoal.stay)
  private let hasEnd = Atomic(false), lastPosition = Atomic(0)

  var goal: StreamGoal { @_noLocks @_noAllocation get { target.load(ordering: .acquiring) } }
  /// The position in the ring where the stream ends, once the filler has said so.
  var end: Int? {
    @_noLocks @_noAllocation get {
      hasEnd.load(ordering: .acquiring) ? lastPosition.load(ordering: .relaxed) : nil
    }
  }
  /// Whether the audio thread has the ring.
  var isRead: Bool { holder.load(ordering: .acquiring) == .audio }

  /// Sets a goal. Any thread.
  func seek(to goal: StreamGoal) { target.store(goal, ordering: .releasing) }

  /// Sets a goal where there is none. Any thread.
  @_noLocks @_noAllocation func seekUnlessSought(to goal: StreamGoal) {
    _ = target.compareExchange(expected: .stay, desired: goal, ordering: .acquiringAndReleasing)
  }

  /// Takes the ring for the audio thread; false while the filler has it, or wants it.
  @_noLocks @_noAllocation func takeForAudio() -> Bool {
    guard goal.isStay else { return false }
    return take(for: .audio)
  }

  @_noLocks @_noAllocation private func take(for next: Holder) -> Bool {
    holder.compareExchange(expected: .nobody, desired: next, ordering: .acquiringAndReleasing).exchanged
  }

  /// Gives the ring back. Its holder only.
  @_noLocks @_noAllocation func giveBack() { holder.store(.nobody, ordering: .releasing) }

  /// Takes the ring for the filler, and tells where it is to go; nil where there is no goal, or somebody has the ring.
  func takeForFiller() -> StreamGoal? {
    let goal = goal
    return !goal.isStay && take(for: .filler) ? goal : nil
  }

  /// Gives the ring back where the filler has gone to a goal. With it all is read anew.
  func giveBack(at goal: StreamGoal) {
    giveBack()
    for reached in [goal, .here] {
      _ = target.compareExchange(expected: reached, desired: .stay, ordering: .acquiringAndReleasing)
    }
  }

  /// Says where the stream ends, or that more follows. The filler.
  func mark(end: Int?) {
    if let end { lastPosition.store(end, ordering: .relaxed) }
    hasEnd.store(end != nil, ordering: .releasing)
  }
}
