// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The effects that can be asked for by name: the built-in ones, and those a program adds.
///
/// A value. Fill it with `forEachUnit(&catalog)` and `catalog.visit(MyEffect.self)`.
public struct UnitCatalog: UnitVisitor, Sendable {
  /// One effect of the catalogue.
  public struct Entry: Sendable {
    /// What it is: buses, parameters, presets.
    public let info: ProcessorInfo
    private let maker: @Sendable (Layout) throws(EffectError) -> Processor
    private let responder: @Sendable ([Double], [Float], Layout) -> FrequencyResponse?

    init<Unit: Effect & ~Copyable>(_ unit: Unit.Type) {
      info = ProcessorInfo(describing: unit)
      maker = { (layout) throws(EffectError) in try UnitProcessor<Unit>(layout) }
      responder = { Unit.response(at: $0, values: $1, layout: $2) }
    }

    /// A processor of this kind, at its initial values and ready to be published. Control thread.
    ///
    /// - Throws: ``EffectError`` where the effect cannot serve the layout.
    public func make(_ layout: Layout) throws(EffectError) -> Processor { try maker(layout) }

    /// What the effect does to sines at `frequencies` in hertz; nil for one that does more than filter.
    /// Control thread; no running processor is touched.
    ///
    /// - Parameter values: values by parameter number; what is missing is at its initial value.
    public func response(at frequencies: [Double], values: [Int: Float], layout: Layout)
      -> FrequencyResponse?
    {
      var layout = layout
      if layout.bandCount == 0, let bands = info.bands { layout.bandCount = bands.initialCount }
      var all = info.parameters
      for _ in 0..<max(layout.bandCount, 0) { all += info.bands?.parameters ?? [] }
      let settings = all.enumerated().map { values[$0] ?? $1.initial }
      return responder(frequencies, settings, layout)
    }
  }

  /// Every effect, in the order in which people should read them.
  public private(set) var entries: [Entry] = []

  /// An empty catalogue.
  public init() {}

  /// Adds `unit`; one of the same name gives way to it.
  public mutating func visit<Unit: Effect & ~Copyable>(_ unit: Unit.Type) {
    let entry = Entry(unit)
    if let place = entries.firstIndex(where: { $0.info.id == entry.info.id }) {
      entries[place] = entry
    } else {
      entries.append(entry)
    }
  }

  /// The effect called `symbol`, or nil.
  public subscript(symbol: String) -> Entry? { entries.first { $0.info.id == symbol } }
}
