// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What a unit looks like as an LV2 plugin: URI, ports, presets. Code and Turtle are both made from this.
///
/// A unit whose main buses follow their wire becomes two plugins: stereo with the unit's own URI, and mono
/// with `-mono` behind it. A unit of fixed width becomes one. Its ports are, in this order: audio in, audio
/// out, `enabled`, `latency`, meters, parameters; bands, of which there are ``bandCount(of:)``; events.
struct ExportedPlugin {
  let description: EffectDescription
  let presets: [EffectPreset]
  let uri: String
  let name: String
  let isMono: Bool
  /// Channels of each bus, in the order of the description.
  let inputs: [Int], outputs: [Int]
  let bandCount: Int
  let bands: BandDescription?
  let parameters: [ExportedParameter]
  let eventPorts: [ExportedEventPort]
  /// The file that the unit is made with; nil for a unit without, or with several, which cannot come one by one.
  let filed: FileDescription?

  /// How many channels all inputs, and all outputs, have together.
  let inputCount: Int, outputCount: Int

  /// Where the ports that are no audio stand.
  var enabledPort: Int { inputCount + outputCount }
  var latencyPort: Int { enabledPort + 1 }
  var firstMeter: Int { latencyPort + 1 }
  var firstParameter: Int { firstMeter + description.meters.count }
  var firstEventPort: Int { firstParameter + parameters.count }
  var portCount: Int { firstEventPort + eventPorts.count }

  init<Unit: Effect & ~Copyable>(_ unit: Unit.Type, isMono: Bool) {
    let description = Unit.description
    self.description = description
    presets = Unit.presets
    self.isMono = isMono
    uri = text(description.uri) + (isMono ? "-mono" : "")
    name = text(description.name) + (isMono ? " (mono)" : "")
    let channels = isMono ? 1 : 2
    inputs = description.inputs.map { Self.width($0, channels) }
    outputs = description.outputs.map { Self.width($0, channels) }
    inputCount = inputs.reduce(0, +)
    outputCount = outputs.reduce(0, +)
    bands = Unit.bands
    bandCount = Self.bandCount(of: bands)
    var parameters = Unit.parameters.map { ExportedParameter($0) }
    if let bands {
      for band in 0..<bandCount {
        parameters += bands.parameters.map { ExportedParameter($0, band: band, of: bands) }
      }
    }
    self.parameters = parameters
    filed = description.files.count == 1 ? description.files[0] : nil
    eventPorts = ExportedEventPort.all(description, takesFiles: filed != nil)
  }

  /// Whether a unit comes in mono, too.
  static func hasMono(_ description: EffectDescription) -> Bool {
    (description.inputs + description.outputs).contains { $0.content == .matching }
  }

  /// How many bands a plugin has, since ports cannot come and go: ten, or as many as there may be.
  static func bandCount(of bands: BandDescription?) -> Int {
    guard let bands else { return 0 }
    return max(min(10, bands.count.upperBound), bands.count.lowerBound)
  }

  private static func width(_ bus: EffectBus, _ channels: Int) -> Int {
    switch bus.content {
    case .matching: channels
    case .atLeast(let fewest): max(channels, fewest)
    case .channels(let count): max(count, 0)
    case .events: 0
    }
  }

  /// What a unit is made for.
  func layout(sampleRate: Double, longestBlock: Int) -> Layout {
    Layout(
      sampleRate: sampleRate, longestBlock: longestBlock, inputs: inputs, outputs: outputs,
      bandCount: bandCount)
  }
}

/// A parameter as a control port.
struct ExportedParameter {
  let description: ParameterDescription
  let symbol: String
  let name: String
  /// The band it belongs to, from 1; nil for a plain one.
  let band: Int?

  init(_ description: ParameterDescription) {
    self.description = description
    symbol = portSymbol(description.symbol)
    name = text(description.name)
    band = nil
  }

  /// `band_3_frequency`, "Band 3 Frequency": counted from 1, as people do.
  init(_ description: ParameterDescription, band: Int, of bands: BandDescription) {
    self.description = description
    let number = decimal(band + 1)
    symbol = portSymbol(bands.singular) + "_" + number + "_" + portSymbol(description.symbol)
    name = capitalised(bands.singular) + " " + number + " " + text(description.name)
    self.band = band + 1
  }
}
