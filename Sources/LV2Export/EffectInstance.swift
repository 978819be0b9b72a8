// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Creates instances of one effect.
final class EffectMaker<E: Effect & ~Copyable>: PluginMaker {
  init(isMono: Bool) { super.init(ExportedPlugin(E.self, isMono: isMono)) }

  override func make(sampleRate: Double, _ host: HostFeatures) -> PluginInstance? {
    if let file = plugin.filed { return EffectFileInstance<E>(plugin, file, sampleRate: sampleRate, host) }
    do throws(EffectError) {
      return try EffectInstance<E>(plugin, sampleRate: sampleRate, host.types)
    } catch {
      return nil
    }
  }
}

/// An instance with an effect. Everything that does not depend on the effect's type is in ``PluginInstance``.
@safe final class EffectInstance<E: Effect & ~Copyable>: PluginInstance {
  // Behind a pointer, since a stored `var effect` would require an exclusivity check at every access.
  private let effect: UnsafeMutablePointer<E>

  /// Creates an effect with initial values.
  init(_ plugin: ExportedPlugin, sampleRate: Double, _ types: HostTypes?) throws(EffectError) {
    let made = try E(plugin.layout(sampleRate: sampleRate, longestBlock: Self.longestBlock))
    unsafe effect = .allocate(capacity: 1)
    unsafe effect.initialize(to: made)
    super.init(for: plugin, sampleRate: sampleRate, types)
    measure(plugin, sampleRate: sampleRate)
  }

  deinit {
    unsafe effect.deinitialize(count: 1)
    unsafe effect.deallocate()
  }

  override var latency: Int { unsafe effect.pointee.latency }

  override func reset() { unsafe effect.pointee.reset() }

  override func set(_ number: Int, to value: Float, over frames: Int) {
    guard let parameter = E.Parameter(rawValue: number) else { return }
    unsafe effect.pointee.set(parameter, to: value, over: frames)
  }

  override func process(_ block: Block) { unsafe effect.pointee.process(block) }
}
