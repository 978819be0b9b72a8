// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// Decodes IMA 4:1 in CAF and AIFF files.
final class IMA4Decoder: FrameDecoder {
  let info: AudioFileInfo
  var supportsRandomAccess: Bool { false }
  private let descriptor: Int32
  private let layout: Layout
  private var codecs: [IMA4]
  private var packet: [Float]
  /// The number of packets decoded since the beginning, and the index of the next frame.
  private var packetCount = 0
  private var position = 0
  private var bytes: [UInt8] = []
  private var used = 0

  /// The layout of the packets in the file.
  struct Layout {
    var name: String
    var rate: Double
    var channels: Int
    /// The position of the first packet, and the announced size of the packets in bytes.
    var start: Int, size: Int
    var frames: Int
    var tags = FileTags()
  }

  /// Takes ownership of an open descriptor, which it closes at its end or if this initializer throws.
  init(_ path: String, _ descriptor: Int32, _ layout: Layout) throws(FileError) {
    (self.descriptor, self.layout) = (descriptor, layout)
    let channels = min(max(layout.channels, 0), AudioFileReader.channelLimit + 1)
    info = AudioFileInfo(
      path: path, container: layout.name, encoding: "IMA 4:1", sampleRate: layout.rate,
      channelCount: channels,
      frameCount: layout.frames, tags: layout.tags)
    codecs = Array(repeating: IMA4(), count: channels)
    packet = Array(repeating: 0, count: channels * IMA4.packetFrames)
    let present = ByteFile(descriptor).size - layout.start
    guard layout.size <= present else {
      throw FileError(
        .truncated, path,
        "is cut short: it announces \(layout.size) bytes of sound and has \(max(present, 0)); get a whole copy"
      )
    }
  }

  deinit { close(descriptor) }

  func read(into channels: Channels, count: Int) -> Int {
    var done = 0
    while done < count {
      if position == packetCount * IMA4.packetFrames {
        guard unpack() else { return done }
      }
      let start = position % IMA4.packetFrames
      let run = min(count - done, IMA4.packetFrames - start)
      for channel in 0..<info.channelCount {
        let target = channels[channel] + done
        for frame in 0..<run { target[frame] = packet[channel * IMA4.packetFrames + start + frame] }
      }
      done += run
      position += run
    }
    return done
  }

  private func unpack() -> Bool {
    let width = info.channelCount, size = IMA4.packetBytes * width
    if bytes.count - used < size {
      let packetStart = packetCount * size
      let wanted = min(1024 * size, layout.size - packetStart) / size * size
      guard wanted > 0 else { return false }
      bytes = Array(ByteFile(descriptor).bytes(at: layout.start + packetStart, count: wanted))
      used = 0
    }
    for channel in 0..<width {
      let start = used + channel * IMA4.packetBytes
      codecs[channel].unpack(bytes[start..<start + IMA4.packetBytes]) { frame, sample in
        packet[channel * IMA4.packetFrames + frame] = Float(sample) / 32768
      }
    }
    used += size
    packetCount += 1
    return true
  }

  /// Seeks to a frame. Each packet depends on all earlier ones, so seeking backwards decodes from the beginning.
  func seek(to frame: Int) {
    if frame < (packetCount - 1) * IMA4.packetFrames {
      codecs = Array(repeating: IMA4(), count: info.channelCount)
      (packetCount, bytes, used) = (0, [], 0)
    }
    while packetCount * IMA4.packetFrames <= frame, unpack() {}
    position = frame
  }
}

extension IMA4Decoder.Layout {
  /// Reads the layout of an open CAF or AIFF file. Returns nil if it has another encoding.
  init?(_ descriptor: Int32) {
    let file = ByteFile(descriptor)
    switch (file.text(at: 0), file.text(at: 8)) {
    case ("caff", "desc"): self.init(caf: file)
    case ("FORM", "AIFC"): self.init(aiff: file)
    default: return nil
    }
  }

  private init?(caf file: ByteFile) {
    guard file.text(at: 28) == "ima4" else { return nil }
    let rate = Double(bitPattern: file.big(at: 20, as: UInt64.self))
    let channels = Int(file.big(at: 44, as: UInt32.self))
    guard rate.isFinite, rate > 0, rate < 1e9, file.big(at: 40, as: UInt32.self) == 64 else { return nil }
    self.init(name: "CAF (Apple Core Audio)", rate: rate, channels: channels, start: 0, size: 0, frames: 0)
    var valid: Int?
    for chunk in FileChunks(file, .caf) {
      switch chunk.name {
      case "data":
        start = chunk.offset + 4
        size = max(0, chunk.size < 0 ? file.size - start : chunk.size - 4)
      case "info": tags = FileTags(caf: file.bytes(at: chunk.offset, count: min(max(chunk.size, 0), 1 << 20)))
      case "pakt": valid = Int(clamping: file.big(at: chunk.offset + 8, as: UInt64.self))
      default: break
      }
    }
    frames = min(whole, valid ?? .max)
  }

  private init?(aiff file: ByteFile) {
    self.init(name: "AIFF (Apple/SGI)", rate: 0, channels: 0, start: 0, size: 0, frames: 0)
    var isIMA4 = false
    for chunk in FileChunks(file, .aiff) {
      let offset = chunk.offset
      switch chunk.name {
      case "COMM":
        isIMA4 = file.text(at: offset + 18) == "ima4"
        channels = Int(file.big(at: offset, as: UInt16.self))
        let exponent = Int(file.big(at: offset + 8, as: UInt16.self)) - 16383 - 63
        rate = Double(
          sign: .plus, exponent: exponent, significand: Double(file.big(at: offset + 10, as: UInt64.self)))
      case "SSND":
        start = offset + 8 + Int(file.big(at: offset, as: UInt32.self))
        size = max(0, chunk.size - 8)
      case let name:
        if let tag = IMA4.tagsInAIFF[name] { tags.add(tag, file.words(at: offset, count: chunk.size)) }
      }
    }
    guard isIMA4, rate.isFinite, rate > 0, rate < 1e9 else { return nil }
    // Programs disagree on what the header counts, so the frame count is computed from the size.
    frames = whole
  }

  /// The number of frames in `size` bytes, which may have any value since it comes from a header.
  private var whole: Int {
    let packets = size / max(1, channels * IMA4.packetBytes)
    return min(packets, Int.max / IMA4.packetFrames) * IMA4.packetFrames
  }
}

extension ByteFile {
  /// Reads a text of `count` bytes, up to 64 KiB.
  fileprivate func words(at offset: Int, count: Int) -> String {
    String(decoding: bytes(at: offset, count: min(count, 1 << 16)), as: UTF8.self)
  }
}
