// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct CatalogueTests {
  let swiftlet = Command()

  private func json(_ arguments: String...) throws -> [String: Any] {
    let outcome = try swiftlet.run(program: Command.path, arguments, limit: 30)
    #expect(outcome.status == 0, "\(outcome.messages)")
    let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(value as? [String: Any])
  }

  @Test func `the list has effects first, and every line names its kind`() throws {
    let lines = try swiftlet.run("list").output.split(separator: "\n")
    #expect(lines.prefix(3).allSatisfy { $0.hasPrefix("effect  ") })
    #expect(lines.contains { $0.hasPrefix("lv2 ") && $0.hasSuffix(" http://lv2plug.in/plugins/eg-amp") })
    #expect(lines.allSatisfy { $0.hasPrefix("effect ") || $0.hasPrefix("lv2 ") })
  }

  @Test func `a word filters the list regardless of case`() throws {
    let outcome = try swiftlet.run("list", "EG-amp")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.hasSuffix(" http://lv2plug.in/plugins/eg-amp\n"))
    #expect(try !swiftlet.run("list", "--effects").output.contains("lv2"))
    #expect(try !swiftlet.run("list", "--plugins").output.contains("effect"))
  }

  @Test func `a word without a match ends with status 1`() throws {
    let outcome = try swiftlet.run("list", "--effects", "dealy")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages
        == "swiftlet: error: no item has 'dealy' in its name, kind or URI; did you mean 'Delay'?\n")
  }

  @Test func `the JSON list has the same items as the text list`() throws {
    let list = try json("list", "--json")
    #expect(list["format"] as? Int == 1)
    let items = try #require(list["items"] as? [[String: Any]])
    let usable = items.filter { $0["usable"] as? Bool == true }
    #expect(try swiftlet.run("list").output.split(separator: "\n").count == usable.count)
    #expect(items.first?["id"] as? String == "gain")
  }

  @Test func `an effect shows its parameters with unit, range and default`() throws {
    let outcome = try swiftlet.run("show", "delay")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#/\n  time +500 ms +0 to 10000 ms /#))
    #expect(outcome.output.contains("effect: delay"))
    #expect(outcome.output.contains("slapback"))
  }

  @Test func `an effect with several algorithms shows them, and which are not built`() throws {
    let lines = try swiftlet.run("show", "pitch").output.split(separator: "\n")
    let line = lines.first { $0.hasPrefix("engines ") }.map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #if RubberBand
      #expect(line == "engines fast, finest")
    #else
      #expect(line == "engines fast, finest (not in this build)")
    #endif
    #expect(try json("show", "--json", "pitch")["engines"] as? [String] == ["fast", "finest"])
    #expect(try !swiftlet.run("show", "delay").output.contains("engines"))
  }

  @Test func `a plugin shows the data of its Turtle`() throws {
    // eg-amp of the LV2 project: one control port, gain, default 0, -90 to 24 dB.
    let outcome = try swiftlet.run("show", "http://lv2plug.in/plugins/eg-amp")
    #expect(outcome.output.contains(#/\n  gain +0 dB +-90 to 24 dB/#))
    let plugin = try json("show", "--json", "http://lv2plug.in/plugins/eg-amp")
    let parameters = try #require(plugin["parameters"] as? [[String: Any]])
    #expect(plugin["id"] as? String == "http://lv2plug.in/plugins/eg-amp")
    #expect(parameters.map { $0["minimum"] as? Double } == [-90])
    #expect(parameters.map { $0["unit"] as? String } == ["dB"])
  }

  @Test func `a name shared by two plugins is answered with their URIs`() throws {
    let outcome = try swiftlet.run("show", "simple amplifier")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages.contains("<http://lv2plug.in/plugins/eg-amp>, <http://plugin.org.uk/swh-plugins/amp>"))
  }

  @Test func `without installed plugins the list states how to install some`() throws {
    var bare = swiftlet
    bare.environment = ["LV2_PATH": "/nonexistent"]
    let outcome = try bare.run("list", "--plugins")
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.messages.contains("no LV2 plugins are installed"))
  }

  @Test func `an effect's latency is shown, including 0`() throws {
    #expect(try json("show", "--json", "gain")["latency"] as? Int == 0)
  }

  @Test func `a misspelt name is answered with the nearest one`() throws {
    let outcome = try swiftlet.run("show", "gian")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages == "swiftlet: error: no effect or plugin is called 'gian'; did you mean 'gain'?\n")
    let plugin = try swiftlet.run("show", "http://lv2plug.in/plugins/eg-amb")
    #expect(plugin.messages.hasSuffix("did you mean 'http://lv2plug.in/plugins/eg-amp'?\n"))
  }
}
