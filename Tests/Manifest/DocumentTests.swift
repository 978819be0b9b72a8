// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletManifest

@Suite struct `Reading YAML as text` {
  /// Reads a document.
  func document(_ text: String) throws -> Document {
    try #require(try Document.read(text, file: "test.yaml"))
  }

  /// Returns the error of reading a document; nil if there is none.
  func problem(_ text: String) -> Problem? {
    do {
      _ = try Document.read(text, file: "test.yaml")
      return nil
    } catch { return error }
  }

  func scalar(_ document: Document, _ key: String) -> String? {
    guard case .mapping(let entries) = document.content else { return nil }
    return entries.first { $0.key == key }?.value.text
  }

  @Test func `scalars keep their text`() throws {
    let read = try document(
      "a: 1:30\nb: 010\nc: off\nd: 2026-01-01\ne: 0x10\nf: ~\ng: \"x*y\"\nh: a*b\ni: '*c'")
    #expect(scalar(read, "a") == "1:30")
    #expect(scalar(read, "b") == "010")
    #expect(scalar(read, "c") == "off")
    #expect(scalar(read, "d") == "2026-01-01")
    #expect(scalar(read, "e") == "0x10")
    #expect(scalar(read, "g") == "x*y")
    #expect(scalar(read, "h") == "a*b")
    #expect(scalar(read, "i") == "*c")
  }

  @Test func `every node has its line and column`() throws {
    guard case .mapping(let entries) = try document("a: ä\nb:\n  - x\n  - { ö: y }").content,
      case .sequence(let items) = entries[1].value.content, case .mapping(let inner) = items[1].content
    else {
      Issue.record("another shape")
      return
    }
    func at(_ position: TextPosition) -> [Int] { [position.line, position.column] }
    #expect(at(entries[0].value.position) == [1, 4])
    #expect(at(entries[1].keyPosition) == [2, 1])
    #expect(at(items[0].position) == [3, 5])
    #expect(at(inner[0].keyPosition) == [4, 7])
    #expect(at(inner[0].value.position) == [4, 10])
  }

  @Test func `an alias stands for its anchor`() throws {
    let read = try document("a: &one { b: 2 }\nc: *one\nd: [*one, &two x, *two]")
    guard case .mapping(let entries) = read.content, case .sequence(let items) = entries[2].value.content
    else {
      Issue.record("another shape")
      return
    }
    #expect(entries[0].value == entries[1].value)
    #expect(items[0] == entries[0].value)
    #expect(items[2].text == "x")
    #expect(problem("a: *b")?.message.contains("'*b', which no anchor before it defines") == true)
  }

  @Test(arguments: ["", " \n\n", "# nothing\n", "---\n", "~", "null"])
  func `an empty document is nil`(text: String) throws {
    #expect(try Document.read(text, file: "test.yaml") == nil)
  }

  @Test(arguments: [
    "a: [1, 2", "a: 'b", "\ta: b", "a: b: c", "{", "@a", "a: \"\\q\"", "- a\nb: c", "\u{1}",
    "%YAML 9.9\n---\na",
    "a: b\n---\nc: d", "!<a", "? [a, b]\n: c", "{*a}", "&a *a : b", "a\n\u{7}",
  ])
  func `invalid YAML is one problem with a position`(text: String) throws {
    let found = try #require(problem(text))
    #expect(found.position != nil, "\(found)")
    #expect(!found.description.contains("\n"))
    #expect(found.message.hasPrefix("found "))
  }

  @Test func `a duplicate key is reported at its second position`() {
    #expect(
      problem("nodes:\n  mic: a\n  gate: b\n  mic: c")?.description.hasPrefix("test.yaml:4:3: error:") == true
    )
    #expect(problem("a: { b: 1, b: 2 }")?.position.map { [$0.line, $0.column] } == [1, 6])
    #expect(problem("a: 1\n\"a\": 2")?.message.contains("'a' twice") == true)
  }

  @Test(arguments: ["[", "{a: ", "- ", "a:\n", "? ", "[{a: "])
  func `nesting of 10,000 levels is one problem, not a crash`(opening: String) throws {
    var text = String(repeating: opening, count: 10_000)
    if opening == "a:\n" { text = (0..<2_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined() }
    let found = try #require(problem(text))
    #expect(found.message.contains("64 levels"), "\(found)")
  }

  @Test func `more than 64 levels are refused, aliases included`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + "a" + String(repeating: "]", count: depth)
    }
    #expect(problem(nested(64)) == nil)
    #expect(problem(nested(65))?.message.contains("64 levels") == true)
    #expect(problem("a: &a \(nested(40))\nb: [[[[[[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]]]]]") != nil)
  }

  @Test(arguments: [
    "b%d: &b%d [*b%p, *b%p, *b%p, *b%p, *b%p, *b%p, *b%p, *b%p, *b%p]\n", "? &b%d [*b%p, *b%p]\n: x\n",
  ])
  func `an alias bomb is refused at once`(line: String) throws {
    var text = "b0: &b0 [a, a, a, a, a, a, a, a, a]\n"
    for level in 1...60 {
      text += line.replacing("%d", with: "\(level)").replacing("%p", with: "\(level - 1)")
    }
    let start = ContinuousClock.now
    _ = try #require(problem(text))
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `a megabyte below keys that are nested mappings is refused at once`() throws {
    let many = "[" + String(repeating: "b,", count: 450_000) + "]"
    let text = String(repeating: "{? ", count: 900) + many + String(repeating: " : a}", count: 900)
    let start = ContinuousClock.now
    #expect(try #require(problem(text)).message.contains("64 levels"))
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `more than 100,000 nodes are refused`() throws {
    let many = "a: [" + String(repeating: "b,", count: 99_000) + "]"
    #expect(problem(many) == nil)
    #expect(
      problem(many + "\nc: [" + String(repeating: "b,", count: 1_000) + "]")?.message.contains("100000")
        == true)
  }

  @Test(arguments: [
    "a", "[", "]", "{", "- ", "? ", ": ", "a: ", "\n", " ", "'", "\"", "#", "*a ", "&a ", "!a ", "| ", "> ",
    "%", "\\", "a:\n", ",", "[,", "{? ", "---\n", "...\n", "'a':",
  ])
  func `a megabyte of repeated tokens is read or refused in less than 20 seconds`(part: String) {
    let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
    let start = ContinuousClock.now
    _ = problem(text)
    #expect(ContinuousClock.now - start < .seconds(20), "\(part)")
  }
}
