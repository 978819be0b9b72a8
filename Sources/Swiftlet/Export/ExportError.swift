// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
public import SwiftletTimeline

/// The reason why an export cannot begin or finish. Each description is one sentence that states what to do.
@nonexhaustive public enum ExportError: Error, Sendable, CustomStringConvertible {
  /// An error of the engine.
  case engine(EngineError)
  /// A file cannot be read or written.
  case file(FileError)
  /// No file is added, and no take would be recorded.
  case nothingToWrite
  /// The length is unknown: no player or input has an end, and no range was given.
  case endless
  /// All that plays has a length of 0.
  case empty
  /// The range begins before the engine's sound does, or has no length.
  case badRange(Range<MediaTime>)
  /// The range begins after all that plays has ended.
  case pastEnd(Range<MediaTime>, end: MediaTime)
  /// Two files have the same path.
  case writtenTwice(String)
  /// The file to be written is also played by this node.
  case inUse(String, by: String)
  /// The file to be written is one that the export is made from.
  case protected(String)
  /// The node has no audio bus to export.
  case noSound(String)
  /// The node is not an input node for the content of the file.
  case notAnInput(String)
  /// The node has a file as its input already.
  case inputSetTwice(String)
  /// The file and the node have different numbers of channels, and neither has one channel.
  case inputChannels(path: String, has: Int, node: String, takes: Int)
  /// No preset has this name.
  case unknownPreset(String)
  /// The export has already run. Each export runs once; another one needs another engine.
  case alreadyRun
  /// The engine has several output nodes, or none, so that a file's name alone does not select one.
  case manyOutputs([String])
  /// The export was cancelled, and has left no file.
  case cancelled

  public var description: String {
    switch self {
    case .engine(let error): "\(error)"
    case .file(let error): "\(error)"
    case .nothingToWrite: "there is nothing to write: add a file"
    case .endless: "the export has no end: add a player or an input that ends, or give a range"
    case .empty: "all that plays has a length of 0: give a range or a tail"
    case .badRange(let range):
      "the range \(range.lowerBound) to \(range.upperBound) is not valid: begin at 0 or later, and end after that"
    case .pastEnd(let range, let end):
      "the range begins at \(range.lowerBound), and all that plays has ended at \(end): begin before that"
    case .writtenTwice(let path): "'\(path)' would be written twice: give each file a name of its own"
    case .inUse(let path, let node): "'\(path)' is played by '\(node)': write to another file"
    case .protected(let path): "'\(path)' is a source of the export: write to another file"
    case .noSound(let node): "'\(node)' has no audio to export: name a node with an audio bus"
    case .notAnInput(let node):
      "'\(node)' cannot receive this file: use a capture node for a sound file, a MIDI input node for a MIDI file"
    case .inputSetTwice(let node): "'\(node)' already has an input file: give it only one"
    case .inputChannels(let path, let has, let node, let takes):
      "'\(path)' has \(has) channel\(has == 1 ? "" : "s"), "
        + "but '\(node)' has \(takes): use the same number, or 1 on one side"
    case .unknownPreset(let name):
      "there is no preset '\(name)': there are \(ExportPreset.allCases.map(\.name).joined(separator: ", "))"
    case .alreadyRun: "the export has already run: make another one, with another engine"
    case .manyOutputs(let names):
      names.isEmpty
        ? "the engine has no playback node: add files with ExportFile, which names a node"
        : "the engine has the playback nodes \(names.joined(separator: ", ")): add files with ExportFile, which names one"
    case .cancelled: "the export was cancelled; it left no file"
    }
  }
}

/// Converts the engine's errors to export errors.
func exporting<Result>(_ body: () throws(EngineError) -> Result) throws(ExportError) -> Result {
  do throws(EngineError) { return try body() } catch { throw .engine(error) }
}

/// Converts errors of files to export errors.
func exportingFile<Result>(_ body: () throws(FileError) -> Result) throws(ExportError) -> Result {
  do throws(FileError) { return try body() } catch {
    throw error.kind == .cancelled ? .cancelled : .file(error)
  }
}
