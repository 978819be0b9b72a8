// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletManifest

struct PrintableTextTests {
  @Test func `control, bidirectional and invisible characters become escape sequences`() {
    func escaped(_ text: String) -> String { PrintableText.escaped(text) }
    #expect(escaped("a\u{1B}[2Jb") == "a\\u{1B}[2Jb")
    #expect(escaped("one\ntwo\tthree\rfour\r\nfive") == "one\\ntwo\\tthree\\rfour\\r\\nfive")
    #expect(escaped("\u{0}\u{7F}\u{9B}") == "\\u{0}\\u{7F}\\u{9B}")
    for scalar in [0x202A...0x202E, 0x2066...0x2069, 0x200B...0x200F, 0x061C...0x061C].joined() {
      let character = Unicode.Scalar(UInt32(scalar)).map(String.init) ?? ""
      #expect(escaped("a\(character)b") == "a\\u{\(String(scalar, radix: 16, uppercase: true))}b")
    }
    for hidden in [
      "\u{AD}", "\u{FEFF}", "\u{2028}", "\u{3164}", "\u{E0041}", "\u{E000}", "\u{FFFE}", "\u{34F}",
    ] {
      #expect(escaped(hidden).hasPrefix("\\u{"), "\(hidden.unicodeScalars)")
    }
  }

  @Test func `visible text is not escaped`() {
    for text in ["", "Lead vocal (2)", "Tschüß", "日本語", "e\u{301}", "مرحبا", "€ 5 µs · ▏", "🎧", "\u{A0}"] {
      #expect(PrintableText.escaped(text) == text)
    }
  }

  @Test func `joiners and variation selectors are kept inside emoji only`() {
    let family = "👩\u{200D}👧", heart = "❤\u{FE0F}\u{200D}🔥"
    #expect(PrintableText.escaped(family) == family && PrintableText.escaped(heart) == heart)
    #expect(PrintableText.escaped("a\u{200D}b") == "a\\u{200D}b")
    #expect(PrintableText.escaped("a\u{FE0F}") == "a\\u{FE0F}")
    #expect(PrintableText.escaped("👩\u{200D}") == "👩\\u{200D}")
  }

  @Test func `two different texts have different escaped texts`() {
    let texts = ["\n", "\\n", "\\\n", "\u{202E}", "\\u{202E}", "\\", "\\\\"]
    #expect(Set(texts.map(PrintableText.escaped)).count == texts.count)
  }

  @Test func `JSON escapes the same characters by its own rule, and keeps the value`() throws {
    let text = "a\u{1B}\n\t\u{202E}\u{200B}\u{9B}\u{2028}\u{E0041}\u{10FFFF}\"\\é🎧"
    let written = JSONValue.object([(text, .string(text))]).text()
    #expect(written.unicodeScalars.allSatisfy { $0 == "\n" || PrintableText.isVisible($0) }, "\(written)")
    let read = try JSONDecoder().decode([String: String].self, from: Data(written.utf8))
    #expect(read == [text: text])
  }

  @Test func `a problem's description is one line, whatever it quotes`() {
    let problem = Problem(file: "a\nb.yaml", message: "found '\u{1B}[31m\u{202E}'")
    #expect(problem.description == "a\\nb.yaml: error: found '\\u{1B}[31m\\u{202E}'")
  }
}
