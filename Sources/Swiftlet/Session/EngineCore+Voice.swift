// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// What works on the sound of a capture node while the session's mode is `voice-chat`.
struct VoiceProcessor {
  let processor: Processor
  /// For how many channels, and for which period, it was made.
  let channelCount: Int, period: Int
}

/// What works on voices, by the capture nodes that they come from.
struct Voices {
  var processors: [NodeID: VoiceProcessor] = [:]
  /// JACK's period; nil offline.
  var period: Int?
  /// Whether they are let be for a moment, so that others can take their place.
  var rest = false
}

extension EngineCore {
  /// How late the voice's side-chain hears what is played, in frames: less than any loudspeaker takes to be heard, and
  /// enough for a graph that plays the voice itself to be run in blocks of this length.
  private static var lateness: Int { 64 }

  /// Whether voices are worked on.
  var isChatting: Bool { life?.session.mode == .voiceChat && !voices.rest }

  /// As late as JACK's period asks for, and no later.
  private var voicePeriod: Int { max(voices.period ?? host.renderer.longestBlock, 512) }

  /// Sees to it that each capture node has its processor while voices are worked on, and none else.
  mutating func fitVoices() throws(EngineError) {
    guard isChatting else {
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
    guard let entry = EffectCatalog.builtIn.units[effect] else {
      throw .unknownEffect(effect, nearest: nil)
    }
    let period = voicePeriod
    let layout = Layout(
      sampleRate: host.renderer.sampleRate, longestBlock: period,
      inputs: entry.info.inputs.map { BusFormat($0.content, channels: channels).channelCount },
      outputs: [channels])
    do throws(EffectError) {
      return VoiceProcessor(processor: try entry.make(layout), channelCount: channels, period: period)
    } catch {
      throw .effect(name: effect, error)
    }
  }

  /// Has voices made anew that were made for a shorter period than JACK's: they fade out, and others in.
  mutating func keepVoices() {
    guard isRunning else { return }
    if voices.rest {
      guard host.isSettled else { return }
      voices.rest = false
    } else {
      guard isChatting, voices.processors.values.contains(where: { $0.period < voicePeriod }) else { return }
      voices.rest = true
    }
    // What fails has been refused before: then the graph stays as it is, until the next edit tells why.
    try? commit()
  }

  /// A graph in which all voices are worked on, as long as they are.
  func chatting(_ graph: Graph) throws(EngineError) -> Graph {
    guard isChatting else { return graph }
    return try graphEdit { () throws(GraphError) in
      try graph.processingCaptures(reference: 2, late: Self.lateness)
    }
  }
}
