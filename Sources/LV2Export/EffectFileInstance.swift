// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// An instance with an effect that takes a file. Everything that does not depend on the effect's type is in
/// ``FileInstance``.
@safe final class EffectFileInstance<Unit: Effect & ~Copyable>: FileInstance {
  private let layout: Layout

  override init?(_ plugin: ExportedPlugin, _ file: FileDescription, sampleRate: Double, _ host: HostFeatures)
  {
    layout = plugin.layout(sampleRate: sampleRate, longestBlock: Self.longestBlock)
    super.init(plugin, file, sampleRate: sampleRate, host)
  }

  override func make(_ file: EffectFile?) -> UnsafeMutableRawPointer? {
    var layout = layout
    layout.files = [file]
    do throws(EffectError) {
      let made = try Unit(layout)
      let unit = UnsafeMutablePointer<Unit>.allocate(capacity: 1)
      unsafe unit.initialize(to: made)
      return UnsafeMutableRawPointer(unit)
    } catch {
      return nil
    }
  }

  override func free(_ unit: UnsafeMutableRawPointer) {
    let unit = unsafe typed(unit)
    unsafe unit.deinitialize(count: 1)
    unsafe unit.deallocate()
  }

  override func latency(of unit: UnsafeMutableRawPointer) -> Int { unsafe typed(unit).pointee.latency }

  override func reset(_ unit: UnsafeMutableRawPointer) { unsafe typed(unit).pointee.reset() }

  override func set(_ unit: UnsafeMutableRawPointer, _ number: Int, to value: Float, over frames: Int) {
    guard let parameter = Unit.Parameter(rawValue: number) else { return }
    unsafe typed(unit).pointee.set(parameter, to: value, over: frames)
  }

  override func process(_ unit: UnsafeMutableRawPointer, _ block: Block) {
    unsafe typed(unit).pointee.process(block)
  }

  private func typed(_ unit: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Unit> {
    unsafe unit.assumingMemoryBound(to: Unit.self)
  }
}
