// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Headers whose numbers overflow arithmetic, or keep a reader busy.
@Suite struct HostileHeaderTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Returns a CAF of IMA 4:1 whose sound chunk claims `size` bytes.
  private func caf(channels: UInt32, size: Int64) -> Data {
    var data = Data("caff".utf8)
    data.addBig(UInt16(1), UInt16(0))
    var description = Data()
    description.addBig(Double(44_100).bitPattern)
    description.append(contentsOf: "ima4".utf8)
    description.addBig(UInt32(0), UInt32(34), UInt32(64), channels, UInt32(0))
    data.append(contentsOf: "desc".utf8)
    data.addBig(UInt64(description.count))
    data.append(description)
    data.append(contentsOf: "data".utf8)
    data.addBig(UInt64(bitPattern: size))
    data.append(Data(count: 100))
    return data
  }

  @Test(arguments: [0, 1, 2, UInt32.max], [Int64.max, .max - 4, 1 << 62, .min, -1, -2, 0, 3])
  func `a CAF that claims any number of bytes is read or refused`(channels: UInt32, size: Int64) throws {
    let path = try folder.write("a.caf", caf(channels: channels, size: size))
    do throws(FileError) {
      #expect(try AudioFileReader(path).info.channelCount == Int(channels))
    } catch {
      #expect([.truncated, .unsupported].contains(error.kind), "\(error)")
    }
  }

  // A file of zeros is a sequence of empty chunks, which would take minutes in total.
  @Test(arguments: [("caff", "a.caf", AudioContainer.caf), ("FORM", "a.aiff", .aiff)])
  func `a long file of empty chunks is refused at once`(
    head: String, name: String, container: AudioContainer
  ) throws {
    let path = try folder.write(name, Data(head.utf8))
    #expect(truncate(path, 1 << 31) == 0)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(!Truncation.isCutCAF(path))
      #expect(throws: FileError.self) { try HeaderRepair.repair(path, container, frames: nil) }
    }
    #expect(time < .seconds(5))
  }

  @Test(arguments: [
    #"{"sample_rate":"9223372036854775807","channels":1,"duration_ts":9223372036854775807,"time_base":"1/1"}"#,
    #"{"sample_rate":"48000","channels":9223372036854775807}"#,
    #"{"sample_rate":"0","channels":1}"#, #"{"sample_rate":"48000","channels":0}"#,
  ])
  func `an impossible rate or channel count is refused`(stream: String) throws {
    let text = Data(#"{"streams":[\#(stream)],"format":{"start_time":"1e300"}}"#.utf8)
    let answer = try #require(FFmpegProbe.Answer(text))
    let error = #expect(throws: FileError.self) { try FFmpegProbe(answer, "a.mp4") }
    #expect(error?.kind == .unsupported)
  }

  @Test(arguments: ["1e300", "inf", "nan", "-inf", "-1e300", "1e18"])
  func `any start time is accepted without a trap`(start: String) throws {
    let text = Data(
      #"""
      {"streams":[{"sample_rate":"2147483647","channels":1,"start_pts":9223372036854775807,"duration_ts":
      -9223372036854775808,"time_base":"9223372036854775807/1"}],"format":{"start_time":"\#(start)"}}
      """#.utf8)
    let probe = try FFmpegProbe(try #require(FFmpegProbe.Answer(text)), "a.mp4")
    #expect(probe.frames >= 0 && probe.lateFrames >= 0)
  }

  @Test func `a frame rate of more than 32 bits is refused`() {
    #expect(FrameRate("9223372036854775807/1") == nil)
    #expect(FrameRate("1/9223372036854775807") == nil)
    #expect(FrameRate("2147483647/1")?.count(at: .infinity) == 4_000_000_000 * 2_147_483_647)
  }

  // Each byte of a sequence of 0xFF 0xE2 0x10 may begin a frame that nothing follows, and then the next byte is tried.
  @Test func `MPEG frames without a successor are read from the file once`() throws {
    var bytes: [UInt8] = []
    while bytes.count < 200_000 { bytes += [0xFF, 0xE3, 0xE0, 0x00, 0x00] }
    let path = try folder.write("a.mp3", Data(bytes))
    let descriptor = try AudioFileReader.openRegularFile(path)
    defer { close(descriptor) }
    var frames = MPEGFrames(descriptor)
    _ = frames.count(upTo: 1 << 40)
    #expect(frames.readCount <= 8)
  }
}
