// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletGraph
public import SwiftletJack
public import SwiftletLV2
public import SwiftletSignal
public import SwiftletStretch
public import SwiftletTimeline

/// Why an engine will not do what it was asked. Each prints as one sentence that says what to do.
@nonexhaustive public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The graph refuses the edit.
  case graph(GraphError)
  /// The JACK server failed or refused.
  case jack(JackError)
  /// The session contradicts itself.
  case session(SessionError)
  /// The plugin cannot be used.
  case plugin(PluginError)
  /// The file cannot be used.
  case file(FileError)
  /// The effect cannot be made.
  case effect(name: String, EffectError)
  /// The effect is made with no file of this name.
  case unknownFile(effect: String, file: String, known: [String])
  /// The effect cannot be made without a file of this name.
  case missingFile(effect: String, file: String)
  /// The effect has no such engine; these it has.
  case unknownEngine(node: String, StretchEngine, known: [String])
  /// The engine that the node asks for is not in this build.
  case notBuilt(node: String, StretchEngine)
  /// The engine that the node needs does not work at the sample rate.
  case engineRate(node: String, StretchEngine, Double)
  /// No built-in effect of this name; the nearest one, if any is near.
  case unknownEffect(String, nearest: String?)
  /// No node of this name; the nearest one, if any is near.
  case unknownNode(String, nearest: String?)
  /// A lane has values or ranges that are not possible.
  case automation(AutomationError)
  /// The node has no such parameter.
  case unknownParameter(node: String, parameter: String, nearest: String?)
  /// The parameter has no such named value.
  case unknownChoice(node: String, parameter: String, choice: String, known: [String])
  /// The text does not say a value that the parameter takes.
  case badValue(node: String, parameter: String, text: String, expected: String)
  /// The value is no number.
  case notANumber(node: String, parameter: String)
  /// The effect has no band with this index, counted from 0.
  case noSuchBand(node: String, band: Int, count: Int)
  /// The effect or plugin has no such preset.
  case unknownPreset(node: String, preset: String, known: [String])
  /// A number of bands that the effect cannot have.
  case bands(node: String, count: Int, range: ClosedRange<Int>)
  /// The node was detached, or belongs to another engine.
  case notAttached(String)
  /// The node is the main input, output or mixer, which cannot be detached.
  case mainNode(String)
  /// The node has no bus of this name.
  case unknownBus(node: String, bus: String, known: [String])
  /// Only an offline engine does this.
  case offlineOnly(String)
  /// The function needs an engine in JACK.
  case liveOnly(String)
  /// More frames than a cycle may have.
  case tooManyFrames(asked: Int, most: Int)
  /// The node is not a player.
  case notAPlayer(String)
  /// The player will not schedule that, or go there.
  case schedule(node: String, ScheduleError)
  /// Sound cannot have so many frames a second.
  case sampleRate(Double)
  /// Pieces of a tap cannot have so many frames.
  case bufferSize(Int)
  /// An input buffer for `render` has another sample rate, in hertz, than the engine.
  case bufferRate(node: String, Double, expected: Double)
  /// The recorder has a tap of this name.
  case duplicateTap(String)
  /// The recorder has no tap of this name; these it has.
  case unknownTap(String, known: [String])
  /// The engine renders or exports already: on another thread, or in a function that it calls while it renders.
  case isRendering
  /// An edit changes a part of the graph that another edit has changed since it began.
  case conflict(String)
  /// A function that was passed to the engine threw this.
  case closure(any Error)
  /// The file is being recorded.
  case recording(String)
  /// The loop of a timeline is shorter than 50 ms, or begins before the timeline.
  case timelineLoop(Range<MediaTime>)
  /// The server has gone; nothing sounds any more.
  case serverLost

  public var description: String {
    switch self {
    case .graph(let error): "\(error)"
    case .jack(let error): "\(error)"
    case .session(let error): "\(error)"
    case .plugin(let error): "\(error)"
    case .file(let error): "\(error)"
    case .automation(let error): "\(error)"
    case .closure(let error): "\(error)"
    case .effect(let name, let error): Self.refusalText(of: name, error)
    case .unknownFile(let effect, let file, let known): Self.unknownFileText(file, of: effect, known)
    case .missingFile(let effect, let file): "'\(effect)' needs a file '\(file)'; name one under 'files'"
    case .unknownEngine(let node, let engine, let known): Self.unknownEngineText(engine, of: node, known)
    case .notBuilt(let node, let engine):
      "'\(node)' asks for the engine '\(engine)': \(StretchEngine.howToBuild)"
    case .engineRate(let node, let engine, let rate): Self.badRateText(rate, for: engine, of: node)
    case .unknownEffect(let name, let nearest): "there is no effect '\(name)'" + Self.hint(nearest)
    case .unknownNode(let name, let nearest): "there is no node '\(name)'" + Self.hint(nearest)
    case .timelineLoop(let range):
      "the timeline cannot loop from \(range.lowerBound) to \(range.upperBound): a loop begins at 0 s or later and "
        + "lasts 50 ms or longer"
    case .unknownParameter(let node, let parameter, let nearest):
      "'\(node)' has no parameter '\(parameter)'" + Self.hint(nearest)
    case .unknownChoice(let node, let parameter, let choice, let known):
      Self.badValueText(choice, of: parameter, of: node, expected: known.joined(separator: ", "))
    case .badValue(let node, let parameter, let text, let expected):
      Self.badValueText(text, of: parameter, of: node, expected: expected)
    case .notANumber(let node, let parameter):
      "'\(parameter)' of '\(node)' was given a value that is no number"
    case .noSuchBand(let node, let band, let count): Self.noSuchBandText(node, band, count)
    case .unknownPreset(let node, let preset, let known): Self.unknownPresetText(preset, of: node, known)
    case .bands(let node, let count, let range): Self.badBandsText(of: node, count, range)
    case .notAttached(let name): "'\(name)' is not attached to this engine"
    case .mainNode(let name):
      "'\(name)' is a node that every engine has, and cannot be detached; disconnect it instead"
    case .unknownBus(let node, let bus, let known):
      "'\(node)' has no bus '\(bus)': it has \(known.joined(separator: ", "))"
    case .offlineOnly(let what):
      "\(what) needs an offline engine: make it with 'AudioEngine.offline(sampleRate:)'"
    case .liveOnly(let what): "\(what) needs an engine in JACK: make it with 'AudioEngine(client:)'"
    case .tooManyFrames(let asked, let most): "\(asked) frames were asked for: 1 to \(most) are possible"
    case .notAPlayer(let name): "'\(name)' is not a player"
    case .schedule(let node, let error): "'\(node)' cannot do that: \(error)"
    case .sampleRate(let rate): "\(rate) frames a second were asked for: 1000 to 1536000 are possible"
    case .bufferSize(let count): "a tap cannot have pieces of \(count) frames: 1 or more are possible"
    case .bufferRate(let node, let rate, let expected): Self.bufferRateText(rate, of: node, expected)
    case .duplicateTap(let tap): "the recorder has a tap '\(tap)' already; choose another name"
    case .unknownTap(let tap, let known):
      "the recorder has no tap '\(tap)': " + Self.list(known, orElse: "add it first")
    case .isRendering: "the engine renders already; wait until that has ended"
    case .conflict(let part): Self.conflictText(part)
    case .recording(let path): "'\(path)' is being recorded; stop that first"
    case .serverLost: "the JACK server has gone: make a new engine when it is back"
    }
  }
}
