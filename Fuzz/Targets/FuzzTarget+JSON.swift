// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import Swiftlet
@testable import SwiftletFiles

extension FuzzTarget {
  private static let brackets = [(open: "[", close: "]"), (open: #"{"a":"#, close: "}")]

  /// The output of `ffprobe` for sound and for movies.
  static let json = FuzzTarget(
    name: "json",
    format: .text(
      [
        "\"streams\"", "\"format\"", "\"sample_rate\"", "\"channels\"", "\"time_base\"", "\"start_pts\"",
        "\"1/44100\"",
        "\"duration_ts\"", "\"start_time\"", "\"tags\"", "null", "true", "\\u0000", "\\ud800",
        "9223372036854775807",
        "-9223372036854775808", "1e999",
      ], brackets: brackets),
    seeds: {
      [
        #"{"streams":[{"codec_long_name":"AAC","sample_rate":"44100","channels":2,"time_base":"1/44100","start_pts":0,"#
          + #""duration_ts":44100,"tags":{"title":"A"}}],"format":{"start_time":"0.000000","tags":{"artist":"B"}}}"#,
        #"{"streams":[{"codec_name":"h264","width":320,"height":240,"r_frame_rate":"30000/1001","avg_frame_rate":"25/1","#
          + #""time_base":"1/90000","side_data_list":[{"rotation":-90}]}],"format":{"duration":"1.5"}}"#,
      ].map { Array($0.utf8) }
    },
    feed: { bytes in
      let text = Data(bytes), answer = FFmpegProbe.Answer(text)
      if let answer {
        let probe = try? FFmpegProbe(answer, "a.mp4")
        precondition((probe?.frames ?? 0) >= 0 && (probe?.channels ?? 1) > 0)
      }
      guard let stream = MovieProbe(text)?.streams?.first else { return answer != nil }
      _ = stream.traits
      for rate in [stream.time_base, stream.avg_frame_rate, stream.r_frame_rate] {
        guard let rate = FrameRate(rate) else { continue }
        _ = rate.count(at: .infinity)
        _ = FrameRate.steady(mean: rate, nominal: FrameRate(stream.r_frame_rate)).description
      }
      return true
    },
    // Foundation's decoder without the limit of depth, which traps at 513 levels.
    plantedFault: { bytes in _ = try? JSONDecoder().decode(FFmpegProbe.Answer.self, from: Data(bytes)) })

  /// Messages between sessions.
  static let session = FuzzTarget(
    name: "session",
    format: .text(
      [
        "\"claims\"", "\"duck\"", "\"pause\"", "\"pause-speech\"", "\"duckLevel\"", "\"since\"",
        "\"process\"", "\"name\"",
        "\"language\"", "18446744073709551615", "-2147483648", "1e999", "-1e308",
      ], brackets: brackets), longest: SessionMessage.mostBytes + 1,
    seeds: {
      let sessions = [AudioSession(options: [.exclusive]), AudioSession(options: [.duckOthers])]
      return sessions.compactMap { SessionMessage($0, name: "a", process: 7, since: 3).bytes }
    },
    feed: { bytes in
      guard let message = SessionMessage(bytes) else { return false }
      let own = SessionMessage(AudioSession(), name: "own", process: 1, since: 1)
      _ = SessionDemand(on: AudioSession(), saying: own, from: [message, own])
      precondition(message.name.utf8.count <= 63)
      return true
    },
    plantedFault: { bytes in
      // A conversion of a number in the message to 32 bits, without a check of its range.
      guard let message = SessionMessage(bytes) else { return }
      _ = Int32(message.since) + message.process
    })

  /// The journal of a take, and the values that recovery computes from its numbers.
  static let journal = FuzzTarget(
    name: "journal",
    format: .text(
      [
        "\ngap ", "\nend ", "\"version\":1", "\"take\":\"a.wav\"", "\"sound\"", "\"date\"", "\"rate\":",
        "\"quality\":",
        "\"bitRate\":", "\"timeReference\":", "\"encoding\"", "0001-01-01T00:00:00Z", "9999-12-31T23:59:60Z",
        "999999999-01-01T00:00:00Z", "9223372036854775807", "-9223372036854775808",
      ], brackets: brackets),
    seeds: {
      let head =
        #"{"channelCount":1,"date":"2026-02-02T02:40:00Z","description":"vocal","encoding":"24-bit","overwrites":false,"#
        + #""rate":44100,"sampleRate":48000,"sound":"a.wav","take":"a.wav","timeReference":48000,"version":1}"#
      return ["\(head)\ngap 480 9600\nend 96000\n", "\(head)\n"].map { Array($0.utf8) }
    },
    feed: { bytes in
      guard let contents = try? TakeJournal.parse(Data(bytes), "/tmp/a.wav.journal") else { return false }
      _ = contents.gaps.map(\.count).reduce(0, +)
      _ = GapList.comment(on: contents.gaps, sampleRate: contents.head.sampleRate)
      _ = TakeOrigin.texts(of: contents.head.origin.date)
      _ = contents.head.origin.reference(sampleRate: min(max(contents.head.sampleRate, 1), 1 << 20))
      let format = try? contents.head.format("/tmp/a.wav")
      _ = format?.writtenRate(for: 48_000)
      precondition(contents.head.sound.hasPrefix("a.wav"))
      return true
    },
    plantedFault: { bytes in
      // The end of a gap, without a check for overflow.
      guard let contents = try? TakeJournal.parse(Data(bytes), "/tmp/a.wav.journal") else { return }
      for gap in contents.gaps { precondition(gap.frame + gap.count >= 0) }
    })
}
