// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

extension TakeFile {
  /// Checks that the take's name leads to its sound. If another program has removed, renamed or replaced the file, the
  /// sound gets a free name: by a link, or by a copy that is made in portions. Called once a second and at the take's
  /// end.
  ///
  /// - Parameter isLast: whether no more sound arrives, so that a copy is completed at once.
  /// - Throws: ``FileError`` if the sound cannot be kept.
  func keepInPlace(isLast: Bool = false) throws(FileError) {
    let file = writer.sink.file
    if !isShortened, writer.sink.isShortened {
      isShortened = true
      note(loss: "another program shortened its file while it was recorded, and what was cut off is silent")
    }
    if rescue == nil {
      guard !file.isInPlace || !journal.isInPlace || folder.currentPath == nil else { return }
      try beginRescue(of: file)
    }
    guard var rescue else { return }
    do throws(DiskError) {
      let isDone = try rescue.advance(from: file.descriptor, isLast: isLast)
      self.rescue = rescue
      guard isDone else { return }
      try file.replace(by: rescue.copy)
      move(to: rescue.path, in: rescue.folder, rescue.journal, because: TakeFile.lossText)
      self.rescue = nil
    } catch {
      throw .making(path, error)
    }
  }

  static let lossText = "another program removed, renamed or replaced its file while it was recorded"

  /// Links the sound to a free name, or starts to copy it, in the first rescue folder where that succeeds.
  private func beginRescue(of file: NewFile) throws(FileError) {
    var failure: FileError?
    for home in rescueFolders() {
      do throws(FileError) { return try beginRescue(of: file, in: home) } catch {
        failure = failure ?? error
      }
    }
    throw failure
      ?? FileError(
        .unwritable, path,
        "cannot be kept: its folder was removed, and it cannot be written to any other folder")
  }

  /// The folders in which a take may continue, in order: its own folder, created again if it was removed; the nearest
  /// existing outer folder; the user's home; the folder for temporary files.
  private func rescueFolders() -> [OpenFolder] {
    if folder.currentPath != nil { return [folder] }
    var homes: [OpenFolder] = []
    if let root = initialFolders.root {
      if initialFolders.folder.utf8.starts(with: root.utf8) {
        let rest = String(decoding: initialFolders.folder.utf8.dropFirst(root.utf8.count), as: UTF8.self)
        let steps = FilePath.steps(of: rest).joined(separator: "/")
        if let home = try? OpenFolder(beneath: root, steps) { homes.append(home) }
      }
      if let home = try? OpenFolder(root) { homes.append(home) }
    } else if let home = try? OpenFolder(initialFolders.folder, makes: true) {
      homes.append(home)
    }
    var outer = initialFolders.root ?? initialFolders.folder
    while outer.utf8.count > 1 {
      outer = FilePath.folder(of: outer)
      if let home = try? OpenFolder(outer) {
        homes.append(home)
        break
      }
    }
    for path in [NSHomeDirectory(), NSTemporaryDirectory()] {
      if let home = try? OpenFolder(path) { homes.append(home) }
    }
    return homes
  }

  private func beginRescue(of file: NewFile, in home: OpenFolder) throws(FileError) {
    let path = TakeRescue.freePath(beside: home.path(of: FilePath.name(of: self.path)))
    let sound = TakeJournal.soundPath(of: path, format, overwrites: overwrites)
    let journal = try TakeJournal(self.journal, for: path, sound: sound, in: home)
    for gap in gaps { try? journal.note(gap) }
    // If only the journal is gone, the old name of the file is removed, so that the file has one name as before.
    let old = file.isInPlace ? file.folder.map { (folder: $0, name: file.currentName) } : nil
    do throws(DiskError) {
      try file.link(as: FilePath.name(of: sound), in: home)
      if let old { unlinkat(old.folder.descriptor, old.name, 0) }
      move(to: path, in: home, journal, because: TakeFile.lossText)
    } catch {
      do throws(DiskError) {
        rescue = TakeRescue(
          path: path, folder: home, journal: journal, copy: try NewFile(sound, in: home, .named))
      } catch {
        journal.remove()
        throw .making(path, error)
      }
    }
  }
}
