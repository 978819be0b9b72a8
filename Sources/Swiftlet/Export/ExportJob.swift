// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import SwiftletTimeline
internal import Synchronization

/// A running export: opens the files, renders the engine into them, applies the loudness target, and gives the files
/// their names. If any step fails, the job leaves no new file.
///
/// One thread uses a job.
final class ExportJob {
  private let engine: AudioEngine
  private let orders: ExportRequest
  private let frames: Range<Int>
  private var parts: [Part] = []
  private let goesOn: (ExportSession.Progress) -> Bool
  private let isCancelled: @Sendable () -> Bool
  /// The reports on the pictures of movies, by the movies' paths.
  private var pictures: [String: PictureReport] = [:]

  /// A bus that is exported, with all its files.
  private struct Part {
    let outlet: BusExporter
    /// The output node of the mix that the sound is a part of.
    let mix: AudioNode?
    var writers: [AudioFileWriter] = []
    /// The temporary file of the sound until its loudness is known.
    var draft: AudioFileWriter?
    /// The gain that was applied, in dB, and the levels after it.
    var gain = 0.0
    var levels = ExportLevels()

    func holds(_ node: AudioNode, _ bus: Bus, mix: AudioNode?) -> Bool {
      outlet.node == node && outlet.bus == bus && self.mix == mix
    }
  }

  /// - Parameters:
  ///   - isCancelled: whether the export is cancelled; called by any thread.
  ///   - goesOn: called with the progress before each block; returns false to cancel.
  init(
    _ engine: AudioEngine, _ orders: ExportRequest, frames: Range<Int>,
    unless isCancelled: @escaping @Sendable () -> Bool, _ goesOn: @escaping (ExportSession.Progress) -> Bool
  ) {
    self.goesOn = goesOn
    self.isCancelled = isCancelled
    self.engine = engine
    self.orders = orders
    self.frames = frames
  }

  /// Runs the export.
  ///
  /// - Throws: ``ExportError``.
  func run() throws(ExportError) -> [ExportFile.Report] {
    let playedFiles = orders.playedFiles.map { (path: $0.path, use: FileUse.played(by: $0.node.name)) }
    let files = orders.files.map { (path: $0.path, use: FileUse.exported(of: $0.node.name)) }
    try exporting { () throws(EngineError) in try engine.claim() }
    engine.core.withLock { $0.exported = playedFiles + files }
    var isMade = false
    defer {
      engine.core.withLock { $0.exported = [] }
      engine.unclaim()
      for part in parts {
        part.draft?.discard()
        part.outlet.leave()
      }
      // The folders are empty only once the last file is removed.
      if !isMade { AudioFileWriter.removeFolders(of: parts.flatMap(\.writers)) }
    }
    do throws(ExportError) {
      try open()
      let run = ExportRun(
        engine, orders.inputs, orders.scores, parts.map(\.outlet), orders.options.recorder, frames: frames)
      let watch = Watch(.rendering, frames.upperBound, engine.sampleRate)
      try run.render { goesOn(watch.progress($0)) }
      for index in parts.indices { parts[index].levels = parts[index].outlet.levels }
      if let target = orders.options.loudness { try level(to: target) }
      let writers = parts.flatMap(\.writers)
      try exportingFile { () throws(FileError) in for writer in writers { try writer.finish() } }
      // Finishing a picture takes some time, in which the export may have been cancelled.
      if !pictures.isEmpty, isCancelled() { throw ExportError.cancelled }
      try exportingFile { () throws(FileError) in for writer in writers { try writer.publish() } }
    } catch {
      for writer in parts.flatMap(\.writers) { writer.discard() }
      throw error
    }
    isMade = true
    return orders.files.compactMap(made)
  }

  /// Plans how the picture of a movie is stored; nil if there is none.
  private func plan(_ file: ExportFile) throws(ExportError) -> PicturePlan? {
    guard let movie = file.movie, !file.video.isEmpty else { return nil }
    func time(_ frame: Int) -> MediaTime { MediaTime(frames: Int64(frame), at: engine.sampleRate) }
    let video = file.video.part(time(frames.lowerBound)..<time(frames.upperBound))
    let plan = try exportingFile { () throws(FileError) in
      guard !video.isEmpty else {
        throw FileError(
          .noPicture, file.path, "would be black: no clip is shown in the range that is exported")
      }
      return try PicturePlan(video, length: time(frames.count), in: movie)
    }
    pictures[file.path] = plan.report
    return plan
  }

