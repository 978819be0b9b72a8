// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation
internal import SwiftletDisk

/// Writes bytes to a file and keeps the first `errno`, which libsndfile does not keep.
final class FileSink {
  /// The path of the file in errors: where users expect it.
  let path: String
  let file: NewFile
  var descriptor: Int32 { file.descriptor }
  /// The `errno` of the first failed write; 0 if there was none.
  private(set) var failure: Int32 = 0
  /// The file's size after its last extending write.
  private var longest: off_t = 0
  /// Whether the file was shorter than expected before a write, which extends it again.
  private var wasShortened = false
  /// Called before bytes are written. A test stalls the disk here.
  var beforeWrite: (() -> Void)?
  /// The file size at which the disk counts as full. A test sets it.
  var capacity = Int.max
  /// Whether silence is written as a hole. A test uses it to write more than its disk holds.
  var leavesHoles = false

  /// Creates a new file.
  ///
  /// - Parameter folder: the open folder of the file; nil, the default, for the folder in `path`, which must exist.
  /// - Throws: ``FileError`` if the file cannot be created.
  init(_ path: String, in folder: OpenFolder? = nil, _ naming: NewFile.Naming) throws(FileError) {
    do throws(DiskError) {
      self.path = path
      file = try NewFile(path, in: folder, naming)
    } catch {
      throw .making(path, error)
    }
  }

  /// Writes to a file that was created before.
  init(path: String, file: NewFile) { (self.path, self.file) = (path, file) }

  /// The current path of the file.
  var currentPath: String { file.currentPath }

  /// The first failure as an error that names the file.
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
      // Like a real disk: writes what fits, and fails at the next byte.
      let left = capacity < .max ? max(0, capacity - Int(lseek(descriptor, 0, SEEK_CUR))) : .max
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

  /// Whether another program has shortened the file.
  var isShortened: Bool {
    if wasShortened { return true }
    var facts = stat()
    return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_size < longest
  }

  /// Removes all bytes that were written.
  func empty() {
    ftruncate(descriptor, 0)
    longest = 0
  }

  /// Flushes all bytes from the kernel to the disk.
  func flush() {
    if fsync(descriptor) != 0 && errno != EINVAL && failure == 0 { failure = errno }
  }

  /// The callbacks through which libsndfile accesses the file. Their context pointer is the sink.
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
    // libsndfile passes back the pointer that the writer gave it, and the writer keeps the sink alive.
    Unmanaged<FileSink>.fromOpaque(unsafeBitCast(pointer, to: UnsafeRawPointer.self)).takeUnretainedValue()
  }
}
