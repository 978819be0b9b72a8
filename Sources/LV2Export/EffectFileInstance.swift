// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// An instance with an effect that takes a file. Everything that does not depend on the effect's type is in
/// ``FileInstance``.
@safe final class EffectFileInstance<E: Effect & ~Copyable>: FileInstance {
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
      let made = try E(layout)
      let effect = UnsafeMutablePointer<E>.allocate(capacity: 1)
      unsafe effect.initialize(to: made)
      return UnsafeMutableRawPointer(effect)
    } catch {
      return nil
    }
  }

  override func free(_ effect: UnsafeMutableRawPointer) {
    let effect = unsafe typed(effect)
    unsafe effect.deinitialize(count: 1)
    unsafe effect.deallocate()
  }

  override func latency(of effect: UnsafeMutableRawPointer) -> Int { unsafe typed(effect).pointee.latency }

  override func reset(_ effect: UnsafeMutableRawPointer) { unsafe typed(effect).pointee.reset() }

  override func set(_ effect: UnsafeMutableRawPointer, _ number: Int, to value: Float, over frames: Int) {
    guard let parameter = E.Parameter(rawValue: number) else { return }
    unsafe typed(effect).pointee.set(parameter, to: value, over: frames)
  }

  override func process(_ effect: UnsafeMutableRawPointer, _ block: Block) {
    unsafe typed(effect).pointee.process(block)
  }

  private func typed(_ effect: UnsafeMutableRawPointer) -> UnsafeMutablePointer<E> {
    unsafe effect.assumingMemoryBound(to: E.self)
  }
}
