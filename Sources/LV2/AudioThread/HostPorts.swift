// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A transport value that a control input receives, according to its designation.
enum TransportValue: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  case frame, speed, framesPerSecond, bar, barBeat, beat, beatUnit, beatsPerBar, beatsPerMinute

  /// The designation's URI.
  var uri: String {
    switch self {
    case .frame: Name.timeFrame
    case .speed: Name.timeSpeed
    case .framesPerSecond: Name.timeFramesPerSecond
    case .bar: Name.timeBar
    case .barBeat: Name.timeBarBeat
    case .beat: Name.timeBeat
    case .beatUnit: Name.timeBeatUnit
    case .beatsPerBar: Name.timeBeatsPerBar
    case .beatsPerMinute: Name.timeBeatsPerMinute
    }
  }

  /// The value at a transport position; NaN if it is unknown, so that the port keeps its value.
  @_noLocks @_noAllocation func value(of transport: Transport, sampleRate: Float) -> Float {
    switch self {
    case .frame: return Float(transport.position)
    case .speed: return transport.isRolling ? 1 : 0
    case .framesPerSecond: return sampleRate
    default: break
    }
    guard transport.tempo > 0 else { return .nan }
    // LV2 counts bars and beats from 0.
    let bar = Double(transport.bar) - 1
    switch self {
    case .bar: return Float(bar)
    case .barBeat: return Float(transport.beat)
    case .beat: return Float(bar * Double(transport.beatsPerBar) + transport.beat)
    case .beatUnit: return transport.beatUnit
    case .beatsPerBar: return transport.beatsPerBar
    case .beatsPerMinute: return Float(transport.tempo)
    case .frame, .speed, .framesPerSecond: return .nan
    }
  }
}

extension PluginRuntime {
  /// A control input that receives a transport value.
  struct ClockPort: BitwiseCopyable {
    var port: Int32
    var value: TransportValue
  }

  /// Whether the host sets control inputs of the plugin by itself.
  var hasHostInputs: Bool {
    @_noLocks @_noAllocation get {
      freeWheelingPort >= 0 || enabledPort >= 0 || resetPort >= 0 || clockPortCount > 0
    }
  }

  /// Restores the reset input's value, after the plugin has run with it.
  @_noLocks @_noAllocation mutating func endReset() {
    isToReset = false
    values[resetPort] = controls[resetPort].ramp.value
  }

  /// Sets the control inputs that the host controls.
  @_noLocks @_noAllocation func setHostInputs(_ transport: Transport) {
    if freeWheelingPort >= 0 { values[freeWheelingPort] = transport.isFreewheeling ? 1 : 0 }
    if enabledPort >= 0 { values[enabledPort] = isBypassed ? 0 : 1 }
    // 1 is a full reset.
    if isToReset { values[resetPort] = min(max(1, controls[resetPort].low), controls[resetPort].high) }
    for index in 0..<clockPortCount {
      let port = Int(clockPorts[index].port)
      let value = clockPorts[index].value.value(of: transport, sampleRate: sampleRate)
      if !value.isNaN { values[port] = min(max(value, controls[port].low), controls[port].high) }
    }
  }
}
