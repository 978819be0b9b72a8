// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Synchronization

/// Files that are removed if the program crashes before they have their names: see ``NewFile/removeOnCrash()``.
///
/// The crashed thread may hold any lock, including the allocator's. So the table is preallocated and has no lock: a
/// thread first claims a row by a compare-and-exchange of the row's state, then uses it.
package enum UnfinishedFiles {
  private enum State {
    static let free = 0, taken = 1, listed = 2, removing = 3
  }

  /// The maximum number of files at once. A crash leaves any further ones behind.
  private static let most = 256
  /// The size of a name in its private folder in bytes, including the terminating null.
  private static let nameSize = 512

  private struct Table: @unchecked Sendable {
    let states = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: most)
    let folders = UnsafeMutablePointer<Int32>.allocate(capacity: most)
    /// For each row the file's name and its private folder's name, which may be empty.
    let names = UnsafeMutablePointer<CChar>.allocate(capacity: most * 2 * nameSize)

    init() {
      for row in 0..<most { (states + row).initialize(to: Atomic(State.free)) }
      folders.initialize(repeating: -1, count: most)
      names.initialize(repeating: 0, count: most * 2 * nameSize)
    }

    func name(_ row: Int, _ column: Int) -> UnsafeMutablePointer<CChar> {
      names + (row * 2 + column) * nameSize
    }

    func move(_ row: Int, from old: Int, to new: Int) -> Bool {
      states[row].compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
  }

  private static let table = Table()
  private static let isUsed = Atomic<Bool>(false)

  /// Adds a file of an open folder.
  ///
  /// - Parameter privateFolder: The name of the folder that contains only this file; nil if there is none.
  /// - Returns: The file's row; nil if no row is free.
  static func add(_ name: String, _ privateFolder: String?, in folder: Int32) -> Int? {
    guard name.utf8.count < nameSize, (privateFolder ?? "").utf8.count < nameSize else { return nil }
    guard let row = (0..<most).first(where: { table.move($0, from: State.free, to: State.taken) }) else {
      return nil
    }
    for (column, text) in [name, privateFolder ?? ""].enumerated() {
      text.withCString { _ = strcpy(table.name(row, column), $0) }
    }
    table.folders[row] = folder
    table.states[row].store(State.listed, ordering: .releasing)
    isUsed.store(true, ordering: .releasing)
    return row
  }

  /// Removes a file from the table, because it has its name or is gone.
  static func unlist(_ row: Int) { _ = table.move(row, from: State.listed, to: State.free) }

  /// Removes all files in the table from the disk, before the program ends. Needs no memory and takes no lock.
  package static func removeAll() {
    guard isUsed.load(ordering: .acquiring) else { return }
    for row in 0..<most where table.move(row, from: State.listed, to: State.removing) {
      unlinkat(table.folders[row], table.name(row, 0), 0)
      let folder = table.name(row, 1)
      if folder.pointee != 0 { unlinkat(table.folders[row], folder, AT_REMOVEDIR) }
    }
  }
}
