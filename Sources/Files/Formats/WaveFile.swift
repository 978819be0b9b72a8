// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletSignal

/// The structure of a WAV or RF64 file: the position of its sound, and its size fields, which can be corrected.
///
/// Supports the layout of EBU Tech 3306 (RF64) and of RIFF, as far as recordings need it. All input is checked.
final class WaveFile {
  let path: String
  private let descriptor: Int32
  private(set) var fileSize: Int
  private(set) var isRF64: Bool
  /// The position of the sound, and its size in bytes as announced by the header.
  let dataOffset: Int
  private(set) var dataSize: Int
  /// The size of a frame in bytes.
  let frameSize: Int
  /// The size of the whole file as announced by the header.
  private(set) var announcedSize: Int
  private let factOffset: Int?
  /// The position of the RF64 size table.
  private var sizes: Int?

  /// Reads the header.
  ///
  /// - Throws: ``FileError`` if the file cannot be opened or is not WAV.
  init(_ path: String, writable: Bool) throws(FileError) {
    self.path = path
    descriptor = open(path, (writable ? O_RDWR | O_NOFOLLOW : O_RDONLY) | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, errno: errno) }
    let file = ByteFile(descriptor)
    fileSize = file.size
    let form = file.text(at: 0)
    guard form == "RIFF" || form == "RF64", file.text(at: 8) == "WAVE" else {
      close(descriptor)
      throw FileError(.notAudio, path, "is not a WAV file")
    }
    isRF64 = form == "RF64"
    announcedSize = Int(file.number(at: 4, as: UInt32.self)) + 8
    var chunks = RIFFChunks(fileSize: fileSize), found: RIFFChunks.Chunk?
    var (frame, fact, table): (Int, Int?, Int?) = (0, nil, nil)
    while found == nil, let chunk = chunks.next(in: file) {
      switch chunk.name {
      case "ds64": table = chunk.size >= 24 ? chunk.offset : nil
      case "fmt ": frame = Int(file.number(at: chunk.offset + 12, as: UInt16.self))
      case "fact": fact = chunk.offset
      case "data": found = chunk
      default: break
      }
    }
    guard let found, frame > 0 else {
      close(descriptor)
      throw FileError(.notAudio, path, "is a WAV file without sound")
    }
    (dataOffset, dataSize, frameSize, factOffset, sizes) = (found.offset, found.size, frame, fact, table)
    if isRF64, let table {
      announcedSize = Int(clamping: file.number(at: table, as: UInt64.self)) &+ 8
      dataSize = Int(clamping: file.number(at: table + 8, as: UInt64.self))
    }
  }

  deinit { close(descriptor) }

  /// The number of whole frames in the file, regardless of its header.
  var presentFrames: Int { max(0, fileSize - dataOffset) / frameSize }

  /// Whether the header matches the file. All fields are checked, since a power cut may keep some of them from the
  /// disk.
  var isConsistent: Bool {
    let rest = fileSize - dataOffset
    guard announcedSize == fileSize, 0...rest ~= dataSize else { return false }
    return dataSize + dataSize % 2 == rest || hasMarks(behind: dataSize / frameSize)
  }

  /// Whether only marks follow the given number of frames: chunks named `cue ` or `LIST`, the last of which may be cut
  /// off.
  func hasMarks(behind frames: Int) -> Bool {
    guard 0..<presentFrames ~= frames else { return false }
    let file = ByteFile(descriptor)
    var offset = dataOffset + frames * frameSize
    offset += offset % 2
    var chunks = RIFFChunks(fileSize: fileSize, from: offset), hasAny = false
    while let chunk = chunks.next(in: file, needed: 1) {
      guard chunk.name == "cue " || chunk.name == "LIST" else { return false }
      hasAny = true
    }
    return hasAny
  }

  /// Appends chunks after the sound, and updates the sizes in the header.
  func append(_ chunks: Data) throws(FileError) {
    let start = fileSize + fileSize % 2
    let file = ByteFile(descriptor)
    if start > fileSize { try file.write(Data([0]), at: fileSize, path) }
    try file.write(chunks, at: start, path)
    fileSize = start + chunks.count
    try writeSizes()
  }

  /// Corrects the sizes in the header after a crash.
  ///
  /// - Parameter frames: the number of frames of sound, if known; later data is cut off. The default is nil.
  func repair(frames: Int? = nil) throws(FileError) {
    dataSize = min(frames ?? presentFrames, presentFrames) * frameSize
    let end = dataOffset + dataSize
    guard ftruncate(descriptor, off_t(end + end % 2)) == 0 else { throw .writing(path, errno: errno) }
    fileSize = end + end % 2
    try writeSizes()
  }

  /// Clears the time in a peak chunk, so that the same sound gives the same file.
  static func clearPeakTime(_ sink: FileSink) {
    let file = ByteFile(sink.descriptor)
    var chunks = RIFFChunks(fileSize: file.size)
    while let chunk = chunks.next(in: file, needed: 16), chunk.name != "data" {
      if chunk.name == "PEAK" { try? file.write(Data(count: 4), at: chunk.offset + 4, sink.path) }
    }
  }

  /// Returns the frame count in a `fact` chunk; nil if there is none.
  static func announcedFrames(_ descriptor: Int32) -> Int? {
    let file = ByteFile(descriptor)
    return fact(file).map { Int(file.number(at: $0, as: UInt32.self)) }
  }

  /// Writes the frame count into a `fact` chunk, for encodings whose blocks hold more frames.
  static func announce(frames: Int, in sink: FileSink) {
    let file = ByteFile(sink.descriptor)
    if let offset = fact(file) { try? file.write(UInt32(clamping: frames), at: offset, sink.path) }
  }

  /// Returns the position of the frame count in a `fact` chunk.
  private static func fact(_ file: ByteFile) -> Int? {
    guard file.text(at: 0) == "RIFF", file.text(at: 8) == "WAVE" else { return nil }
    var chunks = RIFFChunks(fileSize: file.size)
    while let chunk = chunks.next(in: file, needed: 12) {
      if chunk.name == "fact" { return chunk.offset }
    }
    return nil
  }

  private func writeSizes() throws(FileError) {
    let file = ByteFile(descriptor)
    if fileSize - 8 > Int(UInt32.max) && !isRF64 { try becomeRF64(file) }
    guard isRF64, let sizes else {
      try file.write(UInt32(clamping: fileSize - 8), at: 4, path)
      try file.write(UInt32(clamping: dataSize), at: dataOffset - 4, path)
      if let factOffset { try file.write(UInt32(clamping: dataSize / frameSize), at: factOffset, path) }
      return
    }
    try file.write(sizeTable, at: sizes, path)
  }

  /// The contents of the RF64 size table.
  private var sizeTable: Data {
    var table = Data()
    for value in [fileSize - 8, dataSize, dataSize / frameSize] { table.add(UInt64(max(value, 0))) }
    return table
  }

  /// Converts the header of a file that has outgrown WAV to RF64, in the space reserved for that: `JUNK` 24, `fmt ` 40
  /// and `fact` 4 become `ds64` 28, `fmt ` 40 and `PAD ` 0.
  private func becomeRF64(_ file: ByteFile) throws(FileError) {
    guard file.text(at: 12) == "JUNK", file.number(at: 16, as: UInt32.self) == 24,
      file.text(at: 44) == "fmt ",
      file.number(at: 48, as: UInt32.self) == 40, file.text(at: 92) == "fact"
    else {
      throw FileError(
        .unsupported, path, "exceeds the size that its WAV header can store; convert it with sox")
    }
    let format = file.bytes(at: 44, count: 48)
    var header = Data("RF64".utf8)
    header.add(UInt32.max)
    header.append(contentsOf: "WAVE".utf8)
    var table = sizeTable
    table.add(UInt32(0))
    header.addChunk("ds64", table)
    header.append(format)
    header.addChunk("PAD ", Data())
    try file.write(header, at: 0, path)
    try file.write(UInt32.max, at: dataOffset - 4, path)
    (isRF64, sizes) = (true, 20)
  }
}

extension RIFFChunks {
  /// Returns the next chunk of an open file; nil after the last.
  fileprivate mutating func next(in file: ByteFile, needed: Int = 8) -> Chunk? {
    next(needed: needed) { file.number(at: $0, as: UInt32.self) }
  }
}
