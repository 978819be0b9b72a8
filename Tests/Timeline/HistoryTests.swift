// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Testing

struct HistoryTests {
  @Test func `undo and redo step through the edits`() {
    var history = History(0)
    #expect(!history.undo() && !history.redo() && history.undoTitle == nil)
    for value in 1...3 { history.edit("to \(value)") { $0 = value } }
    #expect(history.value == 3 && history.undoCount == 3 && history.undoTitle == "to 3")
    #expect(history.undo() && history.undo() && history.value == 1 && history.redoTitle == "to 2")
    #expect(
      history.redo() && history.value == 2 && history.undoTitle == "to 2" && history.redoTitle == "to 3")
    history.edit { $0 = 9 }
    #expect(!history.redo() && history.redoCount == 0 && history.undo() && history.value == 2)
  }

  @Test func `a refused edit leaves the value and the undo stack unchanged`() throws {
    var history = History(Composition())
    try history.edit("Add") { (composition: inout Composition) throws(CompositionError) in
      try composition.add("music")
    }
    #expect(throws: CompositionError.duplicateTrack("music")) {
      try history.edit("Add two") { (composition: inout Composition) throws(CompositionError) in
        try composition.add("voice")
        try composition.add("music")
      }
    }
    #expect(history.value.tracks.map(\.id) == ["music"] && history.undoCount == 1)
  }

  @Test func `the history keeps at most limit edits`() {
    var history = History(0, limit: 5)
    for value in 1...100 { history.edit { $0 = value } }
    while history.undo() {}
    #expect(history.value == 95 && history.redoCount == 5)
    #expect(History(0, limit: -3).limit == 1)
  }
}
