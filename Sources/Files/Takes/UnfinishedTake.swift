// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// An unfinished take in a folder: it has a journal, or sound under a name that only a recording uses.
///
/// A damaged journal of Swiftlet's counts as lost. A file with the name of a journal that is not a journal is reported.
struct UnfinishedTake: Equatable {
  /// The remains of the take.
  enum Kind: Equatable {
    case journal(String)
    /// The journal is lost; the path of the sound.
    case sound(String)
    /// A damaged journal without sound: the program was killed as the take began.
    case nothing(String)
    /// A file with the name of a journal that is neither used nor removed, and the reason; `take` is its path.
    case refused(String)
    /// Files, or a folder with unfinished takes, whose name is not valid UTF-8, so that no `String` path leads there.
    case misnamed(isFolder: Bool)
  }

  /// The path of the finished take. For `misnamed`, the path with invalid bytes escaped.
  let take: String
  let kind: Kind

  private var file: String {
    switch kind {
    case .journal(let path), .sound(let path), .nothing(let path): path
    case .misnamed, .refused: take
    }
  }

  /// Whether there may be sound to recover.
  var hasSound: Bool {
    switch kind {
    case .nothing, .refused: false
    case .journal, .sound, .misnamed: true
    }
  }

  /// Whether a running program is recording or recovering the take.
  var isHeld: Bool { TakeJournal.isHeld(file) }

  /// Locks the file that represents the take.
  ///
  /// - Returns: a descriptor, which holds the lock until it is closed; nil if a running program holds the lock.
  /// - Throws: ``FileError``; of kind `missing` if the file is gone or another file has its name.
  func lock() throws(FileError) -> Int32? {
    // NFS grants write locks only on descriptors that are open for writing.
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = open(file, O_RDWR | flags)
    if descriptor < 0 && errno != ENOENT { descriptor = open(file, O_RDONLY | flags) }
    guard descriptor >= 0 else { throw .opening(file, errno: errno) }
    var own = stat(), there = stat()
    do throws(DiskError) { try FileLock.take(descriptor, retries: 100) } catch {
      close(descriptor)
      if error == .system(EWOULDBLOCK) { return nil }
      throw .making(file, error)
    }
    guard fstat(descriptor, &own) == 0, lstat(file, &there) == 0, own.st_ino == there.st_ino,
      own.st_dev == there.st_dev
    else {
      FileLock.close(descriptor)
      throw .opening(file, errno: ENOENT)
    }
    return descriptor
  }

  /// The maximum depth of folders that are searched.
  static let deepest = 16

  /// Returns all unfinished takes in a folder and in the folders inside it, sorted by name. Does not follow links to
  /// folders.
  ///
  /// - Parameter levels: the number of levels of inner folders to search.
  /// - Throws: ``FileError`` if the folder cannot be read.
  static func all(in directory: String, levels: Int = deepest) throws(FileError) -> [UnfinishedTake] {
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .opening(directory, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(.unreadable, directory, "is not a folder; name the folder that contains the takes")
    }
    let opened: OpenFolder, entries: [[UInt8]]
    do throws(DiskError) {
      opened = try OpenFolder(directory)
      entries = try FolderListing.names(in: opened)
    } catch {
      throw .opening(directory, errno: error.number)
    }
    let names = entries.compactMap { FolderListing.text($0) }.sorted()
    let folder = directory.hasSuffix("/") ? directory : directory + "/"
    var found: [UnfinishedTake] = []
    for name in names where levels > 0 && isFolder(folder + name) && !TemporaryName.matches(name) {
      found += (try? all(in: folder + name, levels: levels - 1)) ?? []
    }
    let others = entries.filter { FolderListing.text($0) == nil }
    found += misnamed(others, in: opened, path: folder, levels: levels).sorted { $0.take < $1.take }
    for name in names where isRegular(folder + name) {
      if name.hasSuffix(TakeJournal.path(of: "")) { found += journaled(folder + name) }
      for suffix in TakeJournal.soundSuffixes where name.hasSuffix(suffix) {
        let take = folder + name.dropLast(suffix.count)
        if AudioContainer(path: take) != nil, isLost(take), isFromSwiftlet(folder + name) {
          found.append(.init(take: take, kind: .sound(folder + name)))
        }
      }
    }
    return found
  }

