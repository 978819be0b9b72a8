// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletLV2
internal import SwiftletProcesses

/// Loads the libraries of plugins in a child process, because a library runs code when it is loaded.
///
/// The child process is this program with ``word`` as its only argument. It reads a line for each plugin, with
/// library and URI separated by a tab, and writes a line for each: the error, or an empty line.
enum LibraryProbe {
  /// A plugin and its library.
  struct Plugin {
    var uri: String
    var library: String
  }

  /// The argument of the process that loads the libraries.
  static let word = "--probe-plugin-libraries"

  /// The maximum number of unanswered requests. It is so small that the pipes never fill up, which would deadlock
  /// both processes.
  private static let atOnce = 100
  /// The number of child processes that may crash or hang before the remaining libraries are assumed to be sound.
  private static let mostDeaths = 10

  /// Returns the errors of plugins by URI, and whether every plugin was tested without a crash or hang of the child
  /// process.
  static func faults(of plugins: [Plugin]) -> (faults: [String: String], isComplete: Bool) {
    var rest = plugins.filter { plugin in
      !(plugin.uri + plugin.library).utf8.contains { [9, 10, 13].contains($0) }
    }[...]
    var faults: [String: String] = [:], deaths = 0
    while !rest.isEmpty, deaths < mostDeaths {
      guard let child = try? ChildProcess("/proc/self/exe", [word], isFed: true, timeout: 20) else { break }
      var lines = Lines(child)
      while let plugin = rest.first {
        if lines.count % atOnce == 0, !lines.request(rest.prefix(atOnce)) { break }
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

  /// Runs in the child process: answers the requests from standard input until its end.
  static func serveRequests() throws {
    let results = Results()
    while let line = readLine() {
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      let fault = parts.count == 2 ? PluginLibrary.fault(of: parts[1], in: parts[0]) : nil
      try results.write((fault ?? "").replacing("\n", with: " ") + "\n")
    }
  }

  /// The output of the child process, line by line.
  private struct Lines {
    private let child: ChildProcess
    private var bytes: [UInt8] = []
    /// The number of lines read.
    private(set) var count = 0

    init(_ child: ChildProcess) { self.child = child }

    func request(_ plugins: some Collection<Plugin>) -> Bool {
      var text = plugins.map { "\($0.library)\t\($0.uri)\n" }.joined()
      return text.withUTF8 { text in text.baseAddress.map { child.write($0, text.count) } ?? true }
    }

    /// Returns the next line; nil if the process has ended or does not respond.
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
