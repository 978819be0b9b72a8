// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

@Suite struct WorldTests {
  private let world = PluginWorld.shared

  @Test func `the world lists installed plugins by name`() throws {
    let list = try world.list()
    #expect(list.contains { $0.uri == "http://lv2plug.in/plugins/eg-amp" && $0.name == "Simple Amplifier" })
    #expect(list.map(\.name) == list.map(\.name).sorted())
  }

  @Test func `a plugin's buses, parameters and units are those of its Turtle`() throws {
    let info = try world.info(uri: "http://lv2plug.in/plugins/eg-amp")
    #expect(info.inputs == [ProcessorInfo.Bus("in", .matching)])
    #expect(info.outputs == [ProcessorInfo.Bus("out", .matching)])
    let gain = try #require(info.parameters.first)
    #expect(gain.symbol == "gain" && gain.number == 0 && gain.unit == .decibels)
    #expect(gain.range == -90...24 && gain.initial == 0)
    #expect(gain.choices.contains { $0.value == 5 && $0.name == "+5" })
    #expect(info.refusal == nil)
  }

  @Test func `MIDI ports are event buses`() throws {
    let info = try world.info(uri: "http://lv2plug.in/plugins/eg-fifths")
    #expect(info.inputs == [ProcessorInfo.Bus("events", .events)])
    #expect(info.outputs == [ProcessorInfo.Bus("events", .events)])
  }

  @Test func `a side chain is a separate bus`() throws {
    let info = try world.info(uri: "urn:zamaudio:ZamComp")
    #expect(
      info.inputs == [
        ProcessorInfo.Bus("in", .matching), ProcessorInfo.Bus("sidechain", .channels(1), isSideChain: true),
      ])
    let old = try world.info(uri: "http://plugin.org.uk/swh-plugins/sc3")
    #expect(old.inputs.map(\.symbol).contains("sidechain"))
  }

  @Test func `a grouped plugin has its main group first`() throws {
    let info = try world.info(uri: "http://drobilla.net/plugins/mda/Ambience")
    #expect(info.inputs == [ProcessorInfo.Bus("in", .channels(2))])
    #expect(info.outputs == [ProcessorInfo.Bus("out", .channels(2))])
  }

  @Test func `presets have URIs and labels`() throws {
    let presets = try world.info(uri: "http://gareus.org/oss/lv2/fil4#mono").presets
    #expect(presets.allSatisfy { !$0.label.isEmpty && $0.id.contains(":") })
  }

  @Test func `an unknown URI yields the nearest one`() throws {
    let error = #expect(throws: PluginError.self) { try world.info(uri: "http://lv2plug.in/plugins/eg-ampp") }
    #expect(error?.description.contains("did you mean <http://lv2plug.in/plugins/eg-amp>?") == true)
    #expect(throws: PluginError.self) { try world.info(uri: "") }
    #expect(throws: PluginError.self) { try world.info(uri: "not a uri \u{0}") }
  }

  @Test func `a world for one folder lists only its plugins`() throws {
    let folder = try FixtureFolder()
    let uri = try folder.add("alone", ports: FixtureFolder.throughPorts)
    #expect(try folder.world.list().map(\.uri) == [uri])
  }

  @Test func `every installed plugin can be described`() throws {
    for listing in try world.list() {
      let info = try world.info(uri: listing.uri)
      for parameter in info.parameters {
        #expect(parameter.range.lowerBound.isFinite && parameter.range.upperBound.isFinite)
        #expect(parameter.range.contains(parameter.initial))
      }
      #expect(Set(info.inputs.map(\.symbol)).count == info.inputs.count)
      #expect(Set(info.outputs.map(\.symbol)).count == info.outputs.count)
    }
  }
}

@Suite struct DescriptionTests {
  private func parameters(_ ports: [String], more: String = "") throws -> ProcessorInfo {
    let folder = try FixtureFolder()
    let uri = try folder.add("described", ports: ports.joined(separator: " , "), more: more)
    return try folder.world.info(uri: uri, sampleRate: 48_000)
  }
  private func control(_ more: String) -> String {
    FixtureFolder.port(0, "x", "lv2:InputPort, lv2:ControlPort", more)
  }

