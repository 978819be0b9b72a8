// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension Manifest {
  /// The manifest as YAML with comments for new users. Parsing it gives an equal manifest.
  public var yaml: String { ManifestWriter(manifest: self).text }
}

/// Writes a manifest in a readable form: short values in one line, consecutive wires as chains.
struct ManifestWriter {
  let manifest: Manifest
  /// The maximum length of a line before a value is spread over several lines.
  private static let lineLimit = 100

  var text: String {
    var lines = ["# A Swiftlet manifest. Try it with: swiftlet run FILE", "swiftlet: \(Manifest.version)"]
    if let name = manifest.name { lines.append("name: " + Self.scalar(name)) }
    if manifest.isolation != .none {
      lines.append("\(RootKey.isolate.rawValue): \(manifest.isolation.rawValue)")
    }
    if let length = manifest.blockLength { lines.append("\(RootKey.block.rawValue): \(length)") }
    if let session = manifest.session { lines += Self.lines("", "session", Self.tree(session)) }
    lines += ["", "# The sources, processors and destinations of sound.", "nodes:"]
    let tracks = manifest.nodes.filter(\.isTrack)
    lines += manifest.nodes.filter { !$0.isTrack }.flatMap { Self.lines("  ", $0.name, Self.tree($0)) }
    let hasTimelineSettings =
      manifest.tempo != nil || manifest.transport != .own || manifest.loop != nil || manifest.start != .now
    if !tracks.isEmpty || hasTimelineSettings || !manifest.video.isEmpty || !manifest.lanes.isEmpty
      || !manifest.master.isEmpty || manifest.declick != .zero
    {
      lines += ["", "# The timeline.", "timeline:"]
      if let tempo = manifest.tempo { lines += Self.lines("  ", tempo) }
      if manifest.transport != .own { lines.append("  transport: \(manifest.transport.rawValue)") }
      if let loop = manifest.loop {
        lines.append(
          "  \(TimelineKey.loop.rawValue): \(Self.scalar("\(loop.lowerBound)..\(loop.upperBound)"))")
      }
      if manifest.start != .now {
        lines.append("  \(TimelineKey.start.rawValue): \(manifest.start.rawValue)")
      }
      if manifest.declick != .zero {
        lines.append("  \(TimelineKey.declick.rawValue): \(Self.time(manifest.declick))")
      }
      if !tracks.isEmpty { lines.append("  tracks:") }
      lines += tracks.flatMap { Self.lines("    ", $0.name, Self.tree($0)) }
      if !manifest.video.isEmpty {
        lines += Self.lines("  ", TimelineKey.video.rawValue, .list(manifest.video.map { Self.tree($0) }))
      }
      if !manifest.lanes.isEmpty { lines.append("  lanes:") }
      lines += manifest.lanes.flatMap { Self.lines("    ", Self.key($0), Self.tree($0)) }
      if !manifest.master.isEmpty {
        lines += Self.lines("  ", TimelineKey.master.rawValue, .list(manifest.master.map { Self.tree($0) }))
      }
    }
    if !manifest.wires.isEmpty {
      lines += ["", "# The connections between nodes.", "wires:"] + wires.map { "  - " + $0 }
    }
    if !manifest.taps.isEmpty {
      lines += ["", "# The points that are metered or recorded.", "taps:"]
      lines += manifest.taps.flatMap { Self.lines("  ", $0.name, Self.tree($0)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  typealias Tree = ManifestTree

  static func lines(_ indent: String, _ key: String, _ tree: Tree) -> [String] {
    let line = "\(indent)\(key): \(tree.flow)"
    if line.count <= lineLimit { return [line] }
    switch tree {
    case .scalar: return [line]
    case .list(let items) where items.isEmpty: return [line]
    case .mapping(let entries) where entries.isEmpty: return [line]
    case .list(let items): return ["\(indent)\(key):"] + items.map { "\(indent)  - \($0.flow)" }
    case .mapping(let entries):
      return ["\(indent)\(key):"] + entries.flatMap { lines(indent + "  ", $0.key, $0.value) }
    }
  }

  /// The lines of wires. Consecutive wires are joined to chains.
  private var wires: [String] {
    var lines: [String] = []
    var last: Manifest.Wire?
    for wire in manifest.wires {
      let value = Self.value(of: wire)
      if value == nil, let before = last, before.to == wire.from, before.isPlain, !lines.isEmpty {
        lines[lines.count - 1] += " -> \(wire.to)"
      } else {
        lines.append("\(wire.from) -> \(wire.to)" + (value.map { ": \($0)" } ?? ""))
      }
      last = wire
    }
    return lines
  }

  /// Returns text as a scalar: plain if YAML reads it as a string, otherwise quoted.
  static func scalar(_ text: String) -> String {
    let words: Set<String> = ["null", "~", "yes", "no", "on", "off", "y", "n"]
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: " +-./_%".utf8.contains(byte)
      }
    }
    let hasEdge = text.hasPrefix(" ") || text.hasSuffix(" ") || text.hasPrefix("%") || text.hasPrefix("--")
    let isEntry = text == "-" || text.hasPrefix("- ") || text.hasPrefix("...")
    return isPlain && !text.isEmpty && !hasEdge && !isEntry && !words.contains(text.lowercased())
      ? text : JSONValue.quoted(text)
  }
}
