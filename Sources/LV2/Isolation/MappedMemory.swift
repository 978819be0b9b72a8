// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Memory that is mapped whole pages at a time: a shared file, or memory with guard pages around it.
// @unchecked: an address and a size that never change; who may touch the memory is the owner's matter.
final class MappedMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let size: Int

  /// Maps a memory file; nil without memory.
  init?(file: Int32, size: Int, isWritable: Bool) {
    let rights = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    guard let base = mmap(nil, size, rights, MAP_SHARED | Int32(MAP_POPULATE), file, 0),
      base != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    (self.base, self.size) = (base, size)
  }

  /// New memory, all 0, of at least `capacity` bytes between two pages that nobody may touch.
  init?(guarded capacity: Int) {
    let page = IsolatedAreas.page
    size = IsolatedAreas.pages(max(capacity, 1)) + 2 * page
    guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      base != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    self.base = base
    memset(base + page, 0, size - 2 * page)
    close(pageAt: 0)
    close(pageAt: size - page)
  }

  deinit { munmap(base, size) }

  /// From now on, whoever touches this page crashes.
  func close(pageAt offset: Int) { mprotect(base + offset, IsolatedAreas.page, PROT_NONE) }
}