  private func open() throws(ExportError) {
    for file in orders.files {
      let index = try part(of: file.node, file.bus, mix: file.mix)
      let outlet = parts[index].outlet, plan = try plan(file)
      let writer = try exportingFile { () throws(FileError) in
        try AudioFileWriter(
          file.path, .whole(overwrites: file.overwrites), format: file.format,
          sampleRate: Int(engine.sampleRate.rounded()), channelCount: outlet.channelCount,
          tags: orders.options.tags, picture: plan, unless: isCancelled)
      }
      writer.removeOnCrash()
      parts[index].writers.append(writer)
    }
    guard orders.options.loudness != nil else {
      for part in parts { part.outlet.writers = part.writers }
      return
    }
    // A mix is measured even if it has no file of its own.
    for mix in orders.files.compactMap(\.mix) { _ = try part(of: mix, 0, mix: nil) }
    for index in parts.indices { try openDraft(index) }
  }

  private func part(of node: AudioNode, _ bus: Bus, mix: AudioNode?) throws(ExportError) -> Int {
    // A part of a mix gets the mix's gain, so it is not shared with an export of the same bus alone.
    if let known = parts.firstIndex(where: { $0.holds(node, bus, mix: mix) }) { return known }
    parts.append(Part(outlet: try BusExporter(node, bus: bus), mix: mix))
    return parts.count - 1
  }

  /// Sends the sound of a part to a temporary file of floats until its loudness is known.
  private func openDraft(_ index: Int) throws(ExportError) {
    let outlet = parts[index].outlet
    let own = parts[index].writers.first?.path
    guard let name = own ?? orders.files.first(where: { $0.mix == outlet.node })?.path else { return }
    let draft = try exportingFile { () throws(FileError) in
      try AudioFileWriter(
        name + (own == nil ? ".mix" : ""), .scratch,
        format: RecordingFormat(container: .rf64, encoding: .float32),
        sampleRate: Int(engine.sampleRate.rounded()), channelCount: outlet.channelCount)
    }
    draft.removeOnCrash()
    parts[index].draft = draft
    outlet.writers = [draft]
    outlet.measure()
  }

  /// Applies the loudness target: mixes first, since their parts get the same gain.
  private func level(to target: LoudnessTarget) throws(ExportError) {
    var gains: [AudioNode: Double] = [:]
    let mixes = parts.indices.filter { parts[$0].mix == nil }
    for index in mixes + parts.indices.filter({ parts[$0].mix != nil }) {
      guard let draft = parts[index].draft else { continue }
      try exportingFile { () throws(FileError) in try draft.finish() }
      let part = parts[index], outlet = part.outlet
      let mastering = ExportMastering(outlet, draft: draft.currentPath)
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
      parts[index].gain = gain
      guard !part.writers.isEmpty else { continue }
      let watch = Watch(.levelling, outlet.written, engine.sampleRate)
      parts[index].levels = try mastering.export(gain: gain, ceiling: ceiling, part.writers) {
        goesOn(watch.progress($0))
      }.levels
    }
  }

  private func made(_ file: ExportFile) -> ExportFile.Report? {
    guard let part = parts.first(where: { $0.holds(file.node, file.bus, mix: file.mix) }) else { return nil }
    return ExportFile.Report(
      path: file.path, node: file.node.name, frameCount: part.outlet.written,
      sampleRate: engine.sampleRate, peak: Decibels.meter(part.levels.peak),
      loudness: part.levels.loudness, truePeak: part.levels.truePeak, gain: part.gain,
      picture: pictures[file.path],
      lostTags: orders.options.tags.losses(
        in: file.format, movie: pictures[file.path].flatMap { _ in file.movie }))
  }
}

/// Computes the progress of a stage of an export.
private struct Watch {
  private let stage: ExportSession.Progress.Stage
  private let total: Duration, sampleRate: Double
  private let start = ContinuousClock.now

  init(_ stage: ExportSession.Progress.Stage, _ total: Int, _ sampleRate: Double) {
    self.stage = stage
    self.total = Self.duration(total, sampleRate)
    self.sampleRate = sampleRate
  }

  func progress(_ done: Int) -> ExportSession.Progress {
    ExportSession.Progress(
      done: Self.duration(done, sampleRate), total: total, elapsed: ContinuousClock.now - start, stage: stage)
  }

  private static func duration(_ frames: Int, _ sampleRate: Double) -> Duration {
    Duration(MediaTime(frames: Int64(frames), at: sampleRate))
  }
}
