// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Creates instances of one effect.
final class EffectMaker<Unit: Effect & ~Copyable>: PluginMaker {
  init(isMono: Bool) { super.init(ExportedPlugin(Unit.self, isMono: isMono)) }

  override func make(sampleRate: Double, _ host: HostFeatures) -> PluginInstance? {
    if let file = plugin.filed { return EffectFileInstance<Unit>(plugin, file, sampleRate: sampleRate, host) }
    do throws(EffectError) {
      return try EffectInstance<Unit>(plugin, sampleRate: sampleRate, host.types)
    } catch {
      return nil
    }
  }
}

/// An instance with an effect. Everything that does not depend on the effect's type is in ``PluginInstance``.
@safe final class EffectInstance<Unit: Effect & ~Copyable>: PluginInstance {
  // Behind a pointer, since a stored `var unit` would require an exclusivity check at every access.
  private let unit: UnsafeMutablePointer<Unit>

  /// Creates an effect with initial values.
  init(_ plugin: ExportedPlugin, sampleRate: Double, _ types: HostTypes?) throws(EffectError) {
    let made = try Unit(plugin.layout(sampleRate: sampleRate, longestBlock: Self.longestBlock))
    unsafe unit = .allocate(capacity: 1)
    unsafe unit.initialize(to: made)
    super.init(for: plugin, sampleRate: sampleRate, types)
    measure(plugin, sampleRate: sampleRate)
  }

  deinit {
    unsafe unit.deinitialize(count: 1)
    unsafe unit.deallocate()
  }

  override var latency: Int { unsafe unit.pointee.latency }

  override func reset() { unsafe unit.pointee.reset() }

  override func set(_ number: Int, to value: Float, over frames: Int) {
    guard let parameter = Unit.Parameter(rawValue: number) else { return }
    unsafe unit.pointee.set(parameter, to: value, over: frames)
  }

  override func process(_ block: Block) { unsafe unit.pointee.process(block) }
}
