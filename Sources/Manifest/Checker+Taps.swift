// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletGraph

extension Checker {
  /// Resolves a tap.
  mutating func add(_ source: Manifest.Tap) {
    // What is wrong with the file is said whatever is wrong with the point.
    if let recording = source.recording { check(recording) }
    guard let place = node(at: source.point) else { return }
    let node = nodes[place]
    let isInput = source.side == .before
    let buses = isInput ? node.inputs : node.outputs
    guard !buses.isEmpty else {
      let other = Manifest.Tap.Side.allCases.first { $0 != source.side }.map(\.rawValue) ?? ""
      problems.error(
        source.point.place,
        "found '\(source.side.rawValue): \(node.name)', where nothing \(isInput ? "goes in" : "comes out");"
          + " expected '\(other): \(node.name)'")
      return
    }
    let usual = buses.first { $0.format != .events }?.format
    guard let bus = bus(of: source.point, at: place, isInput: isInput, like: usual) else { return }
    guard buses[bus].format != .events else {
      problems.error(
        source.point.place, "found events at '\(source.point)'; expected sound, as taps listen to sound")
      return
    }
    guard source.point.channel == nil else {
      problems.error(
        source.point.place,
        "found a channel at a tap; expected '\(node.name)', as a tap listens to all channels")
      return
    }
    let channels = buses[bus].format.channelCount
    if let recording = source.recording { check(recording, holds: channels) }
    taps.append(
      ResolvedManifest.Tap(
        name: source.name, side: source.side, node: place, bus: bus, channelCount: channels,
        recording: source.recording))
  }

  /// Notes what is wrong with a recording's name and format.
  private mutating func check(_ recording: Manifest.Recording) {
    let file = recording.file
    if let problem = TakeName.problem(with: file.text) {
      problems.error(file.place, problem)
      return
    }
    do throws(FileError) {
      _ = try Self.format(of: recording)
    } catch {
      problems.error(file.place, "found the recording '\(Document.short(file.text))', which \(error.detail)")
    }
    if let output = recording.output { check(output) }
  }

  /// Notes a node that nobody hears anything through.
  private mutating func check(_ output: Manifest.Text) {
    let names = nodes.filter { $0.kind == .playback }.map(\.name)
    guard !names.contains(output.text) else { return }
    let near = NearestName.nearest(to: output.text, among: names).map { "; did you mean '\($0)'?" }
    problems.error(
      output.place,
      "found '\(Document.short(output.text))', which is no playback node"
        + (near ?? "; expected the name of one"))
  }

  /// Notes a file that does not take so many channels.
  private mutating func check(_ recording: Manifest.Recording, holds channels: Int) {
    let file = recording.file
    guard let format = try? Self.format(of: recording), channels > format.channelLimit else { return }
    problems.error(
      file.place,
      "found the recording '\(Document.short(file.text))', which has \(Self.channels(channels));"
        + " a .\(format.container.rawValue) file holds \(format.channelLimit)")
  }

  private static func format(of recording: Manifest.Recording) throws(FileError) -> RecordingFormat {
    try RecordingFormat(
      path: recording.file.text, named: recording.format?.rawValue, rate: recording.rate,
      quality: recording.quality)
  }

  /// Notes taps that would write the same file.
  mutating func checkTakes() {
    var writers: [String: String] = [:]
    for tap in taps {
      guard let file = tap.recording?.file else { continue }
      let name = file.text.replacing("{tap}", with: tap.name)
      if let other = writers[name] {
        problems.error(
          file.place,
          "found '\(Document.short(file.text))', into which '\(other)' records too; expected a name"
            + " of its own, such as \"{tap}-{take}.wav\"")
      } else {
        writers[name] = tap.name
      }
    }
  }

  /// Notes nodes that sound cannot reach, or that it does not leave.
  mutating func findUnused() {
    let fed = Set(wires.map(\.to.node)), heard = Set(wires.map(\.from.node) + taps.map(\.node))
    for (place, node) in nodes.enumerated() {
      let needsInput = node.inputs.contains { !isOptional($0, of: node) }
      if !fed.contains(place), !heard.contains(place) {
        problems.warning(node.place, "'\(node.name)' is not used: no wire and no tap names it")
      } else if needsInput, !fed.contains(place) {
        problems.warning(node.place, "nothing is wired into '\(node.name)'; it hears silence")
      } else if !node.outputs.isEmpty, !heard.contains(place) {
        problems.warning(node.place, "'\(node.name)' leads nowhere: no wire leaves it, and no tap listens")
      }
    }
  }

  /// Whether a bus may well be left alone: side chains, and the events of what works on sound.
  private func isOptional(_ bus: ResolvedManifest.Bus, of node: ResolvedManifest.Node) -> Bool {
    guard let info = Widths.info(node.kind) else { return false }
    return bus.symbol != info.inputs.first?.symbol
  }
}

/// The grammar of names for takes: text with tokens in braces.
enum TakeName {
  /// What may stand in braces.
  static let tokens = TakeNamer.tokens

  /// What is wrong with a name, if anything.
  static func problem(with name: String) -> String? {
    var rest = name[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        return
          "found a brace without its partner in '\(Document.short(name))'; expected {tap}, {take} and so on"
      }
      let token = String(rest[rest.index(after: open)..<close])
      guard tokens.contains(token) else {
        return "found {\(Document.short(token))} in a file's name"
          + NearestName.hint(for: token, among: tokens)
      }
      rest = rest[rest.index(after: close)...]
    }
    guard !name.hasSuffix("/") else {
      return "found '\(Document.short(name))', a directory; expected a file's name"
    }
    return nil
  }
}
