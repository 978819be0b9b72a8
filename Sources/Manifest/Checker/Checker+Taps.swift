// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletDisk
internal import SwiftletFiles
internal import SwiftletGraph

extension Checker {
  /// Resolves a tap.
  mutating func add(_ source: Manifest.Tap) {
    // Errors of the file are reported even if the point is wrong.
    if let recording = source.recording { check(recording) }
    let found: (point: ResolvedManifest.Tap.Point, channelCount: Int)? =
      switch source.point {
      case .node(let end): bus(at: end, source.side)
      case .wire(let from, let to): wire(from, to, source.side)
      }
    guard let found else { return }
    if let recording = source.recording { check(recording, holds: found.channelCount) }
    var recording = source.recording
    if let file = recording?.file.text { recording?.file.text = HomeFolder.expanded(file) }
    taps.append(
      ResolvedManifest.Tap(
        name: source.name, side: source.side, point: found.point, channelCount: found.channelCount,
        recording: recording))
  }

  /// Returns an audio bus and its number of channels.
  private mutating func bus(
    at end: Manifest.End, _ side: Manifest.Tap.Side
  ) -> (ResolvedManifest.Tap.Point, Int)? {
    guard let index = node(at: end) else { return nil }
    let node = nodes[index]
    let isInput = side == .before
    let buses = isInput ? node.inputs : node.outputs
    guard !buses.isEmpty else {
      let other = Manifest.Tap.Side.allCases.first { $0 != side }.map(\.rawValue) ?? ""
      problems.error(
        end.position,
        "found '\(side.rawValue): \(node.name)', which has no \(isInput ? "input" : "output");"
          + " expected '\(other): \(node.name)'")
      return nil
    }
    let usual = buses.first { $0.format != .events }?.format
    guard let bus = bus(of: end, at: index, isInput: isInput, like: usual) else { return nil }
    guard buses[bus].format != .events else {
      problems.error(
        end.position, "found events at '\(end)'; expected sound: a tap records audio only")
      return nil
    }
    guard end.channel == nil else {
      problems.error(
        end.position,
        "found a channel at a tap; expected '\(node.name)': a tap records all channels")
      return nil
    }
    return (.node(index, bus: bus), buses[bus].format.channelCount)
  }

  /// Returns an audio wire, and the number of channels before its fader or at its end.
  private mutating func wire(
    _ from: Manifest.End, _ to: Manifest.End, _ side: Manifest.Tap.Side
  ) -> (ResolvedManifest.Tap.Point, Int)? {
    guard node(at: from) != nil, node(at: to) != nil else { return nil }
    guard let index = wireIndex(from, to, at: from.position) else { return nil }
    let wire = wires[index]
    let bus =
      side == .before ? nodes[wire.from.node].outputs[wire.from.bus] : nodes[wire.to.node].inputs[wire.to.bus]
    guard bus.format != .events else {
      problems.error(
        from.position,
        "found '\(from) -> \(to)', which carries events; expected sound: a tap records audio only")
      return nil
    }
    let isOneChannel = (side == .before ? wire.from.channel : wire.to.channel) != nil
    return (.wire(index), isOneChannel ? 1 : bus.format.channelCount)
  }

  /// Reports errors of a recording's name and format.
  private mutating func check(_ recording: Manifest.Recording) {
    let file = recording.file
    if let problem = TakeName.problem(with: file.text) {
      problems.error(file.position, problem)
      return
    }
    do throws(FileError) {
      _ = try Self.format(of: recording)
    } catch {
      problems.error(
        file.position, "found the recording '\(Document.short(file.text))', which \(error.detail)")
    }
    if let output = recording.output { check(output) }
  }

  /// Reports a monitoring output (`heard-through`) that is no playback node.
  private mutating func check(_ output: Manifest.Text) {
    let names = nodes.filter { $0.kind == .playback }.map(\.name)
    guard !names.contains(output.text) else { return }
    let near = NearestName.nearest(to: output.text, among: names).map { "; did you mean '\($0)'?" }
    problems.error(
      output.position,
      "found '\(Document.short(output.text))', which is no playback node"
        + (near ?? "; expected the name of one"))
  }

  /// Reports a file format that does not support this number of channels.
  private mutating func check(_ recording: Manifest.Recording, holds channels: Int) {
    let file = recording.file
    guard let format = try? Self.format(of: recording), channels > format.channelLimit else { return }
    problems.error(
      file.position,
      "found the recording '\(Document.short(file.text))', which has \(Self.channels(channels));"
        + " a .\(format.container.rawValue) file holds \(format.channelLimit)")
  }

