// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletLV2
public import SwiftletSignal

/// The LV2 plugins for a list of effects. Pass it to the list as a visitor:
///
/// ```swift
/// var exports = PluginExports()
/// forEachEffect(&exports)
/// ```
// @unchecked: filled once, then only read. LV2 requires hosts to ask for descriptors from one thread at a time.
@safe public struct PluginExports: EffectVisitor, @unchecked Sendable {
  private(set) var plugins: [ExportedPlugin] = []
  private var entries: [UnsafeMutablePointer<PluginEntry>] = unsafe []

  /// Creates an empty list.
  public init() {}

  /// Adds an effect: as stereo and mono plugins if it matches its wire, otherwise as one plugin. The plugins are never
  /// freed. An effect that requires several files is skipped, since hosts set files one by one.
  public mutating func visit<E: Effect & ~Copyable>(_ effect: E.Type) {
    let files = E.description.files
    guard files.count == 1 || !files.contains(where: { $0.isRequired }) else { return }
    add(EffectMaker<E>(isMono: false))
    if ExportedPlugin.hasMono(E.description) { add(EffectMaker<E>(isMono: true)) }
  }

  private mutating func add(_ maker: PluginMaker) {
    plugins.append(maker.plugin)
    let entry = UnsafeMutablePointer<PluginEntry>.allocate(capacity: 1)
    unsafe entry.initialize(to: PluginEntry(maker))
    unsafe entries.append(entry)
  }

  /// Returns the plugin at `index` for `lv2_descriptor`; nil after the last one.
  public func descriptor(_ index: UInt32) -> UnsafePointer<LV2_Descriptor>? {
    guard unsafe Int(index) < entries.count else { return nil }
    return unsafe UnsafeRawPointer(entries[Int(index)]).assumingMemoryBound(to: LV2_Descriptor.self)
  }
}
