// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Memory that is mapped in whole pages: a shared file, or memory with guard pages around it.
// @unchecked: the address and size never change; the owner synchronizes accesses to the memory.
final class MappedMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let size: Int

  /// Maps a memory file; nil if there is no memory.
  init?(file: Int32, size: Int, isWritable: Bool) {
    let rights = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    guard let base = mmap(nil, size, rights, MAP_SHARED | Int32(MAP_POPULATE), file, 0),
      base != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    (self.base, self.size) = (base, size)
  }

  /// Allocates at least `capacity` zeroed bytes between two guard pages; nil if there is no memory.
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

  /// Makes a page inaccessible: any access to it crashes.
  func close(pageAt offset: Int) { mprotect(base + offset, IsolatedAreas.page, PROT_NONE) }
}