  private static func format(of recording: Manifest.Recording) throws(FileError) -> RecordingFormat {
    try RecordingFormat(
      path: recording.file.text, named: recording.format?.rawValue,
      rate: recording.rate.map(Double.init), quality: recording.quality)
  }

  /// Reports taps that would write the same file.
  mutating func checkTakes() {
    var writers: [String: String] = [:]
    for tap in taps {
      guard let file = tap.recording?.file else { continue }
      let name = Self.plain(file.text.replacing("{tap}", with: tap.name))
      checkSources(of: tap, named: name)
      if let other = writers[name] {
        problems.error(
          file.position,
          "found '\(Document.short(file.text))', into which '\(other)' records too; expected a name"
            + " of its own, such as \"{tap}-{take}.wav\"")
      } else {
        writers[name] = tap.name
      }
    }
  }

  /// Reports a take that would overwrite a file that is played. The takes folder is not known yet. Its default is the
  /// current directory, so a relative name is only a warning.
  private mutating func checkSources(of tap: ResolvedManifest.Tap, named name: String) {
    guard let recording = tap.recording, recording.overwrites,
      let source = sourceFiles.first(where: { isSameLocation($0.path, name) })
    else { return }
    let found = "found '\(Document.short(recording.file.text))', which '\(source.player)' plays"
    guard !name.hasPrefix("/") else {
      problems.error(
        recording.file.position, "\(found); expected another name, as no take replaces what is played")
      return
    }
    problems.warning(
      recording.file.position,
      "\(found): in the current directory the take is refused; expected another name, or another takes folder",
      remedy: .takesFolder)
  }

  /// The files that nodes play or use, and the nodes' names.
  private var sourceFiles: [(path: String, player: String)] {
    let players = nodes.flatMap { node -> [(String, String)] in
      // Effects load files, and load them again if the server's sample rate changes.
      guard case .player(let path, _) = node.kind else { return node.files.values.map { ($0, node.name) } }
      return [(path, node.name)]
    }
    let trackClips = tracks.sorted { $0.key < $1.key }.flatMap { name, track in
      track.segments.map { ($0.asset.path, name) }
    }
    let videoClips = manifest.video.map { (ManifestPath.joined(directory, $0.file.text), "video") }
    return players + trackClips + videoClips
  }

  /// Returns a path without redundant steps: `./a/../b.wav` becomes `b.wav`.
  private static func plain(_ path: String) -> String {
    var steps: [Substring] = []
    for step in path.split(separator: "/") where step != "." {
      if step == "..", let last = steps.last, last != ".." { steps.removeLast() } else { steps.append(step) }
    }
    return (path.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
  }

  /// Warns about nodes without a source, or whose output goes nowhere.
  mutating func findUnused() {
    let fed = Set(wires.map(\.to.node)), heard = Set(wires.map(\.from.node) + taps.map { node(of: $0) })
    for (index, node) in nodes.enumerated() {
      let needsInput =
        Widths.info(node.kind)?.needsInput ?? node.inputs.contains { !isOptional($0, of: node) }
      if !fed.contains(index), !heard.contains(index) {
        problems.warning(node.position, "'\(node.name)' is not used: no wire and no tap names it")
      } else if needsInput, !fed.contains(index) {
        problems.warning(node.position, "nothing is wired into '\(node.name)'; it receives silence")
      } else if !node.outputs.isEmpty, !heard.contains(index) {
        problems.warning(
          node.position, "the output of '\(node.name)' is not used: no wire and no tap reads it")
      }
    }
  }

  /// Returns the node that feeds a tap.
  private func node(of tap: ResolvedManifest.Tap) -> Int {
    switch tap.point {
    case .node(let node, _): node
    case .wire(let wire): wires[wire].from.node
    }
  }

  /// Returns whether a bus may stay unconnected: side chains, and event inputs of audio effects.
  private func isOptional(_ bus: ResolvedManifest.Bus, of node: ResolvedManifest.Node) -> Bool {
    guard let info = Widths.info(node.kind) else { return false }
    return bus.symbol != info.inputs.first?.symbol
  }
}

/// The grammar of take names: text with tokens in braces.
enum TakeName {
  /// The valid tokens.
  static let tokens = TakeNamer.tokens

  /// Returns whether a name leads outside the takes folder: it is absolute, in the home folder, or has a step `..`.
  static func leavesFolder(_ name: String) -> Bool {
    FilePath.isAbsolute(name) || name == "~" || name.utf8.starts(with: "~/".utf8)
      || FilePath.steps(of: name).contains("..")
  }

  /// Returns the error in a name; nil if it is valid.
  static func problem(with name: String) -> String? {
    var rest = name[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        return
          "found an unmatched brace in '\(Document.short(name))'; expected {tap}, {take} and so on"
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
