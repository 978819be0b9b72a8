// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import Foundation
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletLV2Export

/// A minimal LV2 host: one instance, and a separate buffer for every port.
final class MinimalHost {
  static let longest = 8192

  let plugin: ExportedPlugin
  let descriptor: LV2_Descriptor
  let handle: LV2_Handle
  /// Work that the plugin has scheduled; see ``work()``.
  private let jobs = Jobs()
  private let memory: [UnsafeMutablePointer<Float>]

  /// Makes an active instance of the effect, with every port connected and every control at its default.
  ///
  /// - Parameters:
  ///   - hasURIDMap: whether the host has `urid:map`, which event ports require. Default: false.
  ///   - works: whether the host has a worker. Default: false.
  init<E: Effect & ~Copyable>(
    _ effect: E.Type, isMono: Bool = false, hasURIDMap: Bool = false, works: Bool = false
  ) throws {
    var exports = PluginExports()
    exports.visit(effect)
    let index = isMono ? 1 : 0
    plugin = exports.plugins[index]
    let found = try #require(exports.descriptor(UInt32(index)))
    descriptor = found.pointee
    var map = LV2_URID_Map(handle: nil) { _, name in
      name.map { MinimalHost.number(String(cString: $0)) } ?? 0
    }
    var worker = LV2_Worker_Schedule(handle: Unmanaged.passUnretained(jobs).toOpaque()) { jobs, size, data in
      guard let jobs, let data else { return LV2_WORKER_ERR_UNKNOWN }
      Unmanaged<Jobs>.fromOpaque(jobs).takeUnretainedValue().waiting
        .append(Array(UnsafeRawBufferPointer(start: data, count: Int(size))))
      return LV2_WORKER_SUCCESS
    }
    let instance: LV2_Handle? = withUnsafeMutablePointer(to: &map) { map in
      withUnsafeMutablePointer(to: &worker) { worker in
        var features: [(name: String, data: UnsafeMutableRawPointer)] = []
        if hasURIDMap { features.append(("urid#map", UnsafeMutableRawPointer(map))) }
        if works { features.append(("worker#schedule", UnsafeMutableRawPointer(worker))) }
        return Self.withFeatures(features) { found.pointee.instantiate(found, 48_000, "/", $0) }
      }
    }
    handle = try #require(instance)
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

  /// Calls `body` with a list of LV2 features.
  static func withFeatures<Result>(
    _ named: [(name: String, data: UnsafeMutableRawPointer)],
    _ body: (UnsafePointer<UnsafePointer<LV2_Feature>?>) -> Result
  ) -> Result {
    let names = named.map { strdup("http://lv2plug.in/ns/ext/" + $0.name) }
    defer { for name in names { free(name) } }
    let features = zip(names, named).map { LV2_Feature(URI: $0, data: $1.data) }
    return features.withUnsafeBufferPointer { features in
      body(features.indices.map { index in features.baseAddress.map { $0 + index } } + [nil])
    }
  }

  /// Returns the plugin's extension data for `name`; nil if it has none.
  func interface<Interface>(_ name: String, as type: Interface.Type) -> Interface? {
    descriptor.extension_data?("http://lv2plug.in/ns/ext/" + name)?.assumingMemoryBound(to: type).pointee
  }

  /// Performs the work that the plugin has scheduled.
  func work() {
    let waiting = jobs.waiting
    jobs.waiting = []
    for job in waiting {
      _ = interface("worker#interface", as: LV2_Worker_Interface.self)?
        .work(handle, { _, _, _ in LV2_WORKER_SUCCESS }, nil, UInt32(job.count), job)
    }
  }

  func activate() { descriptor.activate(handle) }

  func run(_ frameCount: Int) { descriptor.run(handle, UInt32(frameCount)) }

  /// Connects a port to the buffer of another port, or to none.
  func connect(_ port: Int, to other: Int?) {
    descriptor.connect_port(handle, UInt32(port), other.map { UnsafeMutableRawPointer(memory[$0]) })
  }

  /// Returns the index of the port with this symbol; `portCount` if there is none.
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

  /// Returns the URID of a name; the same for each call.
  static func number(_ name: String) -> UInt32 {
    names.withLock { names in
      if let index = names.firstIndex(of: name) { return UInt32(index + 1) }
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

/// The data of scheduled work.
private final class Jobs {
  var waiting: [[UInt8]] = []
}

/// Returns reproducible white noise with a peak of −6 dBFS.
func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return (Float(state >> 8) / Float(1 << 23) - 1) * 0.5
  }
}
