// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting

/// An environment with some sources, for tests.
struct EnvironmentRig: ~Copyable {
  typealias Room = Environment.RoomParameter
  typealias Source = Environment.SourceParameter

  private var rig: EffectRig<Environment>
  private let channels: Int

  init(channels: Int = 1, rate: Double = 48_000, file: String? = nil) throws {
    self.channels = channels
    rig = try EffectRig(Self.layout(channels: channels, rate: rate, file: file))
  }

  static func layout(channels: Int, rate: Double = 48_000, file: String? = nil, bands: Int = 0) -> Layout {
    Layout(
      sampleRate: rate, longestBlock: 1024, inputs: [channels], outputs: [2, 1], bandCount: bands,
      files: [file.map { .path(Array($0.utf8CString)) }])
  }

  mutating func set(_ room: Room, _ value: Float, over frames: Int = 0) {
    rig.set(.room(room), to: value, over: frames)
  }

  mutating func set(_ parameter: Source, of source: Int = 0, _ value: Float, over frames: Int = 0) {
    rig.set(.source(source, parameter), to: value, over: frames)
  }

  mutating func put(_ source: Int = 0, at point: SIMD3<Float>, over frames: Int = 0) {
    set(.x, of: source, point.x, over: frames)
    set(.y, of: source, point.y, over: frames)
    set(.z, of: source, point.z, over: frames)
  }

  mutating func reset() { rig.reset() }

  var tail: Int { rig.tail }

  /// Returns the outputs: left, right and reverb.
  mutating func render(_ input: [[Float]], blockSize: Int = 256, changes: [Change] = []) -> [[Float]] {
    rig.render(input, blockSize: blockSize, changes: changes)
  }

  /// Returns the outputs' values for a constant input of 1.
  mutating func gains() -> (left: Double, right: Double, reverb: Double) {
    rig.reset()
    let ones = Array(repeating: [Float](repeating: 1, count: 64), count: channels)
    let heard = rig.render(ones)
    return (Double(heard[0][63]), Double(heard[1][63]), Double(heard[2][63]))
  }

  /// Returns a change of a source's parameter for ``render(_:blockSize:changes:)``.
  static func change(
    at frame: Int, _ parameter: Source, of source: Int = 0, to value: Float, over frames: Int
  )
    -> Change
  {
    Change(at: frame, Environment.Parameter.source(source, parameter).rawValue, to: value, over: frames)
  }
}
