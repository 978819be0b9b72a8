// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// The processor of a capture node while the session's mode is `voice-chat`.
struct VoiceProcessor {
  let processor: Processor
  /// The number of channels and the period that the processor was made for.
  let channelCount: Int, period: Int
}

/// The voice processors by their capture nodes.
struct Voices {
  var processors: [NodeID: VoiceProcessor] = [:]
  /// JACK's period; nil offline.
  var period: Int?
  /// Whether voice processing is suspended for a moment, so that new processors can replace the old ones.
  var rest = false
}

extension EngineCore {
  /// The delay of the voice processor's side-chain, which receives what is played, in frames. It is shorter than the
  /// delay of any loudspeaker, and long enough for a graph that plays the voice itself to be rendered in blocks of
  /// this length.
  private static var lateness: Int { 64 }

  /// Whether voices are processed.
  var isProcessingVoices: Bool { life?.session.mode == .voiceChat && !voices.rest }

  /// The period that voice processors are made for, in frames: JACK's period, or offline the longest block, but at
  /// least 512. A longer period adds latency.
  private var voicePeriod: Int { max(voices.period ?? controller.renderer.longestBlock, 512) }

  /// Makes a processor for each capture node while voices are processed, and removes all others.
  mutating func fitVoices() throws(EngineError) {
    guard isProcessingVoices else {
      voices.processors = [:]
      return
    }
    let captures = graph.captures
    let known = Set(captures.map(\.id))
    voices.processors = voices.processors.filter { known.contains($0.key) }
    for node in captures {
      let channels = node.outputs[0].channelCount
      if voices.processors[node.id]?.channelCount != channels {
        voices.processors[node.id] = try voice(channels)
      }
    }
  }

  private func voice(_ channels: Int) throws(EngineError) -> VoiceProcessor {
    let effect = "voice-processing"
    guard let entry = EffectCatalog.builtIn.registry[effect] else {
      throw .unknownEffect(effect, nearest: nil)
    }
    let period = voicePeriod
    let layout = Layout(
      sampleRate: controller.renderer.sampleRate, longestBlock: period,
      inputs: entry.info.inputs.map { BusFormat($0.content, channels: channels).channelCount },
      outputs: [channels])
    do throws(EffectError) {
      return VoiceProcessor(processor: try entry.make(layout), channelCount: channels, period: period)
    } catch {
      throw .effect(name: effect, error)
    }
  }

  /// Replaces voice processors that were made for a shorter period than JACK's: the old ones fade out, and the new
  /// ones in.
  mutating func refitVoices() {
    guard isRunning else { return }
    if voices.rest {
      guard controller.isSettled else { return }
      voices.rest = false
    } else {
      guard isProcessingVoices, voices.processors.values.contains(where: { $0.period < voicePeriod }) else {
        return
      }
      voices.rest = true
    }
    // A graph that cannot be compiled has been refused before. It then stays as it is, and the next edit reports the
    // reason.
    try? commit()
  }

  /// Returns the graph with a voice processor for each capture node, while voices are processed; otherwise the graph
  /// itself.
  func processingVoices(_ graph: Graph) throws(EngineError) -> Graph {
    guard isProcessingVoices else { return graph }
    return try graphEdit { () throws(GraphError) in
      try graph.processingCaptures(reference: 2, late: Self.lateness)
    }
  }
}
