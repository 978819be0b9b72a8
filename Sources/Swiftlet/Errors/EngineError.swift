// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletGraph
public import SwiftletJack
public import SwiftletLV2
public import SwiftletSignal
public import SwiftletStretch
public import SwiftletTimeline

/// An error of an engine. Its description is one sentence that states what failed and what to do.
@nonexhaustive public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The graph cannot be edited in this way.
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
  /// The effect does not use a file of this name.
  case unknownFile(effect: String, file: String, known: [String])
  /// The effect requires a file of this name.
  case missingFile(effect: String, file: String)
  /// The effect does not have this stretch algorithm; `known` lists those that it has.
  case unknownAlgorithm(node: String, StretchAlgorithm, known: [String])
  /// The stretch algorithm is not included in this build.
  case notBuilt(node: String, StretchAlgorithm)
  /// The stretch algorithm does not support the sample rate.
  case algorithmRate(node: String, StretchAlgorithm, Double)
  /// The engine's catalog has no effect of this name; `nearest` is a similar name, if there is one.
  case unknownEffect(String, nearest: String?)
  /// There is no node of this name; `nearest` is a similar name, if there is one.
  case unknownNode(String, nearest: String?)
  /// A lane has invalid values or ranges.
  case automation(AutomationError)
  /// The node has no such parameter.
  case unknownParameter(node: String, parameter: String, nearest: String?)
  /// The parameter has no such named value.
  case unknownChoice(node: String, parameter: String, choice: String, known: [String])
  /// The text is not a valid value of the parameter.
  case badValue(node: String, parameter: String, text: String, expected: String)
  /// The value is NaN.
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
  /// The function needs an offline engine.
  case offlineOnly(String)
  /// The function needs an engine in JACK.
  case liveOnly(String)
  /// More frames were asked for than a block may have.
  case tooManyFrames(asked: Int, most: Int)
  /// The node is not a player.
  case notAPlayer(String)
  /// The player cannot schedule the item, or move to the position.
  case schedule(node: String, ScheduleError)
  /// An invalid sample rate, in Hz.
  case sampleRate(Double)
  /// An invalid buffer size of a tap, in frames.
  case bufferSize(Int)
  /// An input buffer for `render` has a sample rate other than the engine's, in Hz.
  case bufferRate(node: String, Double, expected: Double)
  /// The recorder has a tap of this name already.
  case duplicateTap(String)
  /// The recorder has no tap of this name; `known` lists those that it has.
  case unknownTap(String, known: [String])
  /// The engine is already rendering or exporting: on another thread, or in a function that it calls while it
  /// renders.
  case isRendering
  /// The edit changes a part of the graph that another edit has changed since it began.
  case conflict(String)
  /// An error that a function passed to the engine threw.
  case closure(any Error)
  /// The file is being recorded to.
  case recording(String)
  /// The loop of a timeline is shorter than 50 ms, or begins before the timeline.
  case timelineLoop(Range<MediaTime>)
  /// The server has ended, and the engine with it.
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
    case .unknownAlgorithm(let node, let algorithm, let known):
      Self.unknownAlgorithmText(algorithm, of: node, known)
    case .notBuilt(let node, let algorithm):
      "'\(node)' needs the stretch algorithm '\(algorithm)': \(StretchAlgorithm.howToBuild)"
    case .algorithmRate(let node, let algorithm, let rate): Self.badRateText(rate, for: algorithm, of: node)
    case .unknownEffect(let name, let nearest):
      "there is no effect '\(name)'" + Self.hint(nearest, orElse: "choose one of the catalog")
    case .unknownNode(let name, let nearest):
      "there is no node '\(name)'" + Self.hint(nearest, orElse: "choose an attached node")
    case .timelineLoop(let range):
      "the timeline cannot loop from \(range.lowerBound) to \(range.upperBound): a loop begins at 0 s or later and "
        + "lasts 50 ms or longer"
    case .unknownParameter(let node, let parameter, let nearest):
      "'\(node)' has no parameter '\(parameter)'" + Self.hint(nearest, orElse: "choose one of its parameters")
    case .unknownChoice(let node, let parameter, let choice, let known):
      Self.badValueText(choice, of: parameter, of: node, expected: known.joined(separator: ", "))
    case .badValue(let node, let parameter, let text, let expected):
      Self.badValueText(text, of: parameter, of: node, expected: expected)
    case .notANumber(let node, let parameter):
      "'\(parameter)' of '\(node)' was set to a value that is not a number; set a number in its range"
    case .noSuchBand(let node, let band, let count): Self.noSuchBandText(node, band, count)
    case .unknownPreset(let node, let preset, let known): Self.unknownPresetText(preset, of: node, known)
    case .bands(let node, let count, let range): Self.badBandsText(of: node, count, range)
    case .notAttached(let name): "'\(name)' is not attached to this engine; attach it first"
    case .mainNode(let name):
      "'\(name)' is a node that every engine has, and cannot be detached; disconnect it instead"
    case .unknownBus(let node, let bus, let known):
      "'\(node)' has no bus '\(bus)': it has \(known.joined(separator: ", "))"
    case .offlineOnly(let what):
      "\(what) needs an offline engine: make it with 'AudioEngine.offline(sampleRate:)'"
    case .liveOnly(let what): "\(what) needs an engine in JACK: make it with 'AudioEngine(client:)'"
    case .tooManyFrames(let asked, let most): "a block cannot have \(asked) frames; use 1 to \(most)"
    case .notAPlayer(let name): "'\(name)' is not a player; use a node from 'attachPlayer'"
    case .schedule(let node, let error): "'\(node)' cannot do that: \(error)"
    case .sampleRate(let rate): "a sample rate of \(rate) Hz is not possible; use 1000 to 1536000 Hz"
    case .bufferSize(let count): "a tap cannot have buffers of \(count) frames; use 1 or more"
    case .bufferRate(let node, let rate, let expected): Self.bufferRateText(rate, of: node, expected)
    case .duplicateTap(let tap): "the recorder has a tap '\(tap)' already; choose another name"
    case .unknownTap(let tap, let known):
      "the recorder has no tap '\(tap)': " + Self.list(known, orElse: "add it first")
    case .isRendering: "the engine is already rendering; wait until it has finished"
    case .conflict(let part): Self.conflictText(part)
    case .recording(let path): "'\(path)' is being recorded; stop that first"
    case .serverLost: "the JACK server has ended; make a new engine when it is running again"
    }
  }
}

