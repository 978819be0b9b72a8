// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// The names of threads and queues, in the sources and in a run, against the table of threads in ARCHITECTURE.md.
struct ThreadNameTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardized

  /// Returns the names in the first column of the table.
  private func listed() throws -> Set<String> {
    let page = try String(contentsOf: Self.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "## Threads"))
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    let cells = section.filter { $0.hasPrefix("| `") }.compactMap {
      $0.split(separator: "|").first.map(String.init)
    }
    return Set(cells.flatMap { cell in cell.matches(of: #/`(swiftlet-[a-z-]+)`/#).map { String($0.1) } })
  }

  /// Returns the names that the sources give to threads and queues.
  private func named() throws -> Set<String> {
    let call = #/(?:startThread\(|JoinableThread\(|WorkThreads\(|DispatchQueue\(\s*label: )\s*"([^"]*)"/#
    var names: Set<String> = []
    for folder in ["Sources", "Plugins"] {
      let path = Self.root.appending(path: folder).path
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) where name.hasSuffix(".swift") {
        let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        let code = text.split(separator: "\n").filter { line in
          !line.drop { $0 == " " }.hasPrefix("//")
        }
        for found in code.joined(separator: "\n").matches(of: call) { names.insert(String(found.1)) }
      }
    }
    return names
  }

  @Test func `the table of threads lists every name in the sources, and no other`() throws {
    let listed = try listed(), named = try named()
    #expect(named.count > 30)
    #expect(named.subtracting(listed).sorted() == [], "ARCHITECTURE.md lacks these names")
    #expect(listed.subtracting(named).sorted() == [], "no thread and no queue has these names")
  }

  @Test func `the threads of a run have descriptive names`() throws {
    let scratch = try VoiceFixture.scratch()
    // After its end a process has no `exe`. Its command line is unsuitable: it is empty while a program is loaded.
    let outcome = try Command(folder: scratch.path).shell(
      """
      swiftlet run voice.yaml --dummy --for 3 --play mic=voice.wav --takes takes >takes.txt 2>words & show=$!
      while readlink /proc/$show/exe >/dev/null; do
        cat /proc/$show/task/*/comm >>names
        sleep 0.1
      done
      wait $show; echo "status $?"; sort -u names
      """, limit: 100)
    let lines = Set(outcome.output.split(separator: "\n").map(String.init))
    for wanted in ["status 0", "swiftlet-engine", "swiftlet-jack", "swiftlet-output", "swiftlet-writer"] {
      #expect(lines.contains(wanted), "\(outcome) \(scratch.text("words"))")
    }
    // Linux keeps 15 bytes of a name.
    let known = Set(try listed().map { String($0.prefix(15)) })
    let unknown = lines.filter { $0.hasPrefix("swiftlet-") && !known.contains($0) }
    #expect(unknown.sorted() == [], "ARCHITECTURE.md lacks these names")
    // A thread without a name has that of its parent. libdispatch names its own threads, such as `oot.default-qos`.
    let others = lines.filter {
      !$0.hasPrefix("swiftlet-") && !$0.hasPrefix("status ") && $0 != "swiftlet" && !$0.contains("-qos")
    }
    // Until it is loaded, the program has the name of the shell.
    #expect(
      others.subtracting(["sh", "bash", "dash"]).sorted() == [], "these threads have no name of Swiftlet's")
  }
}
