// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// A take in a folder that was not finished: it has a journal, or sound under a name that only recording gives.
///
/// A journal of ours that is damaged counts as lost. A file that has the name of a journal and is none is reported.
struct UnfinishedTake: Equatable {
  /// What is left of it.
  enum Kind: Equatable {
    case journal(String)
    /// The journal is lost; this is the sound.
    case sound(String)
    /// A damaged journal, and no sound: the program was killed as it began.
    case nothing(String)
    /// A file with the name of a journal that is not used and not removed, and why; `take` is its path.
    case refused(String)
    /// Files, or a folder that holds unfinished takes, with a name that is not valid UTF-8: no path leads there.
    case misnamed(isFolder: Bool)
  }

  /// Where the finished take goes; for what is misnamed, its path with the bytes in question escaped.
  let take: String
  let kind: Kind

  private var file: String {
    switch kind {
    case .journal(let path), .sound(let path), .nothing(let path): path
    case .misnamed, .refused: take
    }
  }

  /// Whether there is something to finish.
  var hasSound: Bool {
    switch kind {
    case .nothing, .refused: false
    case .journal, .sound, .misnamed: true
    }
  }

  /// Whether a running program records or recovers it.
  var isHeld: Bool { TakeJournal.isHeld(file) }

  /// Takes the lock of the file that stands for the take.
  ///
  /// - Returns: a descriptor, which holds the lock until it is closed; nil where a running program holds it.
  /// - Throws: ``FileError``, of kind `missing` if the file is gone by now, or another has its name.
  func lock() throws(FileError) -> Int32? {
    // NFS locks for writing only what is open for writing.
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = open(file, O_RDWR | flags)
    if descriptor < 0 && errno != ENOENT { descriptor = open(file, O_RDONLY | flags) }
    guard descriptor >= 0 else { throw .opening(file, errno: errno) }
    var own = stat(), there = stat()
    do throws(DiskError) { try FileLock.take(descriptor, patience: 100) } catch {
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

  /// How deep folders in folders are looked through at most.
  static let deepest = 16

  /// All unfinished takes in a folder and in the folders inside it, by name. Links to folders are not followed.
  ///
  /// - Parameter levels: how many levels of folders inside it are looked through.
  /// - Throws: ``FileError`` where the folder cannot be read.
  static func all(in directory: String, levels: Int = deepest) throws(FileError) -> [UnfinishedTake] {
    var status = stat()
    guard stat(directory, &status) == 0 else { throw .opening(directory, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError(.unreadable, directory, "is no folder; name the folder that the takes are in")
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
        if AudioContainer(path: take) != nil, isLost(take), isOurs(folder + name) {
          found.append(.init(take: take, kind: .sound(folder + name)))
        }
      }
    }
    return found
  }

  /// What the regular file `journal` says of a take.
  private static func journaled(_ journal: String) -> [UnfinishedTake] {
    let take = String(journal.dropLast(TakeJournal.path(of: "").count))
    let state = TakeJournal.state(of: journal)
    if state == .usable { return [.init(take: take, kind: .journal(journal))] }
    guard let container = AudioContainer(path: take) else { return [] }
    if case .refused(let reason) = state { return [.init(take: journal, kind: .refused(reason))] }
    let isDamaged = state == .damaged
    var found: [UnfinishedTake] = []
    if isRegular(take), isOurs(take) || container == .w64 && isDamaged {
      found.append(.init(take: take, kind: .sound(take)))
    }
    guard isDamaged else {
      let reason =
        "is no journal of a take that can be read, and is left as it is; if it is not needed, remove or rename it"
      return found + [.init(take: journal, kind: .refused(reason))]
    }
    let traces = [take] + TakeJournal.soundSuffixes.map { take + $0 }
    // Sound under a name that only recording gives is found by that.
    if !found.isEmpty || traces.dropFirst().contains(where: { isRegular($0) && isOurs($0) }) { return found }
    guard traces.contains(where: isThere) else { return [.init(take: take, kind: .nothing(journal))] }
    let reason =
      "is damaged, and the sound beside it does not name Swiftlet as the program that made it; both are left as they are"
    return [.init(take: journal, kind: .refused(reason))]
  }

  /// The unfinished takes in an open folder among names that are not valid UTF-8.
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
      // The journal and the sound are one take.
      let take = path + FolderListing.escaped(name.dropLast(suffix.utf8.count))
      guard AudioContainer(path: take) != nil, takes.insert(take).inserted else { continue }
      found.append(.init(take: take, kind: .misnamed(isFolder: false)))
    }
    return found
  }

  /// Whether the path has something, be it a link to nothing.
  static func isThere(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// How many bytes a file has; 0 if there is none.
  static func size(of path: String) -> Int {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Whether a file was written after a moment.
  static func isNewer(_ path: String, than date: Date) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
      && Double(facts.st_mtim.tv_sec) >= date.timeIntervalSince1970.rounded(.down)
  }

  /// Refuses what is no regular file: a link may lead to any file of the user's.
  static func requireRegularFile(_ path: String) throws(FileError) {
    guard isThere(path) else { throw .opening(path, errno: ENOENT) }
    guard isRegular(path) else {
      throw FileError(.unreadable, path, "is no regular file: it is left as it is")
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

  /// Removes what is left of a damaged journal of ours, unless a program holds it.
  func removeDamagedJournal() {
    let journal = TakeJournal.path(of: take)
    // Where the journal is all that is left, it is we who hold it.
    if TakeJournal.state(of: journal, isOurs: !hasSound) == .damaged { unlink(journal) }
  }

  /// Whether no journal says what a take is: it is gone, damaged or another program's.
  private static func isLost(_ take: String) -> Bool {
    switch TakeJournal.state(of: TakeJournal.path(of: take)) {
    case nil, .damaged, .foreign: true
    case .usable, .refused: false
    }
  }

  /// Whether a sound file names Swiftlet as the program that made it, in its first bytes.
  static func isOurs(_ path: String) -> Bool {
    RegularFile.head(of: path, count: headSize).map(namesSwiftlet) ?? false
  }

  /// The first bytes of a sound file, where it names the program that made it.
  private static let headSize = 8192

  private static func namesSwiftlet(_ head: [UInt8]) -> Bool {
    head.firstRange(of: Array(TakeOrigin.originator.utf8)) != nil
  }
}
