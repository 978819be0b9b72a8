// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import SwiftletFiles

extension FuzzTarget {
  private static let riff = [
    "RIFF", "RF64", "WAVE", "fmt ", "data", "fact", "ds64", "JUNK", "PEAK", "bext", "LIST",
  ]
  private static let apple = [
    "caff", "desc", "data", "pakt", "info", "ima4", "FORM", "AIFC", "COMM", "SSND", "NAME",
  ]

  /// The chunks of WAV and RF64, and their repair.
  static let wave = FuzzTarget(
    name: "wave", format: .chunks(riff),
    seeds: {
      [
        try FuzzFile.sound("a.wav", "16-bit"), try FuzzFile.sound("a.rf64", "24-bit"),
        try FuzzFile.sound("a.wav", "ima4"),
      ]
    },
    feed: { bytes in
      var isAccepted = false
      FuzzFile.withDescriptor(bytes) { descriptor, path in
        _ = WaveFile.announcedFrames(descriptor)
        guard let wave = try? WaveFile(path, writable: false) else { return }
        precondition(wave.presentFrames >= 0)
        _ = wave.isConsistent
        isAccepted = true
      }
      FuzzFile.withNamed(bytes) { path in
        try? HeaderRepair.repair(path, .wav, frames: nil)
        try? CueMarks.add([TakeReport.Gap(frame: 5, count: 7)], to: path)
        try? HeaderRepair.repair(path, .rf64, frames: 3)
        guard isAccepted, let wave = try? WaveFile(path, writable: false) else { return }
        precondition(wave.isConsistent, "a repaired header fits its file")
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // The end of the sound according to the header, without a check for overflow.
      FuzzFile.with(bytes) { path in
        guard let wave = try? WaveFile(path, writable: false) else { return }
        precondition(wave.dataOffset + wave.dataSize > 0)
      }
    })

  /// The repair of Wave64, AIFF and CAF.
  static let headers = FuzzTarget(
    name: "headers", format: .chunks(apple), longest: 8192,
    seeds: {
      [
        try FuzzFile.sound("a.w64"), try FuzzFile.sound("a.aiff", "24-bit"),
        try FuzzFile.sound("a.caf", "32-float"),
      ]
    },
    feed: { bytes in
      var isAccepted = false
      for container in [AudioContainer.w64, .aiff, .caf] {
        FuzzFile.withNamed(bytes) { path in
          if (try? HeaderRepair.repair(path, container, frames: nil)) != nil { isAccepted = true }
        }
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // A walk over the chunks of a CAF that adds a 64-bit size without a check.
      FuzzFile.withDescriptor(bytes) { descriptor, _ in
        let file = ByteFile(descriptor)
        guard file.text(at: 0) == "caff" else { return }
        var place = 8
        while place + 12 <= file.size, place >= 8 {
          place += 12 + max(Int(truncatingIfNeeded: file.big(at: place + 4, as: UInt64.self)), 0)
        }
      }
    })

  /// IMA 4:1 in CAF and AIFF, tags included.
  static let ima4 = FuzzTarget(
    name: "ima4", format: .chunks(apple),
    seeds: {
      var tags = FileTags()
      (tags.title, tags.artist, tags.comment) = ("Title", "Artist", "Comment")
      return [
        try FuzzFile.sound("a.caf", "ima4", channels: 1, tags: tags),
        try FuzzFile.sound("a.aiff", "ima4", tags: tags),
      ]
    },
    feed: { bytes in
      var isAccepted = false
      FuzzFile.with(bytes) { path in
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let layout = IMA4Decoder.Layout(descriptor) else {
          close(descriptor)
          return
        }
        guard let decoder = try? IMA4Decoder(path, descriptor, layout),
          1...AudioFileReader.channelLimit ~= decoder.info.channelCount
        else { return }
        isAccepted = true
        let memory = ChannelMemory(channelCount: decoder.info.channelCount, frameCount: 1000)
        while decoder.read(into: memory.channels, count: 1000) == 1000 {}
        decoder.seek(to: max(decoder.info.frameCount / 2, 0))
        _ = decoder.read(into: memory.channels, count: 100)
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // The number of frames, computed from an unchecked size.
      FuzzFile.withDescriptor(bytes) { descriptor, _ in
        guard let layout = IMA4Decoder.Layout(descriptor) else { return }
        precondition(layout.size / max(1, layout.channels * IMA4.packetBytes) * IMA4.packetFrames >= 0)
      }
    })

  /// The frames of MPEG sound, and the tags before them.
  static let mpeg = FuzzTarget(
    name: "mpeg",
    format: FuzzFormat(words: [Array("ID3".utf8), [0xFF, 0xFB, 0x90], [0xFF, 0xF3], Array("Xing".utf8)]),
    seeds: { [try FuzzFile.sound("a.mp3", frames: 3000)] },
    feed: { bytes in
      var count = 0
      FuzzFile.withDescriptor(bytes) { descriptor, _ in
        _ = MP3Length.isAnnounced(in: descriptor)
        var frames = MPEGFrames(descriptor)
        count = frames.count(upTo: 1 << 40)
        precondition(0...(bytes.count + 1) * MPEGFrames.mostSamples ~= count)
      }
      return count > 0
    },
    plantedFault: { bytes in
      // The length of the first frame, from a table without layer 1.
      guard bytes.count >= 4, let header = MPEGFrames.Header(bytes[..<4]) else { return }
      precondition(header.sampleCount != 384, "layer 1 has no entry")
    })

  /// The boxes of MPEG-4, the chunks of CAF and the pages of Ogg, by which truncation is detected.
  static let boxes = FuzzTarget(
    name: "boxes", format: .chunks(["ftyp", "moov", "mdat", "free", "OggS", "caff", "data", "desc"]),
    longest: 8192,
    seeds: {
      let box = [UInt8]([0, 0, 0, 16]) + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
      let long = [UInt8]([0, 0, 0, 1]) + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 20, 1, 2, 3, 4]
      return [box + long, try FuzzFile.sound("a.ogg"), try FuzzFile.sound("a.caf")]
    },
    feed: { bytes in
      var isKnown = false
      FuzzFile.withDescriptor(bytes) { descriptor, path in
        _ = Truncation.ofBoxes(path)
        _ = Truncation.isCutCAF(path)
        if let tail = OggTail(path) { precondition(tail.lastPageStart >= 0) }
        _ = FileTags(caf: Data(bytes))
        isKnown = SoundSignature.of(descriptor) != nil
      }
      return isKnown
    },
    plantedFault: { bytes in
      // A walk over boxes that converts a 64-bit size to `Int` without a check.
      FuzzFile.withDescriptor(bytes) { descriptor, _ in
        let file = ByteFile(descriptor)
        var place = 0
        while place + 16 <= file.size {
          var size = Int(file.big(at: place, as: UInt32.self))
          if size == 1 { size = Int(file.big(at: place + 8, as: UInt64.self)) }
          guard size >= 8, size <= file.size - place else { return }
          place += size
        }
      }
    })

  /// Complete sound files. Most are read by libsndfile, which is not instrumented.
  static let sound = FuzzTarget(
    name: "sound", format: .chunks(riff + apple + ["fLaC", "OggS", "vorbis"]), longest: 8192,
    seeds: {
      var tags = FileTags()
      (tags.title, tags.date) = ("Title", "2026")
      return try [
        ("a.wav", "16-bit"), ("a.wav", "8-bit"), ("a.aiff", "24-bit"), ("a.caf", "32-float"),
        ("a.caf", "alac-16"),
        ("a.w64", "64-float"), ("a.rf64", "24-bit"), ("a.flac", nil), ("a.ogg", nil), ("a.mp3", nil),
      ].map { try FuzzFile.sound($0, $1, tags: tags) }
    },
    feed: { bytes in
      var isAccepted = false
      FuzzFile.withDescriptor(bytes) { descriptor, path in
        // A child process reads other formats.
        guard SoundSignature.of(descriptor)?.isCommon ?? true, let reader = try? AudioFileReader(path) else {
          return
        }
        isAccepted = true
        precondition(reader.info.frameCount >= 0 && reader.info.tags.all.count < 10)
        var left = 100_000
        while left > 0, let block = try? reader.read(1000), let first = block.first, !first.isEmpty {
          left -= first.count
        }
        try? reader.seek(to: reader.info.frameCount / 2)
        _ = try? reader.read(10)
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // Memory for a whole file, sized by its header.
      FuzzFile.with(bytes) { path in
        guard let info = try? AudioFileReader(path, acceptsTruncated: true).info else { return }
        precondition(info.frameCount < 1 << 16 && info.channelCount < 32)
      }
    })
}
