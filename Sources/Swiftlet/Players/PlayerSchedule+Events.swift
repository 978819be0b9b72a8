// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletPlayback
internal import Synchronization

extension PlayerSchedule {
  func takePlayerEvents(position: Int64, now: Int64, late: Int64?, waits: Bool) -> [PendingEvent] {
    if waits { return state.withLock { takePlayerEvents(&$0, position, now, late) } }
    return state.withLockIfAvailable { takePlayerEvents(&$0, position, now, late) } ?? []
  }

  func hasUnheard(waits: Bool) -> Bool {
    func check(_ state: inout State) -> Bool {
      collectNotes(&state)
      return !state.unheard.isEmpty
    }
    return waits ? state.withLock { check(&$0) } : state.withLockIfAvailable { check(&$0) } ?? false
  }

  private func takePlayerEvents(_ state: inout State, _ position: Int64, _ now: Int64, _ late: Int64?)
    -> [PendingEvent]
  {
    for (number, item) in state.items { state.pending.addLosses(number, item, at: position) }
    for (number, item) in state.items where !item.isConsumed {
      guard let clip = item.clip, source.source(of: clip)?.isMarked == true else { continue }
      state.items[number]?.isConsumed = true
      state.pending.add(.consumed, number, item, at: position)
    }
    var due = state.pending.take(at: position)
    guard let late else { return due }
    for waiting in state.unheard where waiting.frame + late <= now {
      due.append((waiting.pending.event.moved(to: waiting.frame + late), waiting.pending.onEvent))
    }
    state.unheard.removeAll { $0.frame + late <= now }
    return due
  }

  /// Processes the notes that the audio thread has written.
  func collectNotes(_ state: inout State) {
    for (note, source) in source.collect() {
      let item = state.items[note.item]
      switch note.kind {
      case .began:
        guard let item, !item.hasBegun else { continue }
        state.items[note.item]?.hasBegun = true
        state.pending.add(.began, note.item, item, at: note.frame)
        if item.entrance.cutsIn { endItems(note.item, at: note.frame, &state) }
      case .repeated(let times):
        guard let item else { continue }
        if note.clip == item.clip {
          reportLoops(times, note.item, item, at: note.frame, &state)
        } else {
          state.pending.add(.looped(times), note.item, item, at: note.frame)
        }
      case .ended(let end):
        state.clips[note.clip] = nil
        // A clip that was replaced by another part of the same item does not end the item.
        guard let item, item.clip == note.clip else { continue }
        let failure = source.flatMap { prefetchThread.failure(of: $0) }
        let ending: PlayerEvent.Ending =
          switch end {
          case .finished: failure.map { .failed($0) } ?? .finished
          // The replacement arrived after the clip had ended.
          case .replaced: .finished
          case .interrupted: .interrupted
          case .stopped: .stopped
          }
        self.end(note.item, ending, at: note.frame, &state)
      }
    }
  }

  /// Reports the loop passes since the last report. One block may contain several passes, and the audio thread keeps
  /// a limited number of notes between calls, so missing passes are computed.
  private func reportLoops(_ times: Int, _ number: Int, _ item: Item, at frame: Int64, _ state: inout State) {
    let first = max(item.repetitions + 1, times - Self.mostReportedLoops + 1)
    state.items[number]?.repetitions = times
    let length = Double(item.layout.repetitionLength) / state.stretch.advance
    for pass in first..<max(times, first) {
      state.pending.add(
        .looped(pass), number, item, at: frame - Int64((Double(times - pass) * length).rounded()))
    }
    state.pending.add(.looped(times), number, item, at: frame)
  }

  /// Ends the items before an item that has cut in, if they have not been handed over.
  private func endItems(_ begun: Int, at frame: Int64, _ state: inout State) {
    for number in state.items.keys.sorted() where number < begun && state.items[number]?.clip == nil {
      end(number, .interrupted, at: frame, &state)
    }
  }
}
