// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletTimeline

/// An export at work: it opens the files, renders the engine into them, brings them to a loudness, and gives them
/// their names. Whatever fails, no file is left.
///
/// One thread uses a job.
final class ExportJob {
  private let engine: AudioEngine
  private let orders: ExportOrders
  private let frames: Range<Int>
  private var parts: [Part] = []

  /// A bus that is exported, with all its files.
  private struct Part {
    let outlet: ExportOutlet
    /// The playback node of the mix that it is a part of.
    let mix: AudioNode?
    var writers: [AudioFileWriter] = []
    /// Where the sound lies until its loudness is known.
    var draft: AudioFileWriter?
    /// What was done to it, and how it is then.
    var gain = 0.0
    var levels = ExportLevels()
  }

  init(_ engine: AudioEngine, _ orders: ExportOrders, frames: Range<Int>) {
    self.engine = engine
    self.orders = orders
    self.frames = frames
  }

  /// Does all of it.
  ///
  /// - Parameter goesOn: is told how far it is, before each block, and says whether to go on.
  /// - Throws: ``ExportError``.
  func run(_ goesOn: (ExportProgress) -> Bool) throws(ExportError) -> [ExportedFile] {
    defer {
      for part in parts {
        part.draft?.discard()
        part.outlet.leave()
      }
    }
    do throws(ExportError) {
      try open()
      let run = ExportRun(
        engine, orders.inputs, orders.scores, parts.map(\.outlet), orders.options.recorder, frames: frames)
      let watch = Watch(.rendering, frames.upperBound, engine.sampleRate)
      try run.render { goesOn(watch.progress($0)) }
      for place in parts.indices { parts[place].levels = parts[place].outlet.levels }
      if let target = orders.options.loudness { try level(to: target, goesOn) }
      try exportingFile { () throws(FileError) in
        let writers = parts.flatMap(\.writers)
        for writer in writers { try writer.finish() }
        for writer in writers { try writer.publish() }
      }
    } catch {
      for writer in parts.flatMap(\.writers) { writer.discard() }
      throw error
    }
    return orders.files.compactMap(made)
  }

  private func open() throws(ExportError) {
    for file in orders.files {
      let place = try part(of: file.node, file.bus, mix: file.mix)
      let outlet = parts[place].outlet
      let writer = try exportingFile { () throws(FileError) in
        try AudioFileWriter(
          file.path, format: file.format, sampleRate: Int(engine.sampleRate.rounded()),
          channelCount: outlet.channelCount, overwrites: file.overwrites, appearsWhole: true)
      }
      parts[place].writers.append(writer)
    }
    guard orders.options.loudness != nil else {
      for part in parts { part.outlet.writers = part.writers }
      return
    }
    // What parts belong to is measured, whether it gets a file or not.
    for mix in orders.files.compactMap(\.mix) { _ = try part(of: mix, 0, mix: nil) }
    for place in parts.indices { try openDraft(place) }
  }

  private func part(of node: AudioNode, _ bus: Bus, mix: AudioNode?) throws(ExportError) -> Int {
    if let known = parts.firstIndex(where: { $0.outlet.node == node && $0.outlet.bus == bus }) {
      return known
    }
    parts.append(Part(outlet: try ExportOutlet(node, bus: bus), mix: mix))
    return parts.count - 1
  }

  /// Lets the sound of a part go to a file of floats, for as long as its loudness is not known.
  private func openDraft(_ place: Int) throws(ExportError) {
    let outlet = parts[place].outlet
    let own = parts[place].writers.first?.path
    guard let name = own ?? orders.files.first(where: { $0.mix == outlet.node })?.path else { return }
    let draft = try exportingFile { () throws(FileError) in
      try AudioFileWriter(
        name + (own == nil ? ".mix" : "") + ".draft",
        format: RecordingFormat(container: .rf64, encoding: .float32),
        sampleRate: Int(engine.sampleRate.rounded()), channelCount: outlet.channelCount)
    }
    parts[place].draft = draft
    outlet.writers = [draft]
    outlet.measure()
  }

  /// Brings what was rendered to the loudness: mixes first, since their parts follow them.
  private func level(
    to target: LoudnessTarget, _ goesOn: (ExportProgress) -> Bool
  ) throws(ExportError) {
    var gains: [AudioNode: Double] = [:]
    let mixes = parts.indices.filter { parts[$0].mix == nil }
    for place in mixes + parts.indices.filter({ parts[$0].mix != nil }) {
      guard let draft = parts[place].draft else { continue }
      try exportingFile { () throws(FileError) in try draft.finish() }
      let part = parts[place], outlet = part.outlet
      let mastering = ExportMastering(outlet, draft: draft.path)
      var (gain, ceiling): (Double, Double?) = (0, nil)
      if let mix = part.mix {
        gain = gains[mix] ?? 0
      } else {
        var watch = Watch(.limiting, outlet.written, engine.sampleRate)
        (gain, ceiling) = try mastering.treatment(for: target) { done in
          if done == 0 { watch = Watch(.limiting, outlet.written, engine.sampleRate) }
          return goesOn(watch.progress(done))
        }
        if outlet.bus == 0 { gains[outlet.node] = gain }
      }
      parts[place].gain = gain
      guard !part.writers.isEmpty else { continue }
      let watch = Watch(.levelling, outlet.written, engine.sampleRate)
      parts[place].levels = try mastering.export(gain: gain, ceiling: ceiling, part.writers) {
        goesOn(watch.progress($0))
      }.levels
    }
  }

  private func made(_ file: ExportFile) -> ExportedFile? {
    guard let part = parts.first(where: { $0.outlet.node == file.node && $0.outlet.bus == file.bus }) else {
      return nil
    }
    return ExportedFile(
      path: file.path, node: file.node.name, frameCount: part.outlet.written,
      sampleRate: Int(engine.sampleRate.rounded()), peak: Level.decibels(part.levels.peak),
      loudness: part.levels.loudness, truePeak: part.levels.truePeak, gain: part.gain)
  }
}

/// Counts how far a stage of an export is.
private struct Watch {
  private let stage: ExportProgress.Stage
  private let total: Int, sampleRate: Double
  private let start = ContinuousClock.now

  init(_ stage: ExportProgress.Stage, _ total: Int, _ sampleRate: Double) {
    self.stage = stage
    self.total = total
    self.sampleRate = sampleRate
  }

  func progress(_ done: Int) -> ExportProgress {
    ExportProgress(
      done: duration(done), total: duration(total), elapsed: ContinuousClock.now - start, stage: stage)
  }

  private func duration(_ frames: Int) -> Duration {
    Duration(MediaTime(frames: Int64(frames), at: sampleRate))
  }
}
