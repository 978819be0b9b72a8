// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletLV2
internal import SwiftletProcesses

/// Loads the libraries of plugins in another process, since code of theirs runs when they are loaded.
///
/// The other process is this program with ``word`` as its only argument. It reads a line for each plugin, library and URI
/// parted by a tab, and writes a line for each: what is wrong, or nothing.
enum LibraryProbe {
  /// A plugin and its library.
  struct Plugin {
    var uri: String
    var library: String
  }

  /// The argument of the process that loads the libraries.
  static let word = "--probe-plugin-libraries"

  /// How many plugins are asked for at once: neither process waits for the other to read then.
  private static let atOnce = 100
  /// How many processes may end early before the rest is taken for good.
  private static let mostDeaths = 10

  /// Why plugins cannot come from their libraries, by URI, as sentences; and whether every plugin was answered for, by a
  /// process that did not end early.
  static func faults(of plugins: [Plugin]) -> (faults: [String: String], isComplete: Bool) {
    var rest = plugins.filter { plugin in
      !(plugin.uri + plugin.library).utf8.contains { [9, 10, 13].contains($0) }
    }[...]
    var faults: [String: String] = [:], deaths = 0
    while !rest.isEmpty, deaths < mostDeaths {
      guard let child = try? ChildProcess("/proc/self/exe", [word], isFed: true, patience: 20) else { break }
      var lines = Lines(child)
      while let plugin = rest.first {
        if lines.count % atOnce == 0, !lines.ask(rest.prefix(atOnce)) { break }
        guard let answer = lines.next() else { break }
        rest.removeFirst()
        if !answer.isEmpty { faults[plugin.uri] = "its library \(answer)" }
      }
      guard let plugin = rest.first else { break }
      deaths += 1
      rest.removeFirst()
      faults[plugin.uri] =
        "its library '\(plugin.library)' crashed or did not answer for 20 s while it was loaded"
    }
    return (faults, deaths == 0 && rest.isEmpty)
  }

  /// Answers the questions at standard input until there are no more.
  static func answer() throws {
    let results = Results()
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      let fault = parts.count == 2 ? PluginLibrary.fault(of: parts[1], in: parts[0]) : nil
      try results.write((fault ?? "").replacing("\n", with: " ") + "\n")
    }
  }

  /// The lines that the other process writes.
  private struct Lines {
    private let child: ChildProcess
    private var bytes: [UInt8] = []
    /// How many lines were read.
    private(set) var count = 0

    init(_ child: ChildProcess) { self.child = child }

    func ask(_ plugins: some Collection<Plugin>) -> Bool {
      var text = plugins.map { "\($0.library)\t\($0.uri)\n" }.joined()
      return text.withUTF8 { text in text.baseAddress.map { child.write($0, text.count) } ?? true }
    }

    /// The next line; nil once the process has ended, or does nothing any more.
    mutating func next() -> String? {
      while true {
        if let end = bytes.firstIndex(of: 10) {
          defer { bytes.removeSubrange(...end) }
          count += 1
          return String(decoding: bytes[..<end], as: UTF8.self)
        }
        var more = [UInt8](repeating: 0, count: 4096)
        let got = child.read(into: &more, more.count)
        guard got > 0 else { return nil }
        bytes += more[..<got]
      }
    }
  }
}
