// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletGraph
@testable import SwiftletPlayback

@Suite struct StreamTests {
  private func write(_ sound: [[Float]], _ path: String, rate: Int = 48000) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: Double(rate), channelCount: sound.count)
    try writer.write(sound)
    try writer.close()
  }

  /// Returns a player of a file with one channel of `sound`, already open, and its prefetch thread.
  private func stream(_ sound: [Float]) throws -> (StreamPlayer, PrefetchThread) {
    let folder = try Folder()
    try write([sound], folder["a.wav"])
    let prefetch = PrefetchThread()
    return (StreamPlayer(try prefetch.makeSource(path: folder["a.wav"], sampleRate: 48000)), prefetch)
  }

  /// Plays `count` frames in blocks, filling before each as offline rendering does.
  private func play(
    _ player: StreamPlayer, _ prefetch: PrefetchThread, count: Int, block: Int = 64, from frame: Int64 = 0
  ) -> [[Float]] {
    let backend = BlockBackend(player.source, outputs: player.stream.channelCount)
    var result = [[Float]](repeating: [], count: player.stream.channelCount)
    var done = 0
    while done < count {
      let run = min(block, count - done)
      prefetch.fill(atLeast: run)
      for (channel, samples) in backend.run(frame: frame + Int64(done), count: run).enumerated() {
        result[channel] += samples
      }
      done += run
    }
    return result
  }

  // Two seconds are kept in memory, eleven are streamed from disk.
  @Test(arguments: [(96_000, 64), (96_000, 1), (528_000, 1024)])
  func `a file plays sample by sample, and a loop has no seam`(_ length: Int, _ block: Int) throws {
    let folder = try Folder()
    let sound = [noise(length, seed: 5), noise(length, seed: 6)]
    try write(sound, folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(path: folder["a.wav"], sampleRate: 48000, loops: .times(2)))
    #expect(player.stream.length == 2 * length)
    player.play()
    let heard = play(player, prefetch, count: 2 * length + 100, block: block)
    for channel in 0..<2 {
      #expect(heard[channel] == sound[channel] + sound[channel] + [Float](repeating: 0, count: 100))
    }
    #expect(player.stream.hasEnded)
    #expect(!player.isPlaying)
    #expect(player.stream.underruns.count == 0)
    #expect(player.stream.position == 2 * length)
  }

  @Test func `a player starts on the exact frame of the command`() throws {
    let sound = noise(1000)
    let (player, prefetch) = try stream(sound)
    player.play(at: 5100)
    let heard = play(player, prefetch, count: 2000, from: 5000)[0]
    #expect(heard == [Float](repeating: 0, count: 100) + sound + [Float](repeating: 0, count: 900))
  }

  @Test func `a file that ended plays again from its beginning`() throws {
    let sound = noise(640)
    let (player, prefetch) = try stream(sound)
    player.play()
    #expect(play(player, prefetch, count: 1280)[0].prefix(640) == sound[...])
    player.play()
    #expect(play(player, prefetch, count: 640)[0] == sound)
  }

  @Test func `a start requested before the end for a frame after it is not lost`() throws {
    let sound = noise(640)
    let (player, prefetch) = try stream(sound)
    player.play()
    let first = play(player, prefetch, count: 320)[0]
    player.play(at: 1000)
    let rest = play(player, prefetch, count: 1680, from: 320)[0]
    let silence = [Float](repeating: 0, count: 360)
    #expect(first + rest == sound + silence + sound + silence)
    #expect(player.stream.hasEnded && !player.isPlaying)
  }

  @Test func `a pause whose fade reaches the end returns to the beginning`() throws {
    let sound = noise(640)
    let (player, prefetch) = try stream(sound)
    player.play()
    _ = play(player, prefetch, count: 576)
    player.pause()
    _ = play(player, prefetch, count: 640, from: 576)
    #expect(!player.isPlaying && player.stream.hasEnded)
    player.play()
    let again = play(player, prefetch, count: 768, from: 1216)[0]
    #expect(Array(again.drop { $0 == 0 }.prefix(640)) == Array(sound.drop { $0 == 0 }))
  }

  @Test func `playback starts at a position set after the end`() throws {
    let sound = noise(9600)
    let (player, prefetch) = try stream(sound)
    player.play()
    _ = play(player, prefetch, count: 9664)
    #expect(player.stream.hasEnded)
    player.stream.seek(to: 4800)
    // At once, before the prefetch thread has moved there.
    player.play()
    let heard = play(player, prefetch, count: 9600, from: 9664)[0]
    #expect(heard.contains(sound[9000]) && !heard.contains(sound[300]) && player.stream.position == 9600)
  }

  @Test func `a play command at the end always takes effect`() throws {
    let player = StreamPlayer(StreamSource(channelCount: 1, sampleRate: 48000, length: 16, capacity: 64))
    try withAudioThread(playing: player.source) {
      // This thread is the prefetch thread, and plays the sixteen frames repeatedly.
      for round in rounds(20_000) {
        player.play()
        if let frame = player.stream.beginSeek() {
          player.stream.ring.commit(16)
          player.stream.markEnd()
          player.stream.endSeek(from: frame)
        } else if !player.stream.isMarked {
          player.stream.ring.commit(16)
          player.stream.markEnd()
        }
        try #require(comesTrue { player.stream.hasEnded }, "round \(round)")
      }
    }
  }

  @Test func `a pause fades over 5 ms, and playing resumes where it stopped`() throws {
    let (player, prefetch) = try stream([Float](repeating: 0.5, count: 48000))
    player.play()
    _ = play(player, prefetch, count: 4800)
    player.pause()
    let fade = play(player, prefetch, count: 480)[0]
    #expect(fade[239] == 0 && fade[479] == 0)
    for frame in 0..<239 { #expect(abs(fade[frame] - 0.5 * (1 - Float(frame + 1) / 240)) < 1e-6) }
    #expect(player.stream.position == 5040)
    player.play()
    let back = play(player, prefetch, count: 480)[0]
    #expect(abs(back[0] - 0.5 / 240) < 1e-6 && back[239] == 0.5 && back[479] == 0.5)
    #expect(player.stream.position == 5520)
  }

  @Test func `a seek while playing goes to the exact frame`() throws {
    let sound = noise(600_000)
    let (player, prefetch) = try stream(sound)
    player.play()
    _ = play(player, prefetch, count: 6400)
    player.stream.seek(to: 500_000)
    // Four blocks of fade-out, then a fade-in at the new position.
    let heard = play(player, prefetch, count: 1280)[0]
    let start = try #require((240..<700).first { heard[$0 + 400] == sound[500_400] })
    #expect(Array(heard[start + 240..<start + 500]) == Array(sound[500_240..<500_500]))
    #expect(player.stream.underruns.count == 0)
  }

  @Test func `a gain in decibels glides and is exact at rest`() throws {
    let (player, prefetch) = try stream([Float](repeating: 1, count: 48000))
    player.source.set(0, to: -6.0206, over: 960)
    player.play()
    let heard = play(player, prefetch, count: 2000)[0]
    #expect(abs(heard[479] - 0.75) < 1e-3)
    #expect(abs(heard[1999] - 0.5) < 1e-5)
    player.source.set(0, to: -96, over: 0)
    #expect(play(player, prefetch, count: 10)[0] == [Float](repeating: 0, count: 10))
  }

  @Test func `an invalid gain does no harm`() throws {
    let (player, prefetch) = try stream([Float](repeating: 1, count: 48000))
    player.play()
    let loudest = Decibels.fader(24)
    for (value, heard) in [
      (Float.nan, 1), (1000, loudest), (.infinity, loudest), (.nan, loudest), (-.infinity, 0), (-1e9, 0),
    ] {
      player.source.set(0, to: value, over: 0)
      #expect(play(player, prefetch, count: 10)[0] == [Float](repeating: heard, count: 10), "\(value)")
    }
    for rate in [Double.nan, .infinity, -1, 0, 1e300] {
      #expect(
        1...0x1p24 ~= StreamSource(channelCount: 0, sampleRate: rate, length: -1, capacity: -1).sampleRate)
    }
    for frame in [Int64.min, .max] {
      let odd = StreamPlayer(StreamSource(channelCount: 1, sampleRate: 48000, length: nil, capacity: 64))
      odd.play(at: frame)
      odd.stream.seek(to: Int(frame))
      BlockBackend(odd.source, outputs: 2).run(frame: -1000, count: 64)
    }
  }

  @Test func `of parameter changes that come faster than they are read, the last is never lost`() {
    let player = StreamPlayer(StreamSource(channelCount: 1, sampleRate: 48000, length: nil, capacity: 64))
    let backend = BlockBackend(player.source, outputs: 1)
    for step in 1...2000 {
      player.source.set(1, to: Float(step) / 1000, over: 0)
      if step < 1000 { player.source.set(2, to: Float(step) / 500, over: 0) }
      player.source.set(3, to: Float(step) / 100, over: 0)
    }
    var asked: [StreamSource.Parameter: Float] = [:], count = 0
    func takeChanges() {
      while let change = player.stream.parameterChanges.pop() {
        asked[change.parameter] = change.value
        count += 1
      }
    }
    takeChanges()
    #expect(count == 1024)
    backend.run(frame: 0, count: 64)
    takeChanges()
    #expect(asked == [.speed: 2, .varispeed: 1.998, .pitch: 20] && count == 1027)
    // Afterwards all is as before.
    player.source.set(1, to: 3, over: 0)
    takeChanges()
    backend.run(frame: 64, count: 64)
    takeChanges()
    #expect(asked[.speed] == 3 && count == 1028)
  }

  @Test func `an underrun is silent and counted, and playback stays in time`() {
    let player = StreamPlayer(StreamSource(channelCount: 1, sampleRate: 48000, length: nil, capacity: 256))
    let backend = BlockBackend(player.source, outputs: 1)
    func put(_ numbers: Range<Int>) {
      let samples = player.stream.ring.writableSamples(of: 0)
      for (index, number) in numbers.enumerated() { samples[index] = Float(number) }
      player.stream.ring.commit(numbers.count)
    }
    put(0..<100)
    player.play()
    #expect(backend.run(frame: 0, count: 64)[0] == (0..<64).map { Float($0) })
    #expect(backend.run(frame: 64, count: 64)[0].suffix(28) == [Float](repeating: 0, count: 28)[...])
    #expect(player.stream.underruns == (1, 28))
    put(100..<256)
    // Frames 100 to 127 arrive too late and are skipped; the rest fades in over 240 frames.
    let after = backend.run(frame: 128, count: 64)[0]
    for frame in 0..<64 { #expect(abs(after[frame] - Float(128 + frame) * Float(frame + 1) / 240) < 1e-3) }
    #expect(player.stream.position == 192)
  }

  @Test func `the prefetch thread keeps up with playback`() throws {
    let folder = try Folder()
    let sound = noise(600_000)
    try write([sound], folder["a.wav"], rate: 44100)
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(path: folder["a.wav"], sampleRate: 48000, loops: .forever))
    #expect(player.stream.length == nil)
    let backend = BlockBackend(player.source, outputs: 1)
    player.play()
    // Ten times faster than real time, without calls of `fill`.
    for block in 0..<500 {
      backend.run(frame: Int64(block * 1024), count: 1024)
      usleep(2000)
    }
    #expect(player.stream.underruns.count == 0)
  }
}