extension EngineError {
  // The messages about values: of parameters, and of buffers to render.

  /// Returns the message for a text that is not a valid value of the parameter.
  static func badValueText(
    _ text: String, of parameter: String, of node: String, expected: String
  ) -> String {
    "'\(parameter)' of '\(node)' cannot be '\(text)': it takes \(expected)"
  }

  /// Returns the message for a buffer with another sample rate than the engine.
  static func bufferRateText(_ rate: Double, of node: String, _ expected: Double) -> String {
    "'\(node)' cannot take the buffer: its sample rate is \(rate) Hz instead of \(expected) Hz; convert it with an"
      + " AudioConverter"
  }

  // The messages about edits, and parts that several messages share.

  /// Returns the message for a conflict with another edit.
  static func conflictText(_ part: String) -> String {
    "the edit changes \(part), which another edit has changed since; nothing was changed; make the edit again"
  }

  /// Returns the available names as text, or `nothing` if there are none.
  static func list(_ known: [String], orElse nothing: String) -> String {
    known.isEmpty ? nothing : "it has " + known.joined(separator: ", ")
  }

  /// Returns the suggestion of a similar name, or `advice` if there is none.
  static func hint(_ nearest: String?, orElse advice: String) -> String {
    "; " + (nearest.map { "did you mean '\($0)'?" } ?? advice)
  }
}
