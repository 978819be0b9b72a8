// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletLV2
public import SwiftletSignal

/// The LV2 plugins that a list of units becomes: fill it by showing it the list.
///
/// ```swift
/// var exports = PluginExports()
/// forEachUnit(&exports)
/// ```
// @unchecked: filled once, then only read. LV2 has hosts ask for descriptors from one thread at a time.
@safe public struct PluginExports: UnitVisitor, @unchecked Sendable {
  private(set) var plugins: [ExportedPlugin] = []
  private var entries: [UnsafeMutablePointer<PluginEntry>] = unsafe []

  /// No plugins.
  public init() {}

  /// Adds a unit: in stereo and mono where it follows its wire, else once. What is made stays for the
  /// process. One that cannot be made without several files is left out: hosts name them one by one.
  public mutating func visit<Unit: Effect & ~Copyable>(_ unit: Unit.Type) {
    let files = Unit.description.files
    guard files.count == 1 || !files.contains(where: { $0.isRequired }) else { return }
    add(UnitMaker<Unit>(isMono: false))
    if ExportedPlugin.hasMono(Unit.description) { add(UnitMaker<Unit>(isMono: true)) }
  }

  private mutating func add(_ maker: PluginMaker) {
    plugins.append(maker.plugin)
    let entry = UnsafeMutablePointer<PluginEntry>.allocate(capacity: 1)
    unsafe entry.initialize(to: PluginEntry(maker))
    unsafe entries.append(entry)
  }

  /// What `lv2_descriptor` gives a host: the plugin at `index`, or nil behind the last.
  public func descriptor(_ index: UInt32) -> UnsafePointer<LV2_Descriptor>? {
    guard unsafe Int(index) < entries.count else { return nil }
    return unsafe UnsafeRawPointer(entries[Int(index)]).assumingMemoryBound(to: LV2_Descriptor.self)
  }
}
