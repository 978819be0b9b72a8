// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletGraph
import Testing

/// Steps of mixes and of volume lanes.
extension MixTests {
  /// Returns the volume after a step from 1 to 0.25 at 2 s, `frames` frames long and smooth.
  private func smooth(_ frame: Int, over frames: Int) -> Float {
    let way = Float(min(max(frame - 2 * Self.rate + 1, 0), frames)) / Float(frames)
    return 1 - 0.75 * way * way * (3 - 2 * way)
  }

  private func expect(_ heard: [Float], over frames: Int) {
    for frame in 0..<3 * Self.rate {
      let wanted = samples[frame] * smooth(frame, over: frames)
      guard abs(heard[frame] - wanted) < 1e-6 else {
        Issue.record("frame \(frame): \(heard[frame]), not \(wanted)")
        return
      }
    }
  }

  //   5 ms are 40 frames; 1 frame is an exact step
  @Test(
    arguments: [
      (.zero, nil, 1), (.milliseconds(5), nil, 40), (.zero, .milliseconds(10), 80),
      (.milliseconds(5), .zero, 1),
    ] as [(MediaTime, MediaTime?, Int)], [1, 64, 1000])
  func `steps of a mix are exact unless it declicks them`(
    _ options: (mix: MediaTime, track: MediaTime?, frames: Int), block: Int
  ) throws {
    let rig = try Rig(path, block: block)
    var mix = AudioMix()
    try mix["music"].setVolume(0.25, at: .seconds(2))
    mix.declick = options.mix
    mix["music"].declick = options.track
    try rig.engine.apply(mix)
    expect(try rig.render(3 * Self.rate)[0], over: options.frames)
    let coded = try JSONDecoder().decode(AudioMix.self, from: JSONEncoder().encode(mix))
    #expect(coded == mix)
  }

  @Test(arguments: [Automation.Curve.linear, .step])
  func `a point of a volume lane glides for 5 ms, unless it is a bare step`(curve: Automation.Curve) throws {
    let rig = try Rig(path, block: 64)
    var lane = Automation(1)
    try lane.set(0.25, at: .seconds(2), curve: curve)
    try rig.music.automate("volume", with: lane)
    expect(try rig.render(3 * Self.rate)[0], over: curve == .step ? 1 : 40)
  }
}
