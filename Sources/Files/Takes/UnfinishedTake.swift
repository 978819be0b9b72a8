// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// A take in a folder that was not finished: it has a journal, or sound under a name that only recording gives.
///
/// A journal that cannot be read counts as lost.
struct UnfinishedTake: Equatable {
  /// What is left of it.
  enum Kind: Equatable {
    case journal(String)
    /// The journal is lost; this is the sound.
    case sound(String)
    /// A journal that cannot be read, and no sound: the program was killed as it began.
    case nothing(String)
    /// Files, or a folder that holds unfinished takes, with a name that is not valid UTF-8: no path leads there.
    case misnamed(isFolder: Bool)
  }

  /// Where the finished take goes; for what is misnamed, its path with the bytes in question escaped.
  let take: String
  let kind: Kind

  private var file: String {
    switch kind {
    case .journal(let path), .sound(let path), .nothing(let path): path
    case .misnamed: take
    }
  }

  /// Whether there is something to finish.
  var hasSound: Bool { if case .nothing = kind { false } else { true } }

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
      if name.hasSuffix(".journal") {
        let take = folder + name.dropLast(".journal".count)
        if hasJournal(take) {
          found.append(.init(take: take, kind: .journal(folder + name)))
        } else if let container = AudioContainer(path: take), isRegular(take),
          isOurs(take) || container == .w64 && isDamagedJournal(folder + name)
        {
          found.append(.init(take: take, kind: .sound(take)))
        } else if AudioContainer(path: take) != nil, TakeJournal.remains(of: take) == nil {
          found.append(.init(take: take, kind: .nothing(folder + name)))
        }
      }
      for suffix in TakeJournal.soundSuffixes where name.hasSuffix(suffix) {
        let take = folder + name.dropLast(suffix.count)
        if AudioContainer(path: take) != nil, !hasJournal(take), isOurs(folder + name) {
          found.append(.init(take: take, kind: .sound(folder + name)))
        }
      }
    }
    return found
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
        suffix == suffixes[0] ? beginsJournal(head) : namesSwiftlet(head)
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

  /// Removes a journal that cannot be read and that no program holds, if it looks like one of ours.
  func removeDamagedJournal() {
    let journal = TakeJournal.path(of: take)
    guard Self.isRegular(journal), (try? TakeJournal.read(journal)) == nil else { return }
    // Where the journal is all that is left, it is we who hold it.
    if hasSound, TakeJournal.isHeld(journal) { return }
    if Self.isDamagedJournal(journal) { unlink(journal) }
  }

  /// Whether a file that is no journal was one: it has the beginning of one, or what a power cut leaves of it, which is
  /// nothing, or zeros.
  private static func isDamagedJournal(_ path: String) -> Bool {
    guard let head = RegularFile.head(of: path, count: 4096) else { return false }
    return beginsJournal(head) || head.allSatisfy { $0 == 0 }
  }

  private static func beginsJournal(_ head: [UInt8]) -> Bool { head.prefix(2).elementsEqual("{\"".utf8) }

  /// Whether a take has a journal that can be read.
  private static func hasJournal(_ take: String) -> Bool {
    let journal = TakeJournal.path(of: take)
    return isRegular(journal) && (TakeJournal.isHeld(journal) || (try? TakeJournal.read(journal)) != nil)
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
