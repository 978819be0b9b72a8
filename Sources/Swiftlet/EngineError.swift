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
public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The graph refuses the edit.
  case graph(GraphError)
  /// The studio refuses.
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
  /// A lane goes where its parameter cannot.
  case laneOutOfRange(node: String, parameter: String, value: Float, range: ClosedRange<Float>)
  /// A lane cannot go as it is told to.
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
  /// Only an engine in a studio does this.
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
  /// The server has gone; nothing sounds any more.
  case serverLost

  public var description: String {
    switch self {
    case .graph(let error): "\(error)"
    case .jack(let error): "\(error)"
    case .session(let error): "\(error)"
    case .plugin(let error): "\(error)"
    case .file(let error): "\(error)"
    case .effect(let name, .sampleRate(let rate)): "'\(name)' cannot work at \(rate) Hz"
    case .effect(let name, .channels(let count)): "'\(name)' cannot work on \(count) channels"
    case .effect(let name, .bands(let count)): "'\(name)' cannot have \(count) bands"
    case .effect(let name, .file(_, let fault)): "a file of '\(name)' \(fault)"
    case .effect(let name, .engine): "'\(name)' cannot have the engine that it is asked to work with"
    case .effect(let name, .resources):
      "the system has no memory or no thread left for '\(name)'; end other programs"
    case .unknownFile(let effect, let file, let known):
      "'\(effect)' has no file '\(file)'"
        + (known.isEmpty ? ": it is made with none" : ": it has \(known.joined(separator: ", "))")
    case .missingFile(let effect, let file): "'\(effect)' needs a file '\(file)'; name one under 'files'"
    case .unknownEngine(let node, let engine, let known):
      "'\(node)' has no engine '\(engine)'"
        + (known.isEmpty ? ": it has none to choose from" : ": it has \(known.joined(separator: ", "))")
    case .notBuilt(let node, let engine):
      "'\(node)' asks for the engine '\(engine)': \(StretchEngine.howToBuild)"
    case .engineRate(let node, let engine, let rate):
      "'\(node)' needs the engine '\(engine)', which works at \(Int(engine.sampleRates.lowerBound)) to "
        + "\(Int(engine.sampleRates.upperBound)) Hz and not at \(rate) Hz; choose another rate or engine"
    case .unknownEffect(let name, let nearest): "there is no effect '\(name)'" + hint(nearest)
    case .unknownNode(let name, let nearest): "there is no node '\(name)'" + hint(nearest)
    case .laneOutOfRange(let node, let parameter, let value, let range):
      "the lane of '\(parameter)' of '\(node)' goes to \(value): \(range.lowerBound) to \(range.upperBound) is "
        + "possible"
    case .automation(let error): "\(error)"
    case .unknownParameter(let node, let parameter, let nearest):
      "'\(node)' has no parameter '\(parameter)'" + hint(nearest)
    case .unknownChoice(let node, let parameter, let choice, let known):
      "'\(parameter)' of '\(node)' cannot be '\(choice)': it takes \(known.joined(separator: ", "))"
    case .badValue(let node, let parameter, let text, let expected):
      "'\(parameter)' of '\(node)' cannot be '\(text)': it takes \(expected)"
    case .notANumber(let node, let parameter):
      "'\(parameter)' of '\(node)' was given a value that is no number"
    case .noSuchBand(let node, let band, let count): EngineError.noSuchBand(node, band, count)
    case .unknownPreset(let node, let preset, let known):
      "'\(node)' has no preset '\(preset)'"
        + (known.isEmpty ? ": it has none" : ": it has \(known.prefix(12).joined(separator: ", "))")
    case .bands(let node, let count, let range):
      "'\(node)' cannot have \(count) bands: "
        + (range.count == 1
          ? "it has one for each channel, which makes \(range.lowerBound)"
          : "\(range.lowerBound) to \(range.upperBound) are possible")
    case .notAttached(let name): "'\(name)' is not attached to this engine"
    case .mainNode(let name):
      "'\(name)' is a node that every engine has, and cannot be detached; disconnect it instead"
    case .unknownBus(let node, let bus, let known):
      "'\(node)' has no bus '\(bus)': it has \(known.joined(separator: ", "))"
    case .offlineOnly(let what):
      "\(what) needs an offline engine: make it with 'AudioEngine.offline(sampleRate:)'"
    case .liveOnly(let what):
      "\(what) needs an engine in JACK: make it with 'AudioEngine(client:)'"
    case .tooManyFrames(let asked, let most): "\(asked) frames were asked for: 1 to \(most) are possible"
    case .notAPlayer(let name): "'\(name)' is not a player"
    case .schedule(let node, let error): "'\(node)' cannot do that: \(error)"
    case .sampleRate(let rate): "\(rate) frames a second were asked for: 1000 to 1536000 are possible"
    case .bufferSize(let count): "a tap cannot have pieces of \(count) frames: 1 or more are possible"
    case .bufferRate(let node, let rate, let expected):
      "'\(node)' cannot take the buffer: its sample rate is \(rate) Hz instead of \(expected) Hz; convert it with an"
        + " AudioConverter"
    case .duplicateTap(let tap): "the recorder has a tap '\(tap)' already; choose another name"
    case .unknownTap(let tap, let known):
      "the recorder has no tap '\(tap)': "
        + (known.isEmpty ? "add it first" : "it has \(known.joined(separator: ", "))")
    case .isRendering: "the engine renders already; wait until that has ended"
    case .conflict(let part):
      "the edit changes \(part), which another edit has changed since this one began; nothing was changed: edit again"
    case .closure(let error): "\(error)"
    case .recording(let path): "'\(path)' is being recorded; stop that first"
    case .serverLost: "the JACK server has gone: make a new engine when it is back"
    }
  }

  static func noSuchBand(_ node: String, _ band: Int, _ count: Int) -> String {
    "'\(node)' has no band \(band): "
      + (count == 0 ? "it has no bands" : "it has \(count), counted from 0 to \(count - 1)")
  }

  private func hint(_ nearest: String?) -> String { nearest.map { "; did you mean '\($0)'?" } ?? "" }
}
