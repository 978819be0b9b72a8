// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// Plugins in a row with nothing around them: what their own code costs, to measure a host against.
///
/// Each hears noise and plays to nobody. One thread.
public final class BareRack {
  private struct Slot {
    let plugin: LV2_Handle?
    let run: swiftlet_lv2_run
  }

  private let processors: [PluginProcessor]
  private let slots: [[Slot]]
  private let frameCount: Int
  private let noise: UnsafeMutablePointer<Float>
  private let waste: UnsafeMutablePointer<Float>

  /// Takes plugins over that nothing else plays, and will not play.
  ///
  /// - Parameter frameCount: frames in a block; no more than the plugins were made for.
  public init(_ processors: [PluginProcessor], frameCount: Int) {
    self.processors = processors
    self.frameCount = max(frameCount, 1)
    noise = .allocate(capacity: self.frameCount)
    waste = .allocate(capacity: self.frameCount)
    waste.initialize(repeating: 0, count: self.frameCount)
    var state: UInt32 = 1
    for frame in 0..<self.frameCount {
      // The generator of Numerical Recipes: white enough, and the same each time. About −25 dBFS.
      state = state &* 1_664_525 &+ 1_013_904_223
      (noise + frame).initialize(to: Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.1)
    }
    slots = processors.map { processor in
      processor.body.instances.compactMap { instance in
        instance.descriptor.pointee.run.map { Slot(plugin: instance.handle, run: $0) }
      }
    }
    for body in processors.map(\.body) {
      for instance in body.instances {
        for port in body.model.ports where port.kind == .audio || port.kind == .cv {
          instance.connect(port.index, to: port.isInput ? noise : waste)
        }
      }
    }
  }

  deinit {
    noise.deallocate()
    waste.deallocate()
  }

  /// Runs so many blocks.
  ///
  /// - Returns: what each plugin took, in seconds a block.
  public func run(blocks: Int) -> [Double] {
    var spent = [UInt64](repeating: 0, count: slots.count)
    let denormals = rt_flush_denormals()
    for _ in 0..<max(blocks, 1) {
      var last = rt_ticks()
      for (place, instances) in slots.enumerated() {
        for slot in instances { slot.run(slot.plugin, UInt32(frameCount)) }
        let now = rt_ticks()
        spent[place] += now &- last
        last = now
      }
    }
    rt_restore_denormals(denormals)
    let perSecond = swiftlet_ticks_per_second()
    return spent.map { perSecond > 0 ? Double($0) / perSecond / Double(max(blocks, 1)) : 0 }
  }
}
