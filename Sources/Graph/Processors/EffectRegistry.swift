// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The effects that are available by name: the built-in ones, and those that a program adds.
///
/// A value type. Fill it with `forEachEffect(&catalog)` and `catalog.visit(MyEffect.self)`.
public struct EffectRegistry: EffectVisitor, Sendable {
  /// One effect of the catalogue.
  public struct Entry: Sendable {
    /// The effect's description: buses, parameters, presets.
    public let info: ProcessorInfo
    private let maker: @Sendable (Layout) throws(EffectError) -> Processor
    private let responder: @Sendable ([Double], [Float], Layout) -> FrequencyResponse?

    init<E: Effect & ~Copyable>(_ effect: E.Type) {
      info = ProcessorInfo(describing: effect)
      maker = { (layout) throws(EffectError) in try EffectProcessor<E>(layout) }
      responder = { E.response(at: $0, values: $1, layout: $2) }
    }

    /// Creates a processor of this kind, at its default values and ready to be published. Control threads only.
    ///
    /// - Throws: ``EffectError`` if the effect does not support the layout.
    public func make(_ layout: Layout) throws(EffectError) -> Processor { try maker(layout) }

    /// Returns the effect's frequency response at `frequencies` in Hz; nil if the effect is not a pure filter. It
    /// uses no running processor. Control threads only.
    ///
    /// - Parameter values: values by parameter number; missing ones have their default value.
    public func response(at frequencies: [Double], values: [Int: Float], layout: Layout)
      -> FrequencyResponse?
    {
      var layout = layout
      if layout.bandCount == 0, let bands = info.bands { layout.bandCount = bands.defaultCount }
      var all = info.parameters
      for _ in 0..<max(layout.bandCount, 0) { all += info.bands?.parameters ?? [] }
      let settings = all.enumerated().map { values[$0] ?? $1.initial }
      return responder(frequencies, settings, layout)
    }
  }

  /// All effects, in display order.
  public private(set) var entries: [Entry] = []

  /// Creates an empty catalogue.
  public init() {}

  /// Adds an effect; it replaces one with the same symbol.
  public mutating func visit<E: Effect & ~Copyable>(_ effect: E.Type) {
    let entry = Entry(effect)
    if let index = entries.firstIndex(where: { $0.info.id == entry.info.id }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }

  /// Returns the effect with a symbol, or nil.
  public subscript(symbol: String) -> Entry? { entries.first { $0.info.id == symbol } }
}
