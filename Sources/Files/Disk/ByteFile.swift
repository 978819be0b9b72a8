// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Reads and writes numbers and text at positions of an open file. Bytes past its end read as zeros.
struct ByteFile {
  private let descriptor: Int32

  /// Uses a descriptor that the caller keeps open.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  func bytes(at offset: Int, count: Int) -> Data {
    var data = Data(count: count)
    data.withUnsafeMutableBytes { buffer in
      _ = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    return data
  }

  func text(at offset: Int) -> String { String(decoding: bytes(at: offset, count: 4), as: UTF8.self) }

  /// Reads a little-endian number.
  func number<Number: FixedWidthInteger>(at offset: Int, as: Number.Type) -> Number {
    var value = Number.zero
    withUnsafeMutableBytes(of: &value) { buffer in
      _ = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    return Number(littleEndian: value)
  }

  /// Reads a big-endian number.
  func big<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number {
    number(at: offset, as: type).byteSwapped
  }

  /// Writes a little-endian number.
  func write<Number: FixedWidthInteger>(_ value: Number, at offset: Int, _ path: String) throws(FileError) {
    var data = Data()
    data.add(value)
    try write(data, at: offset, path)
  }

  func write(_ data: Data, at offset: Int, _ path: String) throws(FileError) {
    let written = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    guard written == data.count else { throw .writing(path, errno: written < 0 ? errno : ENOSPC) }
  }
}
