// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// The bytes of a file that libsndfile writes: it keeps the kernel's own word for what went wrong.
final class FileSink {
  /// What it is called where people are told of it.
  let path: String
  /// Where it is, until it is whole.
  let place: String
  let descriptor: Int32
  /// The first error that writing met; 0 while there was none.
  private(set) var failure: Int32 = 0
  /// Called before bytes are written; a test stalls the disk here.
  var beforeWrite: (() -> Void)?
  /// How large the file may grow before the disk is full; a test sets it.
  var room = Int.max
  /// Whether silence is left out, as a hole; a test writes more than its disk holds.
  var leavesHoles = false

  /// Makes a new file. Its folder is there already.
  ///
  /// - Parameters:
  ///   - place: where it is, if that is not where people look for it.
  ///   - overwrites: whether a file that is there is emptied; else it is an error.
  init(path: String, at place: String? = nil, overwrites: Bool) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw FileError(.badName, path, "is no file name") }
    let place = place ?? path
    (self.path, self.place) = (path, place)
    descriptor = try FileSink.open(place, for: path, overwrites: overwrites)
  }

  /// Opens a file and locks it: that tells `swiftlet recover` and all others that it is being written.
  ///
  /// - Throws: ``FileError``, also where another writes it.
  private static func open(_ place: String, for path: String, overwrites: Bool) throws(FileError) -> Int32 {
    var tries = 0
    while true {
      let descriptor = Foundation.open(place, O_RDWR | O_CREAT | O_CLOEXEC | (overwrites ? 0 : O_EXCL), 0o666)
      guard descriptor >= 0 else { throw .writing(path, errno: errno) }
      var own = stat(), there = stat()
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      let isKnown = fstat(descriptor, &own) == 0 && stat(place, &there) == 0
      // What is no plain file, such as a device, anybody may write to.
      guard !isLocked || own.st_mode & S_IFMT != S_IFREG else {
        close(descriptor)
        throw FileError(.unwritable, path, "is being written by somebody else; wait, or choose another name")
      }
      tries += 1
      // Whoever had the lock may just have given the file its name, or removed it.
      if tries < 10, !isKnown || own.st_ino != there.st_ino || own.st_dev != there.st_dev {
        close(descriptor)
        continue
      }
      if overwrites { ftruncate(descriptor, 0) }
      return descriptor
    }
  }

  /// Writes to a descriptor that is open already, and closes it in the end.
  init(path: String, descriptor: Int32) {
    (self.path, place) = (path, path)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The error as one that names the file.
  var error: FileError? { failure == 0 ? nil : .writing(path, errno: failure) }

  func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    beforeWrite?()
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
    }
    return done
  }

  /// Removes the file; what is no plain file, such as a device, stays where it is.
  func remove() {
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { unlink(place) }
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
