// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// Files that are removed if the program ends by a crash before they have their names: see ``NewFile/removeOnCrash()``.
///
/// The crashed thread may hold any lock, the allocator's included. So the rows are fixed, and whoever changes a row has
/// moved its state.
package enum UnfinishedFiles {
  private enum State {
    static let free = 0, taken = 1, listed = 2, removing = 3
  }

  /// How many files there may be at once; further ones are left behind by a crash.
  private static let most = 256
  /// The bytes of a name in its private folder, with its end.
  private static let nameSize = 512

  private struct Table: @unchecked Sendable {
    let states = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: most)
    let folders = UnsafeMutablePointer<Int32>.allocate(capacity: most)
    /// For each row the file's name, and that of its private folder, which may be empty.
    let names = UnsafeMutablePointer<CChar>.allocate(capacity: most * 2 * nameSize)

    init() {
      for row in 0..<most { (states + row).initialize(to: Atomic(State.free)) }
      folders.initialize(repeating: -1, count: most)
      names.initialize(repeating: 0, count: most * 2 * nameSize)
    }

    func name(_ row: Int, _ place: Int) -> UnsafeMutablePointer<CChar> {
      names + (row * 2 + place) * nameSize
    }

    func move(_ row: Int, from old: Int, to new: Int) -> Bool {
      states[row].compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
  }

  private static let table = Table()
  private static let isUsed = Atomic<Bool>(false)

  /// Adds a file of an open folder.
  ///
  /// - Parameter privateFolder: the name of the folder for this file alone; nil if there is none.
  /// - Returns: its row; nil if there is none left.
  static func add(_ name: String, _ privateFolder: String?, in folder: Int32) -> Int? {
    guard name.utf8.count < nameSize, (privateFolder ?? "").utf8.count < nameSize else { return nil }
    guard let row = (0..<most).first(where: { table.move($0, from: State.free, to: State.taken) }) else {
      return nil
    }
    for (place, text) in [name, privateFolder ?? ""].enumerated() {
      text.withCString { _ = strcpy(table.name(row, place), $0) }
    }
    table.folders[row] = folder
    table.states[row].store(State.listed, ordering: .releasing)
    isUsed.store(true, ordering: .releasing)
    return row
  }

  /// Forgets a file, which has its name or is gone.
  static func forget(_ row: Int) { _ = table.move(row, from: State.listed, to: State.free) }

  /// Removes all files, when the program is about to end. It needs no memory and no lock.
  package static func removeAll() {
    guard isUsed.load(ordering: .acquiring) else { return }
    for row in 0..<most where table.move(row, from: State.listed, to: State.removing) {
      unlinkat(table.folders[row], table.name(row, 0), 0)
      let folder = table.name(row, 1)
      if folder.pointee != 0 { unlinkat(table.folders[row], folder, AT_REMOVEDIR) }
    }
  }
}
