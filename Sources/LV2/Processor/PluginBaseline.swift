// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// Plugins in series without a host around them: a baseline of the plugins' own cost, to measure a host against.
///
/// The first plugin's input is noise, each other's is the output of the plugin before it. One thread.
package final class PluginBaseline {
  private struct Slot {
    let plugin: LV2_Handle?
    let run: swiftlet_lv2_run
  }

  private let processors: [PluginProcessor]
  /// The instances of each plugin, and all instances in order.
  private let slots: [[Slot]], row: [Slot]
  private let frameCount: Int
  private let noise: UnsafeMutablePointer<Float>
  /// The outputs of plugins at even and at odd indices.
  private let played: [UnsafeMutablePointer<Float>]

  /// Takes over plugins that nothing else processes.
  ///
  /// - Parameter frameCount: The block length in frames; no more than the plugins were made for.
  package init(_ processors: [PluginProcessor], frameCount: Int) {
    self.processors = processors
    self.frameCount = max(frameCount, 1)
    noise = Self.buffer(self.frameCount)
    played = [Self.buffer(self.frameCount), Self.buffer(self.frameCount)]
    var state: UInt32 = 1
    for frame in 0..<self.frameCount {
      // The generator from Numerical Recipes: sufficiently white, and reproducible. About −25 dBFS.
      state = state &* 1_664_525 &+ 1_013_904_223
      noise[frame] = Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.1
    }
    slots = processors.map { processor in
      processor.body.instances.compactMap { instance in
        instance.descriptor.pointee.run.map { Slot(plugin: instance.handle, run: $0) }
      }
    }
    row = slots.flatMap(\.self)
    for (index, body) in processors.map(\.body).enumerated() {
      let input = index == 0 ? noise : played[(index + 1) % 2]
      for instance in body.instances {
        for port in body.model.ports where port.kind == .audio || port.kind == .cv {
          instance.connect(port.index, to: port.isInput ? input : played[index % 2])
        }
      }
    }
  }

  /// Returns a zeroed buffer that is aligned to a cache line, as in a plan.
  private static func buffer(_ frameCount: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer.allocate(byteCount: frameCount * 4, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: frameCount)
  }

  deinit {
    noise.deallocate()
    for memory in played { memory.deallocate() }
  }

  /// Runs a number of blocks and times each plugin separately.
  ///
  /// - Returns: The time of each plugin in seconds per block, without the cost of the time stamps.
  package func runEach(blocks: Int) -> [Double] {
    var spent = [UInt64](repeating: 0, count: slots.count)
    let denormals = rt_flush_denormals()
    for _ in 0..<max(blocks, 1) {
      var last = rt_ticks()
      for (index, instances) in slots.enumerated() {
        for slot in instances { slot.run(slot.plugin, UInt32(frameCount)) }
        let now = rt_ticks()
        spent[index] += now &- last
        last = now
      }
    }
    rt_restore_denormals(denormals)
    swiftlet_leave_processor()
    let perSecond = swiftlet_ticks_per_second(), stamp = Double(swiftlet_ticks_per_stamp())
    return spent.map { max(Double($0) / Double(max(blocks, 1)) - stamp, 0) / perSecond }
  }

  private func runRow() {
    for slot in row { slot.run(slot.plugin, UInt32(frameCount)) }
  }

  /// Runs a number of blocks in one bare loop.
  ///
  /// - Returns: The time of all plugins together, in seconds per block.
  package func run(blocks: Int) -> Double {
    let denormals = rt_flush_denormals()
    // Warms the caches.
    for _ in 0..<8 { runRow() }
    let start = rt_ticks()
    for _ in 0..<max(blocks, 1) { runRow() }
    let ticks = rt_ticks() &- start
    rt_restore_denormals(denormals)
    swiftlet_leave_processor()
    return Double(ticks) / swiftlet_ticks_per_second() / Double(max(blocks, 1))
  }
}
