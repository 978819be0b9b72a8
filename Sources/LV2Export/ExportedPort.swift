// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A port's Turtle description.
struct ExportedPort {
  let symbol: String
  private var node: BlankNode

  /// The description of the port at `index`.
  func turtle(index: Int) -> BlankNode {
    var node = node
    node.add("lv2:index", decimal(index))
    return node
  }

  /// A channel of a bus.
  init(_ bus: ExportedGroup, channel: Int) {
    let side = bus.sides[channel]
    // Parameters may have the same symbol, such as `sidechain`, so a bus other than the main one has its direction in
    // the symbol.
    symbol = bus.symbol + (bus.isMain ? "" : bus.isInput ? "_in" : "_out") + side.suffix
    node = BlankNode("a", bus.isInput ? "lv2:AudioPort , lv2:InputPort" : "lv2:AudioPort , lv2:OutputPort")
    node.add("lv2:symbol", quoted(symbol))
    node.add("lv2:name", quoted(bus.name + side.name))
    node.add("pg:group", bus.uri)
    if !side.designation.isEmpty { node.add("lv2:designation", side.designation) }
    if bus.isSideChain {
      node.add("lv2:portProperty", "lv2:isSideChain , lv2:connectionOptional")
    }
  }

  /// The switch that every plugin has. If it is off, the input is heard instead, delayed by the plugin's latency.
  static var enabled: ExportedPort {
    var port = ExportedPort("enabled", "Enabled", isInput: true)
    port.node.add("lv2:designation", "lv2:enabled")
    port.node.add("lv2:portProperty", "lv2:toggled")
    port.add(range: 0...1, initial: 1)
    return port
  }

  /// The latency output that every plugin has, so that an effect may get a latency later without a new port.
  static var latency: ExportedPort {
    var port = ExportedPort("latency", "Latency", isInput: false)
    port.node.add("lv2:designation", "lv2:latency")
    port.node.add("lv2:portProperty", "lv2:reportsLatency , lv2:integer , lv2:connectionOptional")
    port.node.add("units:unit", "units:frame")
    port.add(range: 0...1_000_000, initial: 0)
    return port
  }

  /// A meter.
  init(_ meter: MeterDescription) {
    self.init(portSymbol(meter.symbol), capitalised(meter.symbol), isInput: false)
    add(meter.unit)
    node.add("lv2:portProperty", "lv2:connectionOptional")
    node.add("lv2:minimum", decimal(meter.range.lowerBound))
    node.add("lv2:maximum", decimal(meter.range.upperBound))
  }

  /// A parameter, in the group of its band if it has one.
  init(_ parameter: ExportedParameter, group: String?) {
    let description = parameter.description
    self.init(parameter.symbol, parameter.name, isInput: true)
    node.add("rdfs:comment", quoted(text(description.meaning)))
    if let group { node.add("pg:group", group) }
    add(description.unit)
    switch description.curve {
    case .linear: break
    case .logarithmic:
      if description.range.lowerBound > 0 { node.add("lv2:portProperty", "pprops:logarithmic") }
    case .integer: node.add("lv2:portProperty", "lv2:integer")
    case .toggle: node.add("lv2:portProperty", "lv2:toggled")
    case .choice: node.add("lv2:portProperty", "lv2:integer , lv2:enumeration")
    }
    add(range: description.range, initial: description.initial)
    for (value, choice) in description.choices.enumerated() {
      node.add(
        "lv2:scalePoint",
        "[ rdfs:label " + quoted(capitalised(choice)) + " ; rdf:value " + decimal(value) + " ]")
    }
  }

  /// An event port. `isControl` marks the default port for messages to the plugin.
  init(_ port: ExportedEventPort, isControl: Bool) {
    symbol = port.symbol
    node = BlankNode("a", port.isInput ? "atom:AtomPort , lv2:InputPort" : "atom:AtomPort , lv2:OutputPort")
    node.add("lv2:symbol", quoted(symbol))
    node.add("lv2:name", quoted(port.name))
    node.add("atom:bufferType", "atom:Sequence")
    if port.bus != nil { node.add("atom:supports", "midi:MidiEvent") }
    if port.takesPosition { node.add("atom:supports", "time:Position") }
    if port.takesFiles || port.notifiesFiles { node.add("atom:supports", "patch:Message") }
    if isControl || port.notifiesFiles { node.add("lv2:designation", "lv2:control") }
    node.add("lv2:portProperty", "lv2:connectionOptional")
  }

  private init(_ symbol: String, _ name: String, isInput: Bool) {
    self.symbol = symbol
    node = BlankNode("a", isInput ? "lv2:ControlPort , lv2:InputPort" : "lv2:ControlPort , lv2:OutputPort")
    node.add("lv2:symbol", quoted(symbol))
    node.add("lv2:name", quoted(name))
  }

  private mutating func add(range: ClosedRange<Float>, initial: Float) {
    node.add("lv2:minimum", decimal(range.lowerBound))
    node.add("lv2:maximum", decimal(range.upperBound))
    node.add("lv2:default", decimal(initial))
  }

  private mutating func add(_ unit: ParameterUnit) {
    let name =
      switch unit {
      // LV2 has no units of loudness.
      case .none, .loudness, .loudnessUnits: ""
      case .decibels: "db"
      case .hertz: "hz"
      case .milliseconds: "ms"
      case .seconds: "s"
      case .percent: "pc"
      case .semitones: "semitone12TET"
      case .cents: "cent"
      case .midiNote: "midiNote"
      case .octaves: "oct"
      case .beatsPerMinute: "bpm"
      case .degrees: "degree"
      case .metres: "m"
      case .frames: "frame"
      }
    if !name.isEmpty { node.add("units:unit", "units:" + name) }
  }
}
