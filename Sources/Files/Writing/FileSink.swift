// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation
internal import SwiftletDisk

/// The bytes of a file that is written, with the first error of the kernel: libsndfile keeps none.
final class FileSink {
  /// What the file is called in errors: where people will look for it.
  let path: String
  let file: NewFile
  var descriptor: Int32 { file.descriptor }
  /// The first error that writing met; 0 while there was none.
  private(set) var failure: Int32 = 0
  /// How long the file has been after the longest write.
  private var longest: off_t = 0
  /// Whether the file was shorter than that when more was written: the next write makes it as long again.
  private var wasShortened = false
  /// Called before bytes are written; a test stalls the disk here.
  var beforeWrite: (() -> Void)?
  /// How large the file may grow before the disk is full; a test sets it.
  var room = Int.max
  /// Whether silence is left out, as a hole; a test writes more than its disk holds.
  var leavesHoles = false

  /// Makes a new file.
  ///
  /// - Parameter folder: the open folder of the file; nil for the one that `path` names, which must be there.
  /// - Throws: ``FileError``.
  init(_ path: String, in folder: OpenFolder? = nil, _ way: NewFile.Way) throws(FileError) {
    do throws(DiskError) {
      self.path = path
      file = try NewFile(path, in: folder, way)
    } catch {
      throw .making(path, error)
    }
  }

  /// Writes to a file that was made before.
  init(path: String, file: NewFile) { (self.path, self.file) = (path, file) }

  /// Where the file is now.
  var currentPath: String { file.currentPath }

  /// The error as one that names the file.
  var error: FileError? { failure == 0 ? nil : .writing(path, errno: failure) }

  func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    beforeWrite?()
    wasShortened = isShortened
    var done = 0
    if leavesHoles, count > 1, bytes.load(as: UInt8.self) == 0, memcmp(bytes, bytes + 1, count - 1) == 0 {
      lseek(descriptor, off_t(count), SEEK_CUR)
      return count
    }
    while done < count {
      // As a disk does: what fits is written, and the next byte is one too many.
      let left = room < .max ? max(0, room - Int(lseek(descriptor, 0, SEEK_CUR))) : .max
      if left == 0 { errno = ENOSPC }
      let written = left == 0 ? -1 : Foundation.write(descriptor, bytes + done, min(count - done, left))
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else {
        if failure == 0 { failure = written < 0 ? errno : EIO }
        return done
      }
      done += written
      longest = max(longest, lseek(descriptor, 0, SEEK_CUR))
    }
    return done
  }

  /// Whether the file is shorter than it has been: another program cut it.
  var isShortened: Bool {
    if wasShortened { return true }
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_size < longest
  }

  /// Takes back all that was written.
  func empty() {
    ftruncate(descriptor, 0)
    longest = 0
  }

  /// Sees that everything is on the disk, not only in the kernel.
  func flush() {
    if fsync(descriptor) != 0 && errno != EINVAL && failure == 0 { failure = errno }
  }

  /// libsndfile's way to a file that it does not open itself. The pointer it is handed is this sink.
  static var callbacks: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sink in
        var status = stat()
        return fstat(FileSink.at(sink).descriptor, &status) == 0 ? sf_count_t(status.st_size) : -1
      },
      seek: { offset, whence, sink in sf_count_t(lseek(FileSink.at(sink).descriptor, off_t(offset), whence))
      },
      read: { bytes, count, sink in
        sf_count_t(Foundation.read(FileSink.at(sink).descriptor, bytes, Int(count)))
      },
      write: { bytes, count, sink in bytes.map { sf_count_t(FileSink.at(sink).write($0, Int(count))) } ?? 0 },
      tell: { sink in sf_count_t(lseek(FileSink.at(sink).descriptor, 0, SEEK_CUR)) })
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> FileSink {
    // libsndfile hands back what the writer gave it, and the writer keeps that alive.
    Unmanaged<FileSink>.fromOpaque(unsafeBitCast(pointer, to: UnsafeRawPointer.self)).takeUnretainedValue()
  }
}
