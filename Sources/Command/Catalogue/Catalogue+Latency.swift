// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletLV2

extension Catalogue {
  /// The sample rate at which latencies are measured, in Hz.
  static let usualRate = 48_000.0

  /// Returns the latency of an effect or plugin with default parameters, in frames at 48 kHz; nil if it cannot be
  /// measured.
  func latency(of info: ProcessorInfo) -> Int? {
    switch info.origin {
    case .builtIn:
      guard let engine = try? AudioEngine(.offline(sampleRate: Self.usualRate)) else { return nil }
      return (try? engine.attach(.effect(info.id)))?.latency
    case .lv2:
      guard info.refusal == nil else { return nil }
      return try? world.latency(
        uri: info.id, layout: PluginLayout(sampleRate: Self.usualRate, longestBlock: 1024))
    }
  }
}