  @Test func `missing bounds are open, and the default is the value nearest to 0`() throws {
    var port = try #require(parameters([control("")]).parameters.first)
    #expect(port.range == -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude && port.initial == 0)
    port = try #require(parameters([control("; lv2:minimum 3 ; lv2:maximum 7")]).parameters.first)
    #expect(port.range == 3...7 && port.initial == 3)
    port = try #require(
      parameters([control("; lv2:minimum 7 ; lv2:maximum 3 ; lv2:default 9")]).parameters.first)
    #expect(port.range == 3...9 && port.initial == 9)
  }

  @Test func `a bound of NaN is ignored`() throws {
    let text =
      "; lv2:minimum \"NaN\"^^<http://www.w3.org/2001/XMLSchema#double> ; lv2:maximum 1.0 ; lv2:default 0.5"
    let port = try #require(parameters([control(text)]).parameters.first)
    #expect(port.range.upperBound == 1 && port.range.lowerBound.isFinite && port.initial == 0.5)
  }

  @Test func `bounds relative to the sample rate are multiplied by it`() throws {
    let scaled = "lv2:portProperty lv2:sampleRate ; lv2:minimum 0.0 ; lv2:maximum 0.5"
    var port = try #require(parameters([control("; \(scaled) ; lv2:default 0.25")]).parameters.first)
    #expect(port.range == 0...24_000 && port.initial == 12_000)
    port = try #require(parameters([control("; \(scaled) ; lv2:default 440.0")]).parameters.first)
    #expect(port.initial == 440)
  }

  @Test func `curves come from port properties`() throws {
    func curve(_ text: String) throws -> ParameterCurve? {
      try parameters([control("; lv2:minimum 1 ; lv2:maximum 4 ; " + text)]).parameters.first?.curve
    }
    let points = "lv2:scalePoint [ rdfs:label \"two\" ; rdf:value 2 ] , [ rdfs:label \"one\" ; rdf:value 1 ]"
      .replacing("rdf:value", with: "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>")
    #expect(try curve("lv2:portProperty lv2:toggled") == .toggle)
    #expect(try curve("lv2:portProperty lv2:integer") == .integer)
    #expect(try curve("lv2:portProperty lv2:enumeration ; " + points) == .choice)
    #expect(try curve("lv2:portProperty lv2:enumeration") == .linear)
    #expect(try curve("lv2:portProperty pprops:logarithmic") == .logarithmic)
    let choices = try parameters([control("; " + points)]).parameters.first?.choices
    #expect(choices == [ParameterInfo.Choice("one", 1), ParameterInfo.Choice("two", 2)])
  }

  @Test func `ports that the host handles are neither parameters nor meters`() throws {
    let output = "lv2:OutputPort, lv2:ControlPort", input = "lv2:InputPort, lv2:ControlPort"
    let info = try parameters([
      FixtureFolder.port(0, "latency", output, "; lv2:designation lv2:latency"),
      FixtureFolder.port(1, "old_latency", output, "; lv2:portProperty lv2:reportsLatency"),
      FixtureFolder.port(2, "on", input, "; lv2:designation lv2:enabled"),
      FixtureFolder.port(3, "free", input, "; lv2:designation lv2:freeWheeling"),
      FixtureFolder.port(4, "drive", input, "; units:unit units:hz"),
      FixtureFolder.port(5, "level", output, "; units:unit units:db ; lv2:minimum -70 ; lv2:maximum 4"),
    ])
    #expect(info.parameters.map(\.symbol) == ["drive"])
    #expect(info.parameters.first?.unit == .hertz && info.parameters.first?.number == 4)
    #expect(
      info.meters == [ProcessorInfo.Meter(symbol: "level", name: "level", unit: .decibels, range: -70...4)])
  }

  @Test func `groups, side chains and CV are buses`() throws {
    let group = "<urn:g:\("side")>"
    let audio = "lv2:InputPort, lv2:AudioPort"
    let info = try parameters(
      [
        FixtureFolder.port(0, "key", audio, "; pg:group <urn:g:key>"),
        FixtureFolder.port(1, "left", audio, "; pg:group <urn:g:main>"),
        FixtureFolder.port(2, "right", audio, "; pg:group <urn:g:main>"),
        FixtureFolder.port(3, "aux_1", audio),
        FixtureFolder.port(4, "pitch", "lv2:InputPort, lv2:CVPort"),
        FixtureFolder.port(5, "control", "lv2:InputPort, atom:AtomPort", "; atom:supports midi:MidiEvent"),
        FixtureFolder.port(6, "second", "lv2:InputPort, atom:AtomPort"),
        FixtureFolder.port(7, "listen", audio, "; pg:group \(group)"),
      ],
      more: "; pg:mainInput <urn:g:main> . \(group) lv2:symbol \"side\" ; pg:sideChainOf <urn:g:main> . "
        + "<urn:g:key> lv2:symbol \"Key\"")
    #expect(
      info.inputs == [
        ProcessorInfo.Bus("in", .channels(2)), ProcessorInfo.Bus("key", .channels(1)),
        ProcessorInfo.Bus("aux-1", .channels(1)),
        ProcessorInfo.Bus("sidechain", .channels(1), isSideChain: true),
        ProcessorInfo.Bus("pitch", .channels(1)),
        ProcessorInfo.Bus("events", .events), ProcessorInfo.Bus("second", .events),
      ])
  }

  @Test func `a plugin with an unsupported requirement is refused with its name`() throws {
    let info = try parameters([control("")], more: "; lv2:requiredFeature <urn:some:feature>")
    #expect(info.refusal?.contains("urn:some:feature") == true)
    let option = try parameters([control("")], more: "; opts:requiredOption <urn:some:option>")
    #expect(option.refusal?.contains("urn:some:option") == true)
    let port = try parameters([FixtureFolder.port(0, "old", "lv2:InputPort, <urn:some:kind>")])
    #expect(port.refusal?.contains("urn:some:kind") == true)
  }

  @Test func `ports with the same symbol get distinct symbols`() throws {
    let twins = try parameters(
      ["a", "a", "a_2", "a"].enumerated().map {
        FixtureFolder.port($0, $1, "lv2:InputPort, lv2:ControlPort")
      })
    #expect(twins.refusal == nil)
    #expect(twins.parameters.map(\.symbol) == ["a", "a_3", "a_2", "a_4"])
  }

  @Test func `an invalid description is refused without a crash`() throws {
    let hole = try parameters([
      FixtureFolder.port(0, "a", "lv2:InputPort, lv2:ControlPort"),
      FixtureFolder.port(2, "c", "lv2:InputPort, lv2:ControlPort"),
    ])
    #expect(hole.refusal != nil)
    let nonsense = try parameters(["[ a lv2:Inp ; ] ]]] ;;"])
    #expect(nonsense.refusal != nil)
  }

  @Test(arguments: [-1, 65_536, 2_147_483_648])
  func `a port number beyond the limit is refused without using memory`(number: Int) throws {
    let plugin = try parameters([FixtureFolder.port(number, "a", "lv2:InputPort, lv2:ControlPort")])
    #expect(plugin.refusal?.contains("the number of a port") ?? false)
    #expect(plugin.parameters.isEmpty)
  }
}
