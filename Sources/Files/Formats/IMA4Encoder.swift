// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Writes IMA 4:1 in CAF and AIFF. libsndfile does not support it in CAF, and writes half of the length in AIFF.
final class IMA4Encoder: FrameEncoder {
  private let sink: FileSink
  private let isCAF: Bool
  private let channelCount: Int
  private var codecs: [IMA4]
  private var quantizer = Quantizer(bits: 16)
  /// Samples that do not fill a packet yet, one row per channel.
  private var waiting: [[Int32]]
  private var frameCount = 0
  private var packetCount = 0
  private var isOver = false
  /// The positions of header fields whose values are known only at the end.
  private var countOffset = 0, dataOffset = 0

  init(
    sink: FileSink, format: RecordingFormat, rate: Int, channelCount: Int, origin: TakeOrigin?,
    comment: String?, tags: FileTags = FileTags()
  ) throws(FileError) {
    (self.sink, self.channelCount) = (sink, channelCount)
    isCAF = format.container == .caf
    codecs = Array(repeating: IMA4(), count: channelCount)
    waiting = Array(repeating: [], count: channelCount)
    let filled = tags.filled(from: origin, comment)
    try put(isCAF ? headOfCAF(rate, filled) : headOfAIFF(rate, filled))
  }

  private func headOfCAF(_ rate: Int, _ filled: FileTags) -> Data {
    let names = ["track": "tracknumber", "comment": "comments"]
    let tags =
      [("encoding application", TakeOrigin.originator)]
      + filled.written.map { (names[$0.name] ?? $0.name, $0.text) }
    var head = Data("caff".utf8)
    head.addBig(UInt16(1), UInt16(0))
    var description = Data()
    description.addBig(Double(rate).bitPattern)
    description.append(contentsOf: "ima4".utf8)
    description.addBig(UInt32(0), UInt32(IMA4.packetBytes * channelCount), UInt32(IMA4.packetFrames))
    description.addBig(UInt32(channelCount), UInt32(0))
    head.addCAFChunk("desc", description)
    var info = Data()
    info.addBig(UInt32(tags.count))
    for (name, text) in tags {
      info.append(contentsOf: "\(name)\0\(text)\0".utf8)
    }
    head.addCAFChunk("info", info)
    countOffset = head.count + 12
    head.addCAFChunk("pakt", Data(count: 24))
    dataOffset = head.count + 4
    head.addCAFChunk("data", Data(count: 4))
    return head
  }

  private func headOfAIFF(_ rate: Int, _ filled: FileTags) -> Data {
    var head = Data("FORM\0\0\0\0AIFC".utf8)
    head.addAIFFChunk("FVER", Data([0xA2, 0x80, 0x51, 0x40]))
    for (tag, text) in filled.written {
      let name = IMA4.tagsInAIFF.first { $0.value == tag }?.key
      if let name { head.addAIFFChunk(name, Data(text.utf8)) }
    }
    // There is only one annotation chunk: a comment has priority over the program's name.
    if filled.comment == nil { head.addAIFFChunk("ANNO", Data(TakeOrigin.originator.utf8)) }
    countOffset = head.count + 10
    var common = Data()
    common.addBig(UInt16(channelCount))
    common.addBig(UInt32(0))
    common.addBig(UInt16(16))
    // The rate as an 80-bit float.
    let exponent = Int.bitWidth - 1 - rate.leadingZeroBitCount
    common.addBig(UInt16(16383 + exponent))
    common.addBig(UInt64(rate) << UInt64(63 - exponent))
    common.append(contentsOf: "ima4\u{7}IMA 4:1".utf8)
    head.addAIFFChunk("COMM", common)
    dataOffset = head.count + 4
    head.addAIFFChunk("SSND", Data(count: 8))
    return head
  }

  private func put(_ data: Data) throws(FileError) {
    let written = data.withUnsafeBytes { bytes in bytes.baseAddress.map { sink.write($0, bytes.count) } ?? 0 }
    if written < data.count { throw failure }
  }

  private var failure: FileError { sink.error ?? FileError(.unwritable, sink.path, "cannot be written") }

  func write(_ samples: [Float], count: Int) throws(FileError) {
    quantizer.round(samples, count * channelCount)
    for channel in 0..<channelCount {
      waiting[channel].reserveCapacity(waiting[channel].count + count)
      for frame in 0..<count {
        waiting[channel].append(quantizer.whole[frame * channelCount + channel] >> 16)
      }
    }
    frameCount += count
    try pack((waiting.first?.count ?? 0) / IMA4.packetFrames)
  }

  private func pack(_ packets: Int) throws(FileError) {
    guard packets > 0 else { return }
    var data = Data(capacity: packets * channelCount * IMA4.packetBytes)
    for packet in 0..<packets {
      for channel in 0..<channelCount {
        data.append(
          contentsOf: codecs[channel].pack(
            waiting[channel].dropFirst(packet * IMA4.packetFrames).prefix(IMA4.packetFrames)))
      }
    }
    for channel in 0..<channelCount {
      waiting[channel].removeFirst(min(packets * IMA4.packetFrames, waiting[channel].count))
    }
    packetCount += packets
    if !isCAF {
      let bytes = (packetCount + 1) * channelCount * IMA4.packetBytes
      guard bytes < AudioContainer.aiff.byteLimit else {
        throw FileError(.unwritable, sink.path, "is full: AIFF holds 2 GiB at most; use .caf")
      }
    }
    try put(data)
  }

  /// Does nothing: the sound is journaled in another file, and this file is valid only when complete.
  func updateHeader() {}

  func finish() throws(FileError) {
    guard !isOver else { return }
    isOver = true
    try pack((waiting.first.map { $0.count + IMA4.packetFrames - 1 } ?? 0) / IMA4.packetFrames)
    let bytes = packetCount * channelCount * IMA4.packetBytes
    let file = ByteFile(sink.descriptor)
    var counts = Data(), size = Data()
    if isCAF {
      counts.addBig(UInt64(packetCount), UInt64(frameCount))
      counts.addBig(UInt32(0), UInt32(packetCount * IMA4.packetFrames - frameCount))
      size.addBig(UInt64(bytes + 4))
    } else {
      counts.addBig(UInt32(packetCount))
      size.addBig(UInt32(bytes + 8))
      try file.write(UInt32(file.size - 8).byteSwapped, at: 4, sink.path)
    }
    try file.write(counts, at: countOffset, sink.path)
    try file.write(size, at: dataOffset, sink.path)
  }

  func abandon() { isOver = true }
}

extension Data {
  /// Appends numbers in big-endian order.
  mutating func addBig<Number: FixedWidthInteger>(_ values: Number...) {
    for value in values { add(value.byteSwapped) }
  }

  fileprivate mutating func addCAFChunk(_ name: String, _ content: Data) {
    append(contentsOf: name.utf8)
    addBig(UInt64(content.count))
    append(content)
  }

  fileprivate mutating func addAIFFChunk(_ name: String, _ content: Data) {
    append(contentsOf: name.utf8)
    addBig(UInt32(truncatingIfNeeded: content.count))
    append(content)
    if content.count % 2 == 1 { append(0) }
  }
}
