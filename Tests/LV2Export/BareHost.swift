// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2Export

/// The least that can be called an LV2 host: one instance, and memory of its own for every port.
final class BareHost {
  static let longest = 8192

  let plugin: ExportedPlugin
  private let descriptor: LV2_Descriptor
  private let handle: LV2_Handle?
  private let memory: [UnsafeMutablePointer<Float>]

  /// An active instance of the unit, with every port connected and every control at its default.
  ///
  /// - Parameter givesNumbers: whether it has `urid:map`, and with that a use for event ports.
  init<Unit: EffectUnit & ~Copyable>(
    _ unit: Unit.Type, isMono: Bool = false, givesNumbers: Bool = false
  ) throws {
    var exports = PluginExports()
    exports.visit(unit)
    let index = isMono ? 1 : 0
    plugin = exports.plugins[index]
    let found = try #require(exports.descriptor(UInt32(index)))
    descriptor = found.pointee
    var map = LV2_URID_Map(handle: nil) { _, name in
      name.map { BareHost.number(String(cString: $0)) } ?? 0
    }
    handle = try withUnsafeMutablePointer(to: &map) { map in
      try "http://lv2plug.in/ns/ext/urid#map".withCString { name in
        try withUnsafePointer(to: LV2_Feature(URI: name, data: map)) { feature in
          let features = [feature, nil]
          return try #require(
            found.pointee.instantiate(found, 48_000, "/", givesNumbers ? features : nil))
        }
      }
    }
    memory = (0..<plugin.portCount).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: Self.longest)
      samples.initialize(repeating: 0, count: Self.longest)
      return samples
    }
    for port in 0..<plugin.portCount { connect(port, to: port) }
    self["enabled"] = 1
    for parameter in plugin.parameters { self[parameter.symbol] = parameter.description.initial }
    activate()
  }

  deinit {
    descriptor.cleanup(handle)
    for samples in memory { samples.deallocate() }
  }

  func activate() { descriptor.activate(handle) }

  func run(_ frameCount: Int) { descriptor.run(handle, UInt32(frameCount)) }

  /// Gives a port the memory of another one, or none.
  func connect(_ port: Int, to other: Int?) {
    descriptor.connect_port(handle, UInt32(port), other.map { UnsafeMutableRawPointer(memory[$0]) })
  }

  /// The number of a port; past the last one for a symbol that there is not.
  func port(_ symbol: String) -> Int {
    plugin.ports.firstIndex { $0.symbol == symbol } ?? plugin.portCount
  }

  subscript(symbol: String) -> Float {
    get { memory[port(symbol)][0] }
    set { memory[port(symbol)][0] = newValue }
  }

  func write(bytes: [UInt8], to symbol: String) {
    UnsafeMutableRawPointer(memory[port(symbol)]).copyMemory(from: bytes, byteCount: bytes.count)
  }

  func read(bytes count: Int, from symbol: String) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: memory[port(symbol)], count: count))
  }

  /// A number for a name, the same every time.
  static func number(_ name: String) -> UInt32 {
    names.withLock { names in
      if let place = names.firstIndex(of: name) { return UInt32(place + 1) }
      names.append(name)
      return UInt32(names.count)
    }
  }
  private static let names = Mutex<[String]>([])

  func write(_ samples: [Float], to symbol: String) {
    for (frame, sample) in samples.enumerated() { memory[port(symbol)][frame] = sample }
  }

  func read(_ symbol: String, _ count: Int) -> [Float] { (0..<count).map { memory[port(symbol)][$0] } }
}

/// White noise that is the same every time, at −6 dB.
func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return (Float(state >> 8) / Float(1 << 23) - 1) * 0.5
  }
}
