// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph

/// The edits that were committed since the oldest of the graph copies that are being edited was taken. Empty while
/// there are no copies.
struct EditLog {
  /// The number of edits before the first one in `edits`.
  private var first = 0
  private var edits: [GraphTouches] = []
  /// The number of copies being edited, by revision.
  private var copies: [Int: Int] = [:]

  /// Whether no copy is being edited.
  var isEmpty: Bool { copies.isEmpty && edits.isEmpty }

  /// Records that a copy is taken.
  ///
  /// - Returns: the copy's revision.
  mutating func open() -> Int {
    let revision = first + edits.count
    copies[revision, default: 0] += 1
    return revision
  }

  /// Records that a copy is no longer edited.
  mutating func close(_ revision: Int) {
    copies[revision, default: 1] -= 1
    if copies[revision] == 0 { copies[revision] = nil }
    let oldest = copies.keys.min() ?? first + edits.count
    edits.removeFirst(oldest - first)
    first = oldest
  }

  /// Records a committed edit.
  mutating func note(_ delta: GraphDelta) {
    if !copies.isEmpty { edits.append(GraphTouches(delta)) }
  }

  /// Returns a part of the graph that an edit has touched since a copy was taken, so that the copy's edit conflicts;
  /// nil if there is none.
  func conflict(of delta: GraphDelta, since revision: Int) -> GraphTouches.Part? {
    let missed = edits[(revision - first)...]
    guard !missed.isEmpty else { return nil }
    let touches = GraphTouches(delta)
    for edit in missed {
      if let part = touches.conflict(with: edit) { return part }
    }
    return nil
  }
}
