// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// An effect as an LV2 plugin: URI, ports, presets. The code and the Turtle are both derived from this.
///
/// An effect whose main buses match their wire becomes two plugins: a stereo one with the effect's own URI, and a mono
/// one with the suffix `-mono`. An effect of fixed width becomes one. The ports are, in this order: audio inputs,
/// audio outputs, `enabled`, `latency`, meters, parameters, events. The number of bands is ``bandCount(of:)``.
struct ExportedPlugin {
  let description: EffectDescription
  let presets: [EffectPreset]
  let uri: String
  let name: String
  let isMono: Bool
  /// The number of channels of each bus, in the order of the description.
  let inputs: [Int], outputs: [Int]
  let bandCount: Int
  let bands: BandDescription?
  let parameters: [ExportedParameter]
  let eventPorts: [ExportedEventPort]
  /// The file that the effect is made with; nil if it takes none, or several: hosts set files one by one.
  let filed: FileDescription?

  /// The number of channels of all inputs, and of all outputs.
  let inputCount: Int, outputCount: Int

  /// The indices of the ports that are not audio.
  var enabledPort: Int { inputCount + outputCount }
  var latencyPort: Int { enabledPort + 1 }
  var firstMeter: Int { latencyPort + 1 }
  var firstParameter: Int { firstMeter + description.meters.count }
  var firstEventPort: Int { firstParameter + parameters.count }
  var portCount: Int { firstEventPort + eventPorts.count }

  init<E: Effect & ~Copyable>(_ effect: E.Type, isMono: Bool) {
    let description = E.description
    self.description = description
    presets = E.presets
    self.isMono = isMono
    uri = text(description.uri) + (isMono ? "-mono" : "")
    name = text(description.name) + (isMono ? " (mono)" : "")
    let channels = isMono ? 1 : 2
    inputs = description.inputs.map { Self.width($0, channels) }
    outputs = description.outputs.map { Self.width($0, channels) }
    inputCount = inputs.reduce(0, +)
    outputCount = outputs.reduce(0, +)
    bands = E.bands
    bandCount = Self.bandCount(of: bands)
    var parameters = E.parameters.map { ExportedParameter($0) }
    if let bands {
      for band in 0..<bandCount {
        parameters += bands.parameters.map { ExportedParameter($0, band: band, of: bands) }
      }
    }
    self.parameters = parameters
    filed = description.files.count == 1 ? description.files[0] : nil
    eventPorts = ExportedEventPort.all(description, takesFiles: filed != nil)
  }

  /// Whether an effect also has a mono plugin.
  static func hasMono(_ description: EffectDescription) -> Bool {
    (description.inputs + description.outputs).contains { $0.content == .matching }
  }

  /// The number of bands of a plugin, which is fixed, since ports cannot be added or removed: ten, limited to the
  /// effect's range.
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

  /// The layout that an effect is made for.
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
  /// The number of its band, from 1; nil for a parameter without a band.
  let band: Int?

  init(_ description: ParameterDescription) {
    self.description = description
    symbol = portSymbol(description.symbol)
    name = text(description.name)
    band = nil
  }

  /// Creates a band's parameter: `band_3_frequency`, "Band 3 Frequency". Bands are numbered from 1.
  init(_ description: ParameterDescription, band: Int, of bands: BandDescription) {
    self.description = description
    let number = decimal(band + 1)
    symbol = portSymbol(bands.singular) + "_" + number + "_" + portSymbol(description.symbol)
    name = capitalised(bands.singular) + " " + number + " " + text(description.name)
    self.band = band + 1
  }
}
