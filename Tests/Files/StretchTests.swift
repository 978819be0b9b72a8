// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletPlayback
import Foundation
import SwiftletFiles
import SwiftletGraph
import SwiftletSignal
import SwiftletStretch
import Testing

/// Players with a changed speed and pitch. (`StretcherTests` tests their accuracy.)
@Suite struct StretchTests {
  private let rate = 48_000

  private func sine(_ frequency: Double, seconds: Double) -> [Float] {
    let phaseStep = 2 * Double.pi * frequency / Double(rate)
    return (0..<Int(seconds * Double(rate))).map { Float(0.5 * sin(phaseStep * Double($0))) }
  }

  private func write(_ sound: [Float], _ path: String) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: Double(rate), channelCount: 1)
    try writer.write([sound])
    try writer.close()
  }

  /// A parameter change before a block.
  private struct Change {
    var frame: Int, parameter: Int, value: Float
  }

  private func play(
    _ player: StreamPlayer, _ prefetch: PrefetchThread, count: Int, block: Int = 480, _ changes: [Change] = []
  ) -> [Float] {
    let backend = BlockBackend(player.source, outputs: 1)
    var result: [Float] = [], done = 0
    while done < count {
      for change in changes where change.frame == done {
        player.source.set(change.parameter, to: change.value, over: -1)
      }
      let next = changes.map(\.frame).filter { $0 > done }.min() ?? count
      let run = min(block, count - done, next - done)
      prefetch.fill(atLeast: run)
      result += backend.run(frame: Int64(done), count: run)[0]
      done += run
    }
    return result
  }

  private func frequency(_ samples: ArraySlice<Float>) -> Double {
    var zeros: [Double] = []
    for frame in samples.indices.dropLast() where samples[frame] < 0 && samples[frame + 1] >= 0 {
      zeros.append(Double(frame) - Double(samples[frame] / (samples[frame + 1] - samples[frame])))
    }
    guard zeros.count > 1 else { return 0 }
    return Double(zeros.count - 1) * Double(rate) / (zeros[zeros.count - 1] - zeros[0])
  }

  @Test(arguments: [
    Stretch(speed: 0.8), Stretch(speed: 2.5), Stretch(varispeed: 0.5), Stretch(varispeed: 1.7),
    Stretch(pitch: 7), Stretch(speed: 1.25, varispeed: 0.9, pitch: -3),
  ])
  func `a file lasts exactly as long as its speed implies`(stretch: Stretch) throws {
    let folder = try Folder()
    try write(sine(440, seconds: 2), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(
        path: folder["a.wav"], sampleRate: rate, quality: .best, stretch: stretch))
    let length = Int((96_000 / (stretch.speed * stretch.varispeed)).rounded())
    #expect(player.stream.length == length)
    player.play()
    let heard = play(player, prefetch, count: length + 960)
    #expect(player.stream.hasEnded && player.stream.underruns.count == 0)
    #expect(heard[length...].allSatisfy { $0 == 0 })
    #expect(heard[(length - 2400)..<length].contains { abs($0) > 0.1 }, "the end is there, within a piece")
    let wanted = 440 * stretch.varispeed * exp2(stretch.pitch / 12)
    #expect(abs(1200 * log2(frequency(heard[9600..<length - 9600]) / wanted)) < 2)
    #expect(abs(player.stream.position - 96_000) <= 1)
  }

  @Test func `a file that is not stretched is unchanged, bit by bit`() throws {
    let folder = try Folder()
    let sound = noise(20_000)
    try write(sound, folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate, quality: .best))
    player.play()
    #expect(play(player, prefetch, count: 20_000) == sound)
  }

  @Test func `offline, a change is heard after the lead, on the same frame in blocks of any size`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 4), folder["a.wav"])
    let changes = [
      Change(frame: 24_000, parameter: 2, value: 2), Change(frame: 48_000, parameter: 3, value: 5),
      Change(frame: 60_000, parameter: 1, value: 0.5),
    ]
    var renders: [[Float]] = []
    for block in [480, 64, 1000] {
      let prefetch = PrefetchThread()
      let player = StreamPlayer(
        try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate, quality: .best))
      player.play()
      renders.append(play(player, prefetch, count: 96_000, block: block, changes))
    }
    #expect(renders[1] == renders[0] && renders[2] == renders[0])
    let heard = renders[0]
    #expect(Array(heard[..<33_600]) == Array(sine(300, seconds: 4)[..<33_600]), "before it, the file")
    #expect(abs(frequency(heard[36_000..<56_000]) - 600) < 1)
    // A click in this sine would bend by half of full scale; the sine at 900 Hz bends by 0.007.
    let slopes = zip(heard, heard.dropFirst()).map { $1 - $0 }
    let worst = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(worst < 0.03, "it bends by \(worst)")
  }

  @Test func `a change during playback is heard soon, without a click`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 6), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate))
    player.play()
    let backend = BlockBackend(player.source, outputs: 1)
    var heard: [Float] = []
    for block in 0..<200 {
      if block == 50 { player.source.set(2, to: 2, over: -1) }
      if block == 120 { player.source.set(2, to: 0.5, over: -1) }
      heard += backend.run(frame: Int64(block * 480), count: 480)[0]
      usleep(10_000)
    }
    // The file was two seconds ahead, so it is read again some blocks later.
    #expect(abs(frequency(heard[43_200..<57_600]) - 600) < 2)
    #expect(abs(frequency(heard[76_800..<96_000]) - 150) < 2)
    let slopes = zip(heard, heard.dropFirst()).map { $1 - $0 }
    let worst = zip(slopes, slopes.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(worst < 0.03, "it bends by \(worst)")
  }

  @Test func `the position follows a speed that changes continuously`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 7), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate, quality: .best))
    #expect(player.stream.changeDelay == 9600)
    player.play()
    let speed = { (frame: Int) in Float(1 + Double(max(frame, 0)) / 144_000) }
    let changes = (0..<300).map { Change(frame: 480 * $0, parameter: 1, value: speed(480 * $0)) }
    _ = play(player, prefetch, count: 144_000, changes)
    // A change at a frame is heard 9600 frames later.
    let passed = changes.reduce(0.0) { $0 + 480 * Double(speed($1.frame - 9600)) }
    #expect(abs(Double(player.stream.position) - passed) <= 2, "\(player.stream.position) \(passed)")
    // Without further changes it continues from there.
    _ = play(player, prefetch, count: 48_000)
    let last = (300..<400).reduce(passed) { $0 + 480 * Double(speed(min(480 * $1 - 9600, 299 * 480))) }
    #expect(abs(Double(player.stream.position) - last) <= 2, "\(player.stream.position) \(last)")
  }

  @Test func `a new speed takes effect even if the whole file is already in the ring`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 1), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate))
    player.play()
    // The whole file is in the ring by the first block.
    prefetch.fill(atLeast: 48_000)
    prefetch.fill(atLeast: 48_000)
    let heard = play(player, prefetch, count: 96_000, [Change(frame: 24_000, parameter: 1, value: 0.5)])
    let end = (heard.lastIndex { abs($0) > 1e-3 } ?? 0) + 1
    #expect(abs(end - 72_500) < 1500, "\(end)")
    #expect(player.stream.hasEnded && !player.isPlaying && abs(player.stream.position - 48_000) <= 1)
  }

  @Test func `a speed set after the end applies to the next playback`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 1), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(try prefetch.makeSource(path: folder["a.wav"], sampleRate: rate))
    player.play()
    _ = play(player, prefetch, count: 48_480)
    player.source.set(1, to: 2, over: -1)
    _ = play(player, prefetch, count: 4800)
    #expect(player.stream.hasEnded && !player.isPlaying)
    player.play()
    let again = play(player, prefetch, count: 48_000)
    let start = again.firstIndex { $0 != 0 } ?? 0, last = again.lastIndex { abs($0) > 1e-3 } ?? 0
    #expect(start < 1000 && abs(last - start - 24_000) < 1000, "\(start) to \(last)")
  }

  @Test func `a player seeks to a frame of the file at any speed, and loops endlessly`() throws {
    let folder = try Folder()
    let sound = sine(300, seconds: 1) + sine(500, seconds: 1)
    try write(sound, folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(
        path: folder["a.wav"], sampleRate: rate, loops: .forever, quality: .best, stretch: Stretch(speed: 2)))
    #expect(player.stream.length == nil)
    player.stream.seek(to: 60_000)
    player.play()
    let heard = play(player, prefetch, count: 72_000)
    #expect(abs(frequency(heard[2000..<16_000]) - 500) < 2)
    #expect(abs(frequency(heard[22_000..<40_000]) - 300) < 2)
    #expect(!player.stream.hasEnded)
  }

  @Test func `a file can end soon after its varispeed drops to the minimum`() throws {
    let folder = try Folder()
    try write(sine(300, seconds: 1.25), folder["a.wav"])
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(
        path: folder["a.wav"], sampleRate: rate, quality: .best, stretch: Stretch(varispeed: 4)))
    player.play()
    let heard = play(player, prefetch, count: 120_000, [Change(frame: 2000, parameter: 2, value: 0.25)])
    #expect(player.stream.hasEnded)
    // Its remaining 13,600 frames last four times as long.
    let end = (heard.lastIndex { $0 != 0 } ?? 0) + 1
    #expect(abs(end - 66_000) < 2400)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -1])
  func `an invalid speed is clamped to its range`(speed: Double) throws {
    let folder = try Folder()
    try write(sine(300, seconds: 1), folder["a.wav"])
    var stretch = Stretch()
    stretch.speed = speed
    stretch.varispeed = speed
    stretch.pitch = speed
    let prefetch = PrefetchThread()
    let player = StreamPlayer(
      try prefetch.makeSource(
        path: folder["a.wav"], sampleRate: rate, quality: .best, stretch: stretch))
    player.play()
    #expect(play(player, prefetch, count: 4800).contains { $0 != 0 })
    // A player that is filled elsewhere also counts frames of the file at one of its speeds.
    let own = StreamPlayer(
      StreamSource(
        channelCount: 1, sampleRate: 48_000, length: nil, speed: speed, varispeed: speed))
    own.stream.ring.commit(960)
    own.play()
    _ = BlockBackend(own.source, outputs: 1).run(frame: 0, count: 480)
    #expect(30...7680 ~= own.stream.position)
  }

  @Test func `sound with too many channels is refused with an error`() throws {
    let folder = try Folder()
    let writer = try AudioFileWriter(
      folder["a.wav"], format: RecordingFormat(path: "a.wav"), sampleRate: Double(rate), channelCount: 20)
    try writer.write([[Float]](repeating: [0.5], count: 20))
    try writer.close()
    #expect(throws: FileError.self) {
      _ = try PrefetchThread().makeSource(path: folder["a.wav"], sampleRate: rate, stretch: Stretch(pitch: 1))
    }
  }
}
