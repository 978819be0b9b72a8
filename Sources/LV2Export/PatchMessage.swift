// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime

/// A `patch:Set` or `patch:Get` of a plugin's file. The host's data is not trusted: nothing beyond its size is read.
@safe struct PatchMessage: BitwiseCopyable {
  /// The maximum length of a path in bytes, including the terminating null.
  static var longestPath: Int { @_noLocks @_noAllocation get { 4096 } }
  /// The maximum number of bytes that ``write(path:to:types:)`` writes.
  static var longest: Int { @_noLocks @_noAllocation get { 48 + longestPath } }

  /// The path to set, without a terminating null; nil for a `patch:Get`.
  let path: UnsafeRawPointer?
  let pathLength: Int

  /// Parses a message; nil for any other message, or for another plugin or property.
  @_noLocks @_noAllocation @unsafe init?(_ event: SequenceReader, _ types: PatchTypes) {
    guard event.type == types.object || event.type == types.blank, event.size >= 8 else { return nil }
    let object = unsafe event.bytes, kind = unsafe object.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    guard kind == types.set || kind == types.get else { return nil }
    var property = kind == types.get ? types.file : 0, subject = types.plugin
    var value: UnsafeRawPointer?, length = 0, offset = 8
    // Key, context, then an atom: size, type, and the body padded to eight bytes.
    while offset + 16 <= event.size {
      let key = unsafe object.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let size = unsafe Int(object.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self))
      let type = unsafe object.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
      guard offset + 16 + size <= event.size else { break }
      let body = unsafe object + offset + 16
      if type == types.urid, size >= 4 {
        let number = unsafe body.loadUnaligned(as: UInt32.self)
        if key == types.property { property = number }
        if key == types.subject { subject = number }
      } else if key == types.value, type == types.path || type == types.string {
        unsafe value = body
        length = size
      }
      offset += 16 + (size + 7) & ~7
    }
    guard property == types.file, subject == types.plugin else { return nil }
    guard kind == types.set else {
      unsafe path = nil
      pathLength = 0
      return
    }
    guard let text = unsafe value else { return nil }
    var end = 0
    while end < length, unsafe text.load(fromByteOffset: end, as: UInt8.self) != 0 { end += 1 }
    guard end < Self.longestPath else { return nil }
    unsafe path = text
    pathLength = end
  }

  /// Writes a `patch:Set` with a null-terminated path.
  ///
  /// - Returns: The message's size in bytes.
  @_noLocks @_noAllocation @unsafe
  static func write(path: UnsafePointer<CChar>, to memory: UnsafeMutableRawPointer, types: PatchTypes) -> Int
  {
    var length = 0
    while length < longestPath - 1, unsafe path[length] != 0 { length += 1 }
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    unsafe words[0] = 0
    unsafe words[1] = types.set
    unsafe words[2] = types.property
    unsafe words[3] = 0
    unsafe words[4] = 4
    unsafe words[5] = types.urid
    unsafe words[6] = types.file
    unsafe words[7] = 0
    unsafe words[8] = types.value
    unsafe words[9] = 0
    unsafe words[10] = UInt32(truncatingIfNeeded: length + 1)
    unsafe words[11] = types.path
    unsafe rt_copy_bytes(memory + 48, path, length)
    unsafe (memory + 48 + length).storeBytes(of: 0, as: UInt8.self)
    return 48 + length + 1
  }
}