  /// Returns the unfinished takes that belong to the regular file `journal`.
  private static func journaled(_ journal: String) -> [UnfinishedTake] {
    let take = String(journal.dropLast(TakeJournal.path(of: "").count))
    let state = TakeJournal.state(of: journal)
    if state == .usable { return [.init(take: take, kind: .journal(journal))] }
    guard let container = AudioContainer(path: take) else { return [] }
    if case .refused(let reason) = state { return [.init(take: journal, kind: .refused(reason))] }
    let isDamaged = state == .damaged
    var found: [UnfinishedTake] = []
    if isRegular(take), isFromSwiftlet(take) || container == .w64 && isDamaged {
      found.append(.init(take: take, kind: .sound(take)))
    }
    guard isDamaged else {
      let reason =
        "is not a readable take journal, and is left unchanged; if it is not needed, remove or rename it"
      return found + [.init(take: journal, kind: .refused(reason))]
    }
    let traces = [take] + TakeJournal.soundSuffixes.map { take + $0 }
    // The caller finds sound under a name that only a recording uses by that name.
    if !found.isEmpty || traces.dropFirst().contains(where: { isRegular($0) && isFromSwiftlet($0) }) {
      return found
    }
    guard traces.contains(where: isThere) else { return [.init(take: take, kind: .nothing(journal))] }
    let reason =
      "is damaged, and the sound beside it does not name Swiftlet as the program that made it; both are left as they are"
    return [.init(take: journal, kind: .refused(reason))]
  }

  /// Returns the unfinished takes in an open folder among names that are not valid UTF-8.
  private static func misnamed(
    _ names: [[UInt8]], in folder: OpenFolder, path: String, levels: Int
  ) -> [UnfinishedTake] {
    var takes: Set<String> = []
    var found: [UnfinishedTake] = []
    for name in names {
      if let inner = try? OpenFolder(name, in: folder) {
        let held = levels > 0 ? (try? all(in: inner.path, levels: levels - 1)) ?? [] : []
        if held.contains(where: { $0.hasSound && !$0.isHeld }) {
          let escaped = path + FolderListing.escaped(name)
          found.append(.init(take: escaped, kind: .misnamed(isFolder: true)))
        }
        continue
      }
      let suffixes = [TakeJournal.path(of: "")] + TakeJournal.soundSuffixes
      guard let suffix = suffixes.first(where: { name.suffix($0.utf8.count).elementsEqual($0.utf8) }),
        let head = RegularFile.head(of: name, in: folder, count: headSize),
        suffix == suffixes[0] ? TakeJournal.begins(with: head) : namesSwiftlet(head)
      else { continue }
      // The journal and the sound count as one take.
      let take = path + FolderListing.escaped(name.dropLast(suffix.utf8.count))
      guard AudioContainer(path: take) != nil, takes.insert(take).inserted else { continue }
      found.append(.init(take: take, kind: .misnamed(isFolder: false)))
    }
    return found
  }

  /// Whether the path exists, including a dangling symbolic link.
  static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Returns the size of a file in bytes; 0 if it does not exist.
  static func size(of path: String) -> Int {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Whether a file was modified after a date.
  static func isNewer(_ path: String, than date: Date) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
      && Double(facts.st_mtim.tv_sec) >= date.timeIntervalSince1970.rounded(.down)
  }

  /// Throws unless the path is a regular file: a link could lead to any of the user's files.
  static func requireRegularFile(_ path: String) throws(FileError) {
    guard isThere(path) else { throw .opening(path, errno: ENOENT) }
    guard isRegular(path) else {
      throw FileError(.unreadable, path, "is not a regular file and is left unchanged")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  private static func isRegular(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Removes the take's journal if it is damaged and Swiftlet's, unless a program holds it.
  func removeDamagedJournal() {
    let journal = TakeJournal.path(of: take)
    // If the journal is all that remains, this thread holds its lock.
    if TakeJournal.state(of: journal, holdsLock: !hasSound) == .damaged { unlink(journal) }
  }

  /// Whether no journal describes the take: the journal is missing, damaged or another program's.
  private static func isLost(_ take: String) -> Bool {
    switch TakeJournal.state(of: TakeJournal.path(of: take)) {
    case nil, .damaged, .otherProgram: true
    case .usable, .refused: false
    }
  }

  /// Whether the first bytes of a sound file name Swiftlet as its originator.
  static func isFromSwiftlet(_ path: String) -> Bool {
    RegularFile.head(of: path, count: headSize).map(namesSwiftlet) ?? false
  }

  /// The number of bytes in which a sound file names its originator.
  private static let headSize = 8192

  private static func namesSwiftlet(_ head: [UInt8]) -> Bool {
    head.firstRange(of: Array(TakeOrigin.originator.utf8)) != nil
  }
}
